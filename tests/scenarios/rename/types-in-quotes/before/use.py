from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Optional, TypeVar, cast

if TYPE_CHECKING:
    from orders import Order

T = TypeVar("T", bound="Order")
Maybe = Optional["Order"]


def first(orders: "list[Order]", kind: Literal["Order"]) -> Order:
    one: "Order | None" = None
    return cast("Order", one)
