#include <amp.h>
#include <stdio.h>

int main(void)
{
    accelerator first;
    puts(accelerator_get_all(&first, 1) > 0 ? "at least one accelerator" : "none");
    return 0;
}
