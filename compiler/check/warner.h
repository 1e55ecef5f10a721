//===- warner.h - how the warnings are given ------------------------------===//
#ifndef AMPC_CHECK_WARNER_H
#define AMPC_CHECK_WARNER_H

#include "check/rules.h"

namespace ampc::rules {

enum class Warning {
#define AMPC_WARNING(KEY, NAME, DEFAULT, TEXT) KEY,
#include "check/warnings.def"
};

/// Collects warnings and reports those that are switched on. Clang's table of
/// flags is closed, so the flags -Wamp-... and the pragmas that name them are
/// looked at here.
class Warner {
public:
  explicit Warner(Checker &C) : C(C) {}

  /// Whether W may be on in some place.
  bool isOn(Warning W) const;
  void warn(Warning W, clang::SourceLocation Loc, std::string Text,
            const clang::NamedDecl *Declared = nullptr,
            clang::FixItHint Fix = {}) {
    Items.push_back({W, Loc, std::move(Text), Declared, std::move(Fix)});
  }
  /// Reports them in the order of the source. True when none is an error.
  bool finish();

  Checker &C;

private:
  struct State {
    bool On, IsError;
  };
  struct Item {
    Warning W;
    clang::SourceLocation Loc;
    std::string Text;
    const clang::NamedDecl *Declared;
    clang::FixItHint Fix;
  };
  State stateOf(Warning W, clang::SourceLocation At = {}) const;
  bool report(const Item &I);

  std::vector<Item> Items;
};

/// The variable that E names, or null.
const clang::VarDecl *namedVariable(const clang::Expr *E);

void warnViews(Warner &W);      // views on the host: warnings_views.cpp
void warnTileStatic(Warner &W); // warnings_tile_static.cpp
void warnArithmetic(Warner &W); // warnings_arithmetic.cpp

} // namespace ampc::rules

#endif
