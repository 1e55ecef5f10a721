#pragma once
#include "more.h"
static inline float first(array_view(const float, 1) v) { return v[MORE - 1]; }
