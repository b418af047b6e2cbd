from __future__ import annotations

import typing as t

if t.TYPE_CHECKING:
    from .b import B


# Takes one.
def f(b: B) -> B:
    return b
