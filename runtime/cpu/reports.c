/* cpu/reports.c - what kernels on the CPU call to report (ampc/kernel.h). The buffer is filled as
 * the SPIR-V of other accelerators fills it (compiler/spirv/reports.cpp). */
#include <ampc/kernel.h>

#include <stdarg.h>
#include <string.h>

enum { ITEM_WORDS = 4, MOST_WORDS = AMPC_REPORT_RECORDS - AMPC_REPORT_FAILURE };

/* Of the kernel that this thread runs. */
static _Thread_local uint32_t *reports;
static _Thread_local uint32_t item[ITEM_WORDS];

void ampc_kernel_begin(const struct ampc_domain *domain)
{
    reports = domain->reports;
}

void ampc_kernel_item(int i0, int i1, int i2, int i3)
{
    item[0] = (uint32_t)i0;
    item[1] = (uint32_t)i1;
    item[2] = (uint32_t)i2;
    item[3] = (uint32_t)i3;
}

/* The arguments as words; returns how many. */
static uint32_t gather(uint32_t *words, const char *kinds, va_list arguments)
{
    uint32_t count = 0;
    for (; *kinds; ++kinds) {
        uint64_t wide;
        switch (*kinds) {
        case 'i':
        case 'u':
            words[count++] = va_arg(arguments, unsigned);
            continue;
        case 'f': {
            float value = (float)va_arg(arguments, double);
            memcpy(&words[count++], &value, sizeof value);
            continue;
        }
        case 'd': {
            double value = va_arg(arguments, double);
            memcpy(&wide, &value, sizeof wide);
            break;
        }
        default:
            wide = va_arg(arguments, unsigned long long);
        }
        words[count++] = (uint32_t)wide;
        words[count++] = (uint32_t)(wide >> 32);
    }
    return count;
}

void ampc_kernel_print(uint32_t number, const char *kinds, ...)
{
    uint32_t record[MOST_WORDS] = {number};
    va_list arguments;
    va_start(arguments, kinds);
    uint32_t size = 1 + gather(record + 1, kinds, arguments);
    va_end(arguments);
    uint32_t capacity = reports[AMPC_REPORT_CAPACITY], start = capacity;
    /* Nobody adds once the buffer is full, so that the count does not overflow. */
    if (__atomic_load_n(&reports[AMPC_REPORT_USED], __ATOMIC_RELAXED) < capacity)
        start = __atomic_fetch_add(&reports[AMPC_REPORT_USED], size, __ATOMIC_RELAXED);
    if (start + size <= capacity)
        memcpy(reports + AMPC_REPORT_RECORDS + start, record, size * sizeof *record);
    else
        __atomic_fetch_add(&reports[AMPC_REPORT_LOST], 1, __ATOMIC_RELAXED);
}

void ampc_kernel_fail(uint32_t number, const char *kinds, ...)
{
    if (__atomic_exchange_n(&reports[AMPC_REPORT_FAILED], 1, __ATOMIC_RELAXED))
        return;
    uint32_t *record = reports + AMPC_REPORT_FAILURE;
    *record = number;
    memcpy(record + 1, item, sizeof item);
    va_list arguments;
    va_start(arguments, kinds);
    gather(record + 1 + ITEM_WORDS, kinds, arguments);
    va_end(arguments);
}
