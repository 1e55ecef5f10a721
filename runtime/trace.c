/* trace.c - see trace.h. */
#include "trace.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { LONGEST_EVENT = 2048 };

/* Not stdio: a child's exit would write its copy of what is not written yet. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int file = -1;
static pid_t process; /* that the file belongs to */
static char pending[32 * LONGEST_EVENT];
static size_t pending_size;
static bool first = true;

/* With the mutex. What cannot be written ends the file. */
static void write_pending(void)
{
    for (size_t done = 0; file >= 0 && done < pending_size;) {
        ssize_t put = write(file, pending + done, pending_size - done);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0) {
            fprintf(stderr, "ampc: warning: AMPC_TRACE: the file is not complete: %s\n",
                    strerror(errno));
            close(file);
            file = -1;
        }
        done += put > 0 ? (size_t)put : 0;
    }
    pending_size = 0;
}

bool ampc_trace_open(const char *path)
{
    file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0) {
        fprintf(stderr, "ampc: warning: AMPC_TRACE=%s cannot be written: %s\n", path,
                strerror(errno));
        return false;
    }
    process = getpid();
    return true;
}

/* One event, written by `format`. */
static void put(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void put(const char *format, ...)
{
    va_list arguments;
    if (process != getpid())
        return;
    pthread_mutex_lock(&mutex);
    if (sizeof pending - pending_size < LONGEST_EVENT)
        write_pending();
    char *at = pending + pending_size;
    int start = snprintf(at, LONGEST_EVENT, "%s", first ? "[\n" : ",\n");
    va_start(arguments, format);
    int length = vsnprintf(at + start, LONGEST_EVENT - start, format, arguments);
    va_end(arguments);
    if (file >= 0 && length > 0 && length < LONGEST_EVENT - start) {
        pending_size += (size_t)(start + length);
        first = false;
    }
    pthread_mutex_unlock(&mutex);
}

void ampc_trace_close(void)
{
    if (process != getpid())
        return;
    pthread_mutex_lock(&mutex);
    if (sizeof pending - pending_size < 8)
        write_pending();
    pending_size += (size_t)sprintf(pending + pending_size, first ? "[]\n" : "\n]\n");
    write_pending();
    if (file >= 0)
        close(file);
    file = -1;
    pthread_mutex_unlock(&mutex);
}

void ampc_trace_quote(const char *text, char *out, unsigned size)
{
    unsigned at = 0;
    out[at++] = '"';
    for (const unsigned char *p = (const unsigned char *)text; *p && at + 8 < size; ++p) {
        if (*p == '"' || *p == '\\')
            out[at++] = '\\';
        if (*p < ' ')
            at += (unsigned)sprintf(out + at, "\\u%04x", *p);
        else
            out[at++] = (char)*p;
    }
    out[at++] = '"';
    out[at] = 0;
}

/* Process numbers begin with 1, as viewers expect. */
static unsigned number(unsigned of_process) { return of_process + 1; }

void ampc_trace_name_process(unsigned of_process, const char *name)
{
    char quoted[512];
    ampc_trace_quote(name, quoted, sizeof quoted);
    put("{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":%u,\"args\":{\"name\":%s}}",
        number(of_process), quoted);
}

void ampc_trace_name_track(struct ampc_track track, const char *name)
{
    char quoted[512];
    ampc_trace_quote(name, quoted, sizeof quoted);
    put("{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":%u,\"tid\":%u,\"args\":{\"name\":%s}}",
        number(track.process), track.thread, quoted);
}

void ampc_trace_span(struct ampc_track track, const char *category, const char *name,
                     uint64_t begin, uint64_t end, const char *format, ...)
{
    char quoted[512], arguments[1024];
    va_list list;
    ampc_trace_quote(name, quoted, sizeof quoted);
    va_start(list, format);
    vsnprintf(arguments, sizeof arguments, format, list);
    va_end(list);
    uint64_t took = end > begin ? end - begin : 0;
    put("{\"ph\":\"X\",\"cat\":\"%s\",\"name\":%s,\"pid\":%u,\"tid\":%u,\"ts\":%llu.%03u,"
        "\"dur\":%llu.%03u,\"args\":{%s}}",
        category, quoted, number(track.process), track.thread, (unsigned long long)begin / 1000,
        (unsigned)(begin % 1000), (unsigned long long)took / 1000, (unsigned)(took % 1000),
        arguments);
}

void ampc_trace_arrow(struct ampc_track track, bool begins, uint64_t id, uint64_t time)
{
    put("{\"ph\":\"%s\",\"cat\":\"launch\",\"name\":\"launch\",\"id\":%llu,\"pid\":%u,\"tid\":%u,"
        "\"ts\":%llu.%03u}",
        begins ? "s" : "f\",\"bp\":\"e", (unsigned long long)id, number(track.process),
        track.thread, (unsigned long long)time / 1000, (unsigned)(time % 1000));
}
