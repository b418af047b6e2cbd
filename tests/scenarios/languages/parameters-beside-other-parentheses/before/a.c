static int init(void)
{
    return 0;
}
