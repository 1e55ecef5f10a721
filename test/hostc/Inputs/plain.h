#ifndef PLAIN_H
#define PLAIN_H
#include "kernels.h"
static inline int plain(int x) restrict(cpu, amp) { return x; }
#endif
