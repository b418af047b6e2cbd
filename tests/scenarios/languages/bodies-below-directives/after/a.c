int f(void)
{
	if (a) {
		b();
	}
	return 1;
}

int h(void)
{
#define A(x) \
  f(x)
	g();
	k();
}

struct s {
#ifdef X
	int a;
#endif
	int b;
	int c;
};
