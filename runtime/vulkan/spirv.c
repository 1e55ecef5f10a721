/* vulkan/spirv.c - see vulkan/spirv.h. */
#include "spirv.h"

#include <string.h>

enum {
    HEADER_WORDS = 5,
    OP_EXECUTION_MODE = 16, /* entry point, mode, operands */
    OP_CAPABILITY = 17,     /* capability */
    OP_FUNCTION = 54,       /* modes and capabilities come before the first */
};

/* By enum vulkan_float_control. */
static const uint32_t modes[] = {4461, 4459, 4462};
static const uint32_t capabilities[] = {4466, 4464, 4467};

/* Which of `values` it is; VULKAN_FLOAT_CONTROLS when none. */
static int control_of(uint32_t value, const uint32_t *values)
{
    int control = 0;
    while (control < VULKAN_FLOAT_CONTROLS && values[control] != value)
        ++control;
    return control;
}

/* The control whose capability an instruction declares, or VULKAN_FLOAT_CONTROLS. */
static int declared_by(const uint32_t *instruction, size_t length)
{
    bool is_capability = (instruction[0] & 0xffff) == OP_CAPABILITY && length == 2;
    return is_capability ? control_of(instruction[1], capabilities) : VULKAN_FLOAT_CONTROLS;
}

/* The control that an instruction asks for at some width, or VULKAN_FLOAT_CONTROLS. */
static int asked_by(const uint32_t *instruction, size_t length)
{
    bool is_mode = (instruction[0] & 0xffff) == OP_EXECUTION_MODE && length == 4;
    return is_mode ? control_of(instruction[2], modes) : VULKAN_FLOAT_CONTROLS;
}

static bool grants(const struct vulkan_float_controls *granted, int control, uint32_t width)
{
    return (width == 32 && granted->width32[control]) || (width == 64 && granted->width64[control]);
}

/* The length of the instruction at `at`; 0 where none fits. */
static size_t length_at(const uint32_t *words, size_t count, size_t at)
{
    size_t length = words[at] >> 16;
    return length <= count - at ? length : 0;
}

size_t vulkan_spirv_for(const struct vulkan_float_controls *granted, const uint32_t *words,
                        size_t count, uint32_t *out)
{
    bool used[VULKAN_FLOAT_CONTROLS] = {false};
    size_t at = HEADER_WORDS, length;
    for (; at < count && (words[at] & 0xffff) != OP_FUNCTION; at += length) {
        if (!(length = length_at(words, count, at)))
            break;
        int asked = asked_by(words + at, length);
        if (asked < VULKAN_FLOAT_CONTROLS)
            used[asked] |= grants(granted, asked, words[at + 3]);
    }
    if (count < HEADER_WORDS || (at < count && (words[at] & 0xffff) != OP_FUNCTION)) {
        memcpy(out, words, count * sizeof *words);
        return count;
    }
    size_t end = at, kept = HEADER_WORDS;
    memcpy(out, words, HEADER_WORDS * sizeof *words);
    for (at = HEADER_WORDS; at < end; at += length) {
        length = length_at(words, count, at);
        int asked = asked_by(words + at, length), declared = declared_by(words + at, length);
        if ((asked < VULKAN_FLOAT_CONTROLS && !grants(granted, asked, words[at + 3])) ||
            (declared < VULKAN_FLOAT_CONTROLS && !used[declared]))
            continue;
        memcpy(out + kept, words + at, length * sizeof *words);
        kept += length;
    }
    memcpy(out + kept, words + end, (count - end) * sizeof *words);
    return kept + count - end;
}
