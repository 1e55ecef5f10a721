/* coherence.c SEEDS STEPS - random programs on three accelerators, byte for byte as the model. */
#include "program.h"

#include <sys/wait.h>
#include <unistd.h>

int main(int count, char **arguments)
{
    int first = atoi(arguments[1]), last = atoi(arguments[2]), steps = atoi(arguments[3]);
    verbose = count > 4;
    for (int seed = first; seed < last; ++seed) {
        pid_t child = fork();
        if (!child) {
            stub_has_thread = seed % 2;
            run_program((uint64_t)seed, steps);
            return 0;
        }
        int status;
        if (waitpid(child, &status, 0) != child || status) {
            fprintf(stderr, "seed %d\n", seed);
            return 1;
        }
    }
}
