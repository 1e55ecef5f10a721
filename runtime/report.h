/* report.h - the error policy (dialect.md section 7), applied by public functions only. */
#ifndef AMPC_REPORT_H
#define AMPC_REPORT_H

#include "accelerator.h"

/* Records the error where accelerator_view_error finds it, then calls the handler, or prints and
 * aborts. Called without the lock. `view` NULL: the default one, if it was ever used. */
void ampc_report(struct amp_accelerator_view *view, const struct ampc_status *status);

#endif
