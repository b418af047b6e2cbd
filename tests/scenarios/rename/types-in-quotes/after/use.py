from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Optional, TypeVar, cast

if TYPE_CHECKING:
    from orders import Purchase

T = TypeVar("T", bound="Purchase")
Maybe = Optional["Purchase"]


def first(orders: "list[Purchase]", kind: Literal["Order"]) -> Purchase:
    one: "Purchase | None" = None
    return cast("Purchase", one)
