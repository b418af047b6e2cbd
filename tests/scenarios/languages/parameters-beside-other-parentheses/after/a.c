static int init(int flags)
{
    return 0;
}
