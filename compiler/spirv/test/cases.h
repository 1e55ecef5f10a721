//===- cases.h - the hand-made kernels of kir_spirv_test ------------------===//
#ifndef AMPC_SPIRV_TEST_CASES_H
#define AMPC_SPIRV_TEST_CASES_H

#include "spirv/test/kir_builder.h"

namespace ampc::test {

struct Case {
  const char *Name;
  void (*Build)(Builder &B);
};

/// Tables that end with a null name.
extern const Case ArithmeticCases[], ControlCases[], MemoryCases[], ViewCases[];

} // namespace ampc::test

#endif
