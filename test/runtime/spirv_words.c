/* Devices that do not grant what kernels ask for floats: the request goes from the module. Words written by hand
 * after the SPIR-V specification; no device.
 * RUN: %cc -std=gnu11 -g -Wall -Wextra -Werror -fsanitize=address,undefined -I %S/../../runtime %s %S/../../runtime/vulkan/spirv.c -o %t
 * RUN: %t
 */
#include "vulkan/spirv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEADER 0x07230203, 0x00010500, 0, 10, 0
#define SHADER 0x00020011, 1                   /* OpCapability Shader */
#define PRESERVE 0x00020011, 4466              /* OpCapability SignedZeroInfNanPreserve */
#define LOCAL_SIZE 0x00060010, 1, 17, 64, 1, 1 /* OpExecutionMode %1 LocalSize 64 1 1 */
#define KEEP_32 0x00040010, 1, 4461, 32
#define KEEP_64 0x00040010, 1, 4461, 64
#define FUNCTION 0x00050036, 2, 3, 0, 4
/* Numbers in a body may look like anything. */
#define DENORMS 0x00020011, 4464 /* OpCapability DenormPreserve */
#define ROUNDING 0x00020011, 4467 /* OpCapability RoundingModeRTE */
#define DENORMS_32 0x00040010, 1, 4459, 32
#define ROUNDING_32 0x00040010, 1, 4462, 32
#define BODY FUNCTION, 0x00040010, 1, 4461, 32, 0x00020011, 4466

static void check_for(const char *what, const uint32_t *words, size_t count,
                      struct vulkan_float_controls granted, const uint32_t *expected,
                      size_t expected_count)
{
    uint32_t *out = malloc(count * sizeof *out); /* of this size, so that ASan sees more */
    size_t got = vulkan_spirv_for(&granted, words, count, out);
    if (got != expected_count || memcmp(out, expected, got * sizeof *out)) {
        fprintf(stderr, "%s: wrong words (%zu)\n", what, got);
        exit(1);
    }
    free(out);
}

#define CHECK_FOR(what, words, granted, ...)                                                       \
    check_for(what, words, sizeof words / 4, granted, (const uint32_t[]){__VA_ARGS__},             \
              sizeof((const uint32_t[]){__VA_ARGS__}) / 4)
/* Signed zeros, infinities and NaNs. */
#define CHECK(what, words, keep32, keep64, ...)                                                    \
    CHECK_FOR(what, words, ((struct vulkan_float_controls){{keep32}, {keep64}}), __VA_ARGS__)

int main(void)
{
    const uint32_t both[] = {HEADER, SHADER, PRESERVE, KEEP_32, LOCAL_SIZE, KEEP_64, BODY};
    CHECK("all granted", both, true, true, HEADER, SHADER, PRESERVE, KEEP_32, LOCAL_SIZE, KEEP_64,
          BODY);
    CHECK("32 only", both, true, false, HEADER, SHADER, PRESERVE, KEEP_32, LOCAL_SIZE, BODY);
    CHECK("64 only", both, false, true, HEADER, SHADER, PRESERVE, LOCAL_SIZE, KEEP_64, BODY);
    CHECK("none", both, false, false, HEADER, SHADER, LOCAL_SIZE, BODY);

    const uint32_t one[] = {HEADER, PRESERVE, SHADER, KEEP_32, BODY};
    CHECK("64 is not asked for", one, false, true, HEADER, SHADER, BODY);

    const uint32_t all[] = {HEADER,     SHADER,      DENORMS, ROUNDING, PRESERVE, KEEP_32,
                            DENORMS_32, ROUNDING_32, BODY};
    struct vulkan_float_controls but = {.width32 = {true, true, true}};
    CHECK_FOR("all three", all, but, HEADER, SHADER, DENORMS, ROUNDING, PRESERVE, KEEP_32,
              DENORMS_32, ROUNDING_32, BODY);
    but.width32[VULKAN_PRESERVE_DENORMS] = false;
    CHECK_FOR("no denormals", all, but, HEADER, SHADER, ROUNDING, PRESERVE, KEEP_32, ROUNDING_32,
              BODY);
    but.width32[VULKAN_ROUND_TO_EVEN] = false;
    CHECK_FOR("nor rounding", all, but, HEADER, SHADER, PRESERVE, KEEP_32, BODY);

    const uint32_t nothing[] = {HEADER, SHADER, LOCAL_SIZE};
    CHECK("nothing to do, no function", nothing, false, false, HEADER, SHADER, LOCAL_SIZE);

    const uint32_t broken[] = {HEADER, PRESERVE, 0x00090011, 1}; /* longer than the module */
    CHECK("cut off", broken, false, false, HEADER, PRESERVE, 0x00090011, 1);
    const uint32_t zero[] = {HEADER, PRESERVE, 0};
    CHECK("no length", zero, false, false, HEADER, PRESERVE, 0);
    const uint32_t tiny[] = {0x07230203, 1};
    CHECK("no header", tiny, false, false, 0x07230203, 1);
    return 0;
}
