#pragma once
#include <w.h>
#include <x.h>

int f(void);
