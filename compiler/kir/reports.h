//===- reports.h - what kernels tell the host -----------------------------===//
//
// A kernel that reports gets a buffer of 32-bit words from the launch; the
// constants below and include/ampc/kernel.h (enum ampc_report_word) describe it.
// A text takes a record in it: the report's number, then its arguments, 64-bit
// ones as two words, the lower first. A record that does not fit is counted as
// lost. Of the failures the first to arrive is kept, with the work item's index.
//
//===----------------------------------------------------------------------===//
#ifndef AMPC_KIR_REPORTS_H
#define AMPC_KIR_REPORTS_H

#include "kir/kir.h"

namespace ampc::kir {

/// Words of the buffer.
enum ReportWord : unsigned {
  ReportUsed = 0,     ///< of the records' words, wanted ones included
  ReportLost = 1,     ///< records that did not fit
  ReportFailed = 2,   ///< 1: some work item failed
  ReportCapacity = 3, ///< of the records, in words
  ReportFailure = 4,  ///< record of the failure: number, index, arguments
  ReportRecords = 64,
};
/// The indices that a failure's record holds.
constexpr unsigned ReportRank = 4;
/// A failure's record must fit.
constexpr unsigned MostReportArgs = 24;

/// Numbers the reports in the order in which the module's text has them, which
/// is the order that a reader of the text gives them.
void numberReports(Module &M);
/// One letter per argument: i u int and unsigned, l L the same with 64 bits,
/// f float, d double.
std::string argumentKinds(const Report *R);
/// The words that an argument of a kind takes.
inline unsigned wordsOf(char Kind) {
  return Kind == 'l' || Kind == 'L' || Kind == 'd' ? 2 : 1;
}
/// Whether a body or what it calls reports.
bool reports(const Body &B);

} // namespace ampc::kir

#endif
