class A
{
    int x;

    public int F() => x;
}
