void f(int ok)
{
	if (ok)
		keep();
	else
		wipe();
}
