from __future__ import annotations

import typing as t


def g(x: t.Any) -> None: ...
