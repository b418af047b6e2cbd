<?php

declare(strict_types=1);

namespace Shop;

/** An order. */
#[Entity]
final class Order extends Base
{
    private string $name = '';

    /** Says it. */
    #[Pure]
    public function say(): string
    {
        return <<<TEXT
        Order
        TEXT;
    }

    public function add(int $count): void {}
}
