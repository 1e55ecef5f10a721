//===- crash.cpp - internal compiler errors -------------------------------===//
#include "driver/crash.h"
#include "driver/message.h"
#include "driver/pipeline.h"
#include "driver/process.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <csignal>
#include <cstring>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>

using namespace llvm;
using namespace ampc;
using namespace ampc::driver;

static std::vector<std::string> CommandLine;

void ampc::driver::rememberCommandLine(ArrayRef<const char *> Argv) {
  CommandLine.assign(Argv.begin(), Argv.end());
}

/// A copy of the input, with the command line in a comment on top. Gives its
/// path, or nothing: there may be no room for it.
static std::string saveReproducer(StringRef Input) {
  auto Source = MemoryBuffer::getFile(Input);
  SmallString<128> Path;
  int Fd;
  if (!Source || sys::fs::createTemporaryFile("ampcc-crash", "ampc", Fd, Path))
    return "";
  raw_fd_ostream OS(Fd, /*shouldClose=*/true);
  OS << "// " << quoted(CommandLine) << '\n' << (*Source)->getBuffer();
  OS.close();
  if (!OS.has_error())
    return Path.str().str();
  OS.clear_error();
  sys::fs::remove(Path);
  return "";
}

static bool isCrash(int Signal) {
  return Signal == SIGSEGV || Signal == SIGBUS || Signal == SIGILL ||
         Signal == SIGFPE || Signal == SIGABRT || Signal == SIGTRAP ||
         Signal == SIGSYS;
}

/// "It happened in kernel 'scale.0', at scale.ampc:12:5"; or nothing.
static std::string placeOf(const kir::Progress &At) {
  std::string Text;
  if (At.Inside[0])
    Text += std::string(" in ") + At.Inside;
  if (At.Line)
    Text += (Text.empty() ? " at " : ", at ") + std::string(At.File) + ":" +
            std::to_string(At.Line) + ":" + std::to_string(At.Column);
  return Text;
}

static int report(StringRef Input, const PhaseMark &Phase, StringRef How) {
  std::string Saved = saveReproducer(Input);
  // The first line is the same in every run: a tool that shrinks the program
  // can look for it.
  error("internal compiler error in " + Twine(Phase.Name) + " on '" + Input + "'" + How +
        ". This is a fault of ampcc, not of your program.");
  if (std::string Place = placeOf(Phase.At); !Place.empty())
    note("it happened" + Place);
  if (Saved.empty())
    return InternalErrorCode;
  note("Please report it with the file '" + Saved +
       "', which holds the source and the command line.");
  std::vector<std::string> Again = CommandLine;
  for (std::string &Arg : Again)
    if (Arg == Input)
      Arg = Saved;
  note("to see it again: " + quoted(Again));
  return InternalErrorCode;
}

namespace {
struct StackedWork {
  function_ref<int(PhaseMark &)> Work;
  PhaseMark &Phase;
  int Code = 1;
};
} // namespace

/// The syntax tree of a program that another program wrote can be very deep (a
/// sum of 20,000 terms, say), and every phase walks it by recursion. The pages
/// of a large stack cost nothing until they are used.
static int runOnLargeStack(function_ref<int(PhaseMark &)> Work,
                           PhaseMark &Phase) {
  StackedWork W{Work, Phase};
  auto Start = [](void *Argument) -> void * {
    auto *W = static_cast<StackedWork *>(Argument);
    W->Code = W->Work(W->Phase);
    return nullptr;
  };
  pthread_attr_t Attributes;
  pthread_attr_init(&Attributes);
  pthread_t Thread;
  for (size_t MiB : {1024, 256, 64}) { // a limit of the system may be lower
    pthread_attr_setstacksize(&Attributes, MiB << 20);
    if (pthread_create(&Thread, &Attributes, Start, &W) == 0) {
      pthread_join(Thread, nullptr);
      return W.Code;
    }
  }
  return Work(Phase);
}

int ampc::driver::runWatched(StringRef Input,
                             function_ref<int(PhaseMark &)> Work) {
  void *Shared = mmap(nullptr, sizeof(PhaseMark), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (Shared == MAP_FAILED) {
    error("out of memory");
    return 1;
  }
  PhaseMark &Phase = *new (Shared) PhaseMark;

  Ending E = runGuarded([&] {
    // A crash is reported by the parent; a core file would only be litter.
    struct rlimit NoCore = {0, 0};
    setrlimit(RLIMIT_CORE, &NoCore);
    kir::progress = &Phase.At;
    return runOnLargeStack(Work, Phase);
  });

  const PhaseMark Where = Phase;
  munmap(Shared, sizeof(PhaseMark));
  if (E.Signal == SIGKILL) {
    error("compiling '" + Input + "' was killed (out of memory?)");
    return 1;
  }
  if (E.Signal && !isCrash(E.Signal)) {
    raise(E.Signal); // a reader that has gone away, say: ends us, too
    return 1;
  }
  if (E.Signal)
    return report(Input, Where,
                  (" (" + Twine(strsignal(E.Signal)) + ")").str());
  if (E.Code == InternalErrorCode)
    return report(Input, Where, "");
  return E.Code;
}
