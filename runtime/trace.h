/* trace.h - the file that AMPC_TRACE names: a timeline in the Chrome trace format, which Perfetto
 * (ui.perfetto.dev) and chrome://tracing show.
 *
 * A process of the timeline is the host or an accelerator, a thread of it one track. Events are
 * written as they come, in an array that readers accept even when a crash cuts it off. Functions
 * may be called from any thread; a child after fork writes nothing. Times are in nanoseconds of
 * CLOCK_MONOTONIC. */
#ifndef AMPC_TRACE_H
#define AMPC_TRACE_H

#include <stdbool.h>
#include <stdint.h>

struct ampc_track {
    unsigned process; /* 0: the host */
    unsigned thread;
};

/* Opens the file; false with a warning when that fails. */
bool ampc_trace_open(const char *path);
void ampc_trace_close(void);

void ampc_trace_name_process(unsigned process, const char *name);
void ampc_trace_name_track(struct ampc_track track, const char *name);
/* Something that took time. `format` makes its arguments, members of a JSON object; strings go
 * through ampc_trace_quote first. */
void ampc_trace_span(struct ampc_track track, const char *category, const char *name,
                     uint64_t begin, uint64_t end, const char *format, ...)
    __attribute__((format(printf, 6, 7)));
/* An arrow from where it `begins` to another place with the same id; each inside a span. */
void ampc_trace_arrow(struct ampc_track track, bool begins, uint64_t id, uint64_t time);

/* The text as a JSON string, cut off where `size` bytes are full. */
void ampc_trace_quote(const char *text, char *out, unsigned size);

#endif
