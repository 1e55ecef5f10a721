/* domain.h - checks a compute domain and cuts it into work groups. Pure functions of kernel, domain
 * and limits. */
#ifndef AMPC_DOMAIN_H
#define AMPC_DOMAIN_H

#include "backend.h"

/* Is this a domain that the kernel may be launched over (restrictions.md C3, L5)? */
bool ampc_domain_check(const struct ampc_kernel *kernel, const struct ampc_domain *domain,
                       struct ampc_status *status);
/* Can a device with these limits run the kernel (T8)? */
bool ampc_kernel_check(const struct ampc_kernel *kernel, const struct ampc_device *device,
                       struct ampc_status *status);
/* Sets plan->group_size and plan->groups: x * y * z groups, at least as many as needed. */
void ampc_plan_groups(const struct ampc_kernel *kernel, const struct ampc_domain *domain,
                      const struct ampc_device *device, struct ampc_plan *plan);

#endif
