//===- version.h - versions of C++ AMP's types ----------------------------===//
#ifndef AMPC_FRONTEND_VERSION_H
#define AMPC_FRONTEND_VERSION_H

#include "llvm/ADT/StringSwitch.h"
#include <optional>

namespace ampc {

enum class Version { V1_0, V1_1, V1_2 }; ///< extensions.h says what each has

inline std::optional<Version> versionOf(llvm::StringRef Text) {
  return llvm::StringSwitch<std::optional<Version>>(Text)
      .Case("1.0", Version::V1_0)
      .Case("1.1", Version::V1_1)
      .Case("1.2", Version::V1_2)
      .Default(std::nullopt);
}

inline const char *versionText(Version V) {
  return V == Version::V1_0 ? "1.0" : V == Version::V1_1 ? "1.1" : "1.2";
}

} // namespace ampc

#endif
