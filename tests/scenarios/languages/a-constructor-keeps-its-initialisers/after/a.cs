class A : B
{
    [Obsolete]
    public A(int x, int y) : base(x)
    {
        Go();
    }
}
