int f(int a)
{
    g(a);
    return a;
}
