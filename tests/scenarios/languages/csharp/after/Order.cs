using System;

namespace Acme.Sales.Shop
{
    /// <summary>An order.</summary>
    [Serializable]
    public class Order : Base
    {
        public int Count { get; set; } = 1;

        // It is said.
        [Obsolete("soon")]
        public override string ToString() => "Order " + name;

        public void Add(int count) { }

        public void Take(int count)
        {
            Count -= count;
        }
    }
}
