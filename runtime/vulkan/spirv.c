/* vulkan/spirv.c - see vulkan/spirv.h. */
#include "spirv.h"

#include <string.h>

enum {
    HEADER_WORDS = 5,
    OP_EXECUTION_MODE = 16, /* entry point, mode, operands */
    OP_CAPABILITY = 17,     /* capability */
    OP_FUNCTION = 54,       /* modes and capabilities come before the first */
    MODE_PRESERVE = 4461,
    CAPABILITY_PRESERVE = 4466,
};

enum request { OTHER, CAPABILITY, GRANTED, REFUSED };

static enum request classify(const uint32_t *instruction, size_t length, bool keep32, bool keep64)
{
    uint32_t op = instruction[0] & 0xffff;
    if (op == OP_CAPABILITY && length == 2 && instruction[1] == CAPABILITY_PRESERVE)
        return CAPABILITY;
    if (op != OP_EXECUTION_MODE || length != 4 || instruction[2] != MODE_PRESERVE)
        return OTHER;
    return (instruction[3] == 32 && keep32) || (instruction[3] == 64 && keep64) ? GRANTED : REFUSED;
}

/* The length of the instruction at `at`; 0 where none fits. */
static size_t length_at(const uint32_t *words, size_t count, size_t at)
{
    size_t length = words[at] >> 16;
    return length <= count - at ? length : 0;
}

size_t vulkan_spirv_without_preserve(const uint32_t *words, size_t count, bool keep32, bool keep64,
                                     uint32_t *out)
{
    bool any_granted = false;
    size_t at = HEADER_WORDS, end = count, length, kept = HEADER_WORDS;
    for (; at < count && (words[at] & 0xffff) != OP_FUNCTION; at += length) {
        if (!(length = length_at(words, count, at)))
            break;
        any_granted |= classify(words + at, length, keep32, keep64) == GRANTED;
    }
    if (count < HEADER_WORDS || (at < count && (words[at] & 0xffff) != OP_FUNCTION)) {
        memcpy(out, words, count * sizeof *words);
        return count;
    }
    end = at;
    memcpy(out, words, HEADER_WORDS * sizeof *words);
    for (at = HEADER_WORDS; at < end; at += length) {
        length = length_at(words, count, at);
        enum request request = classify(words + at, length, keep32, keep64);
        if (request == REFUSED || (request == CAPABILITY && !any_granted))
            continue;
        memcpy(out + kept, words + at, length * sizeof *words);
        kept += length;
    }
    memcpy(out + kept, words + end, (count - end) * sizeof *words);
    return kept + count - end;
}
