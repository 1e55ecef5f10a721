#pragma once
#include "more.h"
#define FACTOR 2.0f
static const int table[3] = {1, 2, 3};
