#include <stdio.h>

#ifdef FROM_AMPC
#error this definition is for AMP-C only
#endif

void scale(int *p, int n);

int main(void)
{
    int a[3] = {1, 2, 3};
    scale(a, 3);
    printf("%d %d %d\n", a[0], a[1], a[2]);
    return 0;
}
