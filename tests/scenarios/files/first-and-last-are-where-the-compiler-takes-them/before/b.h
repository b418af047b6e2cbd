#pragma once
#include <x.h>

int f(void);
