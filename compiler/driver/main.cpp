//===- main.cpp - ampcc ---------------------------------------------------===//
#include "check/explain.h"
#include "check/warnings.h"
#include "driver/build.h"
#include "driver/config.h"
#include "driver/crash.h"
#include "driver/message.h"
#include "driver/options.h"
#include "driver/temporaries.h"
#include "driver/toolchain.h"

using namespace llvm;
using namespace ampc::driver;

int main(int Argc, char **Argv) {
  ArrayRef<const char *> Args(Argv, Argc);
  std::optional<Options> O = parseOptions(Args);
  if (!O)
    return 1;
  if (O->Help) {
    printHelp(outs());
    return 0;
  }
  if (O->HelpWarnings) {
    ampc::printWarnings(outs());
    return 0;
  }
  if (!O->Explain.empty()) {
    if (ampc::explain(O->Explain, outs()))
      return 0;
    error("no rule '" + O->Explain + "'; `ampcc --explain all` shows them");
    return 1;
  }
  if (O->DumpVersion) {
    outs() << AMPC_VERSION << '\n';
    return 0;
  }

  installSignalHandlers();
  rememberCommandLine(Args);
  std::optional<Toolchain> Tools = findToolchain(*O, Argv[0]);
  if (!Tools)
    return 1;
  if (O->DumpMachine) {
    outs() << Tools->Target << '\n';
    return 0;
  }
  if (O->Version || O->Verbose || O->DryRun)
    printVersion(*Tools, O->Version ? outs() : errs());
  if (O->Version || O->LinkLine.empty())
    return 0;
  return build(*O, *Tools);
}
