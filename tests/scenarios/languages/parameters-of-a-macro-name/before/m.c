void VG_(free)(void *block)
{
    use(block);
}
