class A : B
{
    public A(int x) : base(x)
    {
        Go();
    }
}
