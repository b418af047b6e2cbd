<?php

declare(strict_types=1);

namespace Shop;

/** An order. */
#[Entity]
final class Order extends Base
{
    /** Says it. */
    #[Pure]
    public function say(): string
    {
        return <<<TEXT
        Order
        TEXT;
    }

    public function take(): void {}

    public function add(int $count): void
    {
        $this->count += $count;
    }
}
