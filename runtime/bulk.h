/* bulk.h - memcpy by several threads.
 *
 * One core moves about a fifth of what a device's DMA does. AMPC_COPY_THREADS says how many threads
 * copy at once; else as many as there are cores, at most 8. */
#ifndef AMPC_BULK_H
#define AMPC_BULK_H

#include <stdint.h>

/* As memcpy; small copies are made by the caller alone. One caller at a time is helped. */
void ampc_bulk_copy(void *to, const void *from, uint64_t size);

#endif
