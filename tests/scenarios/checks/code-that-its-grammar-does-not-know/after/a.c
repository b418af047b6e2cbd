#include "list.h"

int f(int x)
{
	int sum = 0;

	list_for_each(x, list)
		sum += x;
	return sum;
}

int g(int x)
{
	return x;
}
