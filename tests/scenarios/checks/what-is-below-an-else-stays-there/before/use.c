#ifdef A
int limit = 1;
#endif
#ifdef B
int use_b(void)
{
	return 2;
}
#endif
int y;
