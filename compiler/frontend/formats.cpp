// formats.cpp - the formats of amp_printf and amp_errorf.
#include "frontend/formats.h"
#include "clang/AST/FormatString.h"
#include "clang/Basic/TargetInfo.h"

using namespace clang;

namespace ampc {

static const StringLiteral *literalOf(const CallExpr *Call) {
  if (!Call->getNumArgs())
    return nullptr;
  const auto *S =
      dyn_cast<StringLiteral>(Call->getArg(0)->IgnoreParenImpCasts());
  return S && S->getCharByteWidth() == 1 ? S : nullptr;
}

std::optional<std::string> formatOf(const CallExpr *Call) {
  const StringLiteral *S = literalOf(Call);
  if (!S)
    return std::nullopt;
  // printf would stop at a zero, too.
  return S->getString().split('\0').first.str();
}

const Expr *unpromoted(const Expr *Argument) {
  const auto *Cast = dyn_cast<ImplicitCastExpr>(Argument);
  return Cast && Cast->getCastKind() == CK_FloatingCast ? Cast->getSubExpr()
                                                        : Argument;
}

namespace {

using analyze_format_string::ConversionSpecifier;
using analyze_format_string::LengthModifier;
using analyze_format_string::OptionalAmount;
using analyze_printf::PrintfSpecifier;

class Comparison : public analyze_format_string::FormatStringHandler {
public:
  Comparison(const CallExpr *Call, const StringLiteral *Format,
             const ASTContext &C,
             llvm::function_ref<void(const FormatProblem &)> Report)
      : Call(Call), Format(Format), C(C), Report(Report) {}

  bool HandlePrintfSpecifier(const PrintfSpecifier &S, const char *Begin,
                             unsigned Length, const TargetInfo &) override {
    std::string Spelling(Begin, Length);
    const ConversionSpecifier &CS = S.getConversionSpecifier();
    if (CS.getKind() == ConversionSpecifier::PercentArg)
      return true;
    if (S.usesPositionalArg() || Spelling.size() > MostSpelling)
      return refused(FormatProblem::Kind::Conversion, Spelling);
    for (const OptionalAmount &Amount :
         {S.getFieldWidth(), S.getPrecision()})
      if (Amount.getHowSpecified() == OptionalAmount::Arg &&
          !take(Spelling, Integer, 32))
        return false;
    std::optional<unsigned> IntegerWidth, FloatWidth;
    switch (S.getLengthModifier().getKind()) {
    case LengthModifier::None:
      IntegerWidth = 32;
      FloatWidth = 64;
      break;
    case LengthModifier::AsChar:
    case LengthModifier::AsShort:
      IntegerWidth = 32;
      break;
    case LengthModifier::AsLong:
      FloatWidth = 64;
      [[fallthrough]];
    case LengthModifier::AsLongLong:
    case LengthModifier::AsIntMax:
    case LengthModifier::AsSizeT:
    case LengthModifier::AsPtrDiff:
      IntegerWidth = 64;
      break;
    default:
      break;
    }
    bool IsChar = CS.getKind() == ConversionSpecifier::cArg;
    if (IsChar && IntegerWidth == 32)
      return take(Spelling, Integer, 32);
    if (!IsChar && (CS.isIntArg() || CS.isUIntArg()) && IntegerWidth)
      return take(Spelling, Integer, *IntegerWidth);
    if (CS.isDoubleArg() && FloatWidth)
      return take(Spelling, Floating, *FloatWidth);
    return refused(FormatProblem::Kind::Conversion, Spelling);
  }

  bool HandleInvalidPrintfConversionSpecifier(const PrintfSpecifier &,
                                              const char *Begin,
                                              unsigned Length) override {
    return refused(FormatProblem::Kind::Conversion,
                   std::string(Begin, Length));
  }
  void HandleIncompleteSpecifier(const char *Begin, unsigned Length) override {
    refused(FormatProblem::Kind::Conversion, std::string(Begin, Length));
  }
  void HandleZeroPosition(const char *Begin, unsigned Length) override {
    refused(FormatProblem::Kind::Conversion, std::string(Begin, Length));
  }
  void HandleInvalidPosition(const char *Begin, unsigned Length,
                             analyze_format_string::PositionContext) override {
    refused(FormatProblem::Kind::Conversion, std::string(Begin, Length));
  }

  void finish() {
    if (Refused)
      return;
    if (Next < Call->getNumArgs())
      Report({FormatProblem::Kind::TooMany, Call->getArg(Next)->getBeginLoc(),
              "", "", {}});
    else if (Next - 1 > MostFormatArguments)
      Report({FormatProblem::Kind::Length,
              Call->getArg(MostFormatArguments + 1)->getBeginLoc(), "", "", {}});
  }

private:
  /// What a host formats a conversion in must hold it.
  static constexpr size_t MostSpelling = 60;
  enum Class { Integer, Floating };

  bool refused(FormatProblem::Kind K, std::string Spelling) {
    Refused = true;
    // Of a string, rule F5 says enough.
    if (Next < Call->getNumArgs() &&
        isa<StringLiteral>(Call->getArg(Next)->IgnoreParenImpCasts()))
      return false;
    Report({K, Format->getBeginLoc(), std::move(Spelling), "", {}});
    return false;
  }

  bool take(const std::string &Spelling, Class Wanted, unsigned Width) {
    if (Next >= Call->getNumArgs())
      return refused(FormatProblem::Kind::TooFew, Spelling);
    const Expr *Argument = unpromoted(Call->getArg(Next++));
    QualType Type = Argument->getType();
    bool Fits = Wanted == Integer
                    ? Type->isIntegralOrEnumerationType() &&
                          std::max<uint64_t>(C.getTypeSize(Type), 32) == Width
                    : Type->isRealFloatingType();
    if (Fits)
      return true;
    Refused = true;
    Report({FormatProblem::Kind::Argument, Argument->getBeginLoc(), Spelling,
            Wanted == Floating ? "a 'float' or 'double'"
            : Width == 32      ? "an 'int' or 'unsigned'"
                               : "a 64-bit integer",
            Argument->IgnoreParenImpCasts()->getType()});
    return false;
  }

  const CallExpr *Call;
  const StringLiteral *Format;
  const ASTContext &C;
  llvm::function_ref<void(const FormatProblem &)> Report;
  unsigned Next = 1;
  bool Refused = false;
};

} // namespace

void checkFormat(const CallExpr *Call, const ASTContext &C,
                 llvm::function_ref<void(const FormatProblem &)> Report) {
  std::optional<std::string> Text = formatOf(Call);
  if (!Text) {
    SourceLocation At = Call->getNumArgs() ? Call->getArg(0)->getBeginLoc()
                                           : Call->getBeginLoc();
    return Report({FormatProblem::Kind::NotLiteral, At, "", "", {}});
  }
  Comparison Compare(Call, literalOf(Call), C, Report);
  analyze_format_string::ParsePrintfString(
      Compare, Text->data(), Text->data() + Text->size(), C.getLangOpts(),
      C.getTargetInfo(), /*isFreeBSDKPrintf=*/false);
  Compare.finish();
}

} // namespace ampc
