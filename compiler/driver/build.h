//===- build.h - from the inputs to the output ----------------------------===//
//
// Compiles every source as Options::Do says and links the result. AMP-C goes
// through the pipeline and then, as C, to the host compiler; everything else
// goes to the host compiler as it is.
//
//===----------------------------------------------------------------------===//
#ifndef AMPC_DRIVER_BUILD_H
#define AMPC_DRIVER_BUILD_H

#include "driver/options.h"
#include "driver/toolchain.h"

namespace ampc::driver {

/// Gives ampcc's exit code; what went wrong is reported.
int build(const Options &O, const Toolchain &Tools);

} // namespace ampc::driver

#endif
