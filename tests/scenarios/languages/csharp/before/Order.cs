using System;

namespace Acme.Sales.Shop
{
    /// <summary>An order.</summary>
    [Serializable]
    public class Order : Base
    {
        private readonly string name;

        public int Count { get; set; } = 1;

        // It is said.
        [Obsolete("soon")]
        public override string ToString()
        {
            return name;
        }

        public void Add(int count) { }
    }
}
