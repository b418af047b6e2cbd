int f(void)
{
#ifdef X
	int a;
#endif
	g();
}

int h(void)
{
#define A(x) \
  f(x)
	g();
}

struct s {
#ifdef X
	int a;
#endif
	int b;
};
