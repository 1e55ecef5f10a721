/* ampc/host.h - AMP-C for the host compiler: what <amp.h> means in emitted C and in plain C files.
 *
 * Needs gcc or clang in a gnu11 (or later) mode. The names and meanings are those of C++ AMP
 * (dialect.md section 2 has the rule); overloads are _Generic macros, or carry the rank in their
 * name. Names with ampc_ or AMPC_ are for emitted code. Link with libampc_runtime. */
#ifndef AMPC_HOST_H
#define AMPC_HOST_H

#include <ampc/cpu.h>
#include <ampc/index.h>
#include <ampc/launch.h>
#include <ampc/own.h>
#include <ampc/runtime.h>
#include <ampc/types.h>
#include <ampc/view.h>

#endif
