//===- temporaries.cpp - files that must not outlive the run --------------===//
#include "driver/temporaries.h"
#include "driver/message.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;
using namespace ampc::driver;

//===----------------------------------------------------------------------===//
// The registry. A signal handler reads it, so it is a plain array of pointers.
//===----------------------------------------------------------------------===//

static std::atomic<char *> Registered[1024];
static std::atomic<int> RunningChild;

static const int EndingSignals[] = {SIGINT,  SIGTERM, SIGHUP, SIGQUIT,
                                    SIGPIPE, SIGXCPU, SIGXFSZ};

static void removePath(const char *Path) {
  if (unlink(Path) != 0 && (errno == EISDIR || errno == EPERM))
    rmdir(Path);
}

/// Only calls that POSIX allows in a signal handler.
static void endBySignal(int Signal) {
  if (int Child = RunningChild.load()) {
    kill(Child, Signal);
    while (waitpid(Child, nullptr, 0) < 0 && errno == EINTR)
      ;
  }
  for (size_t I = std::size(Registered); I-- > 0;)
    if (char *Path = Registered[I].load())
      removePath(Path);
  signal(Signal, SIG_DFL);
  raise(Signal);
}

void ampc::driver::installSignalHandlers() {
  struct sigaction Action;
  memset(&Action, 0, sizeof Action);
  Action.sa_handler = endBySignal;
  sigemptyset(&Action.sa_mask);
  for (int S : EndingSignals)
    sigaddset(&Action.sa_mask, S);
  for (int S : EndingSignals) {
    struct sigaction Old;
    // One that is ignored, as SIGHUP under nohup, stays so.
    if (sigaction(S, nullptr, &Old) == 0 && Old.sa_handler != SIG_IGN)
      sigaction(S, &Action, nullptr);
  }
}

void ampc::driver::forgetTemporaries() {
  for (auto &R : Registered)
    R = nullptr;
  RunningChild = 0;
}

void ampc::driver::setRunningChild(int Pid) { RunningChild = Pid; }

Temporary::Temporary(std::string P) : Path(std::move(P)) {
  char *Copy = strdup(Path.c_str());
  for (size_t I = 0; I != std::size(Registered); ++I) {
    char *Free = nullptr;
    if (Registered[I].compare_exchange_strong(Free, Copy)) {
      Slot = I;
      return;
    }
  }
  free(Copy);
}

Temporary &Temporary::operator=(Temporary &&Other) noexcept {
  std::swap(Path, Other.Path);
  std::swap(Slot, Other.Slot);
  return *this;
}

void Temporary::remove() {
  if (!Path.empty())
    removePath(Path.c_str());
  release();
}

void Temporary::release() {
  if (Slot >= 0)
    free(Registered[Slot].exchange(nullptr));
  Slot = -1;
  Path.clear();
}

PrivateFile::PrivateFile(StringRef Name) {
  SmallString<128> Model;
  sys::path::system_temp_directory(/*ErasedOnReboot=*/true, Model);
  sys::path::append(Model, "ampcc-XXXXXX");
  if (!mkdtemp(const_cast<char *>(Model.c_str()))) {
    error("cannot make a temporary folder '" + Model + "': " + sys::StrError());
    return;
  }
  Folder = Temporary(Model.str().str());
  sys::path::append(Model, Name);
  File = Temporary(Model.str().str());
}

//===----------------------------------------------------------------------===//
// Outputs
//===----------------------------------------------------------------------===//

/// Path with its symbolic links followed, so that renaming onto it keeps them.
static std::string followLinks(StringRef Path) {
  SmallString<128> Real;
  if (!sys::fs::is_symlink_file(Path) || sys::fs::real_path(Path, Real))
    return Path.str();
  return Real.str().str();
}

static std::string folderOf(StringRef Path) {
  StringRef Folder = sys::path::parent_path(Path);
  return Folder.empty() ? "." : Folder.str();
}

/// Can a new file take the place of Path? Otherwise it is written in place.
static bool isReplaceable(StringRef Path) {
  if (Path == "-")
    return false;
  return !sys::fs::exists(Path) || (sys::fs::is_regular_file(Path) &&
                                    access(folderOf(Path).c_str(), W_OK) == 0);
}

static std::string stageBeside(StringRef Path) {
  SmallString<128> Model(folderOf(Path)), Name;
  sys::path::append(Model, ".ampcc-%%%%%%%%.tmp");
  sys::fs::getPotentiallyUniqueFileName(Model, Name);
  return Name.str().str();
}

static bool cannotWrite(StringRef Path, StringRef Why) {
  return error("cannot write '" + Path + "': " + Why);
}

/// Writes everything to an open file and closes it; 0 or errno.
static int writeAndClose(int Fd, StringRef Text) {
  int Failure = 0;
  while (!Text.empty() && !Failure) {
    ssize_t N = write(Fd, Text.data(), Text.size());
    if (N >= 0)
      Text = Text.drop_front(N);
    else if (errno != EINTR)
      Failure = errno;
  }
  if (Fd != STDOUT_FILENO && close(Fd) != 0 && !Failure)
    Failure = errno;
  return Failure;
}

/// Writes Text into the existing file, device or standard output at Path.
static bool writeInPlace(StringRef Path, StringRef Text) {
  int Fd = Path == "-"
               ? STDOUT_FILENO
               : open(Path.str().c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC);
  int Failure = Fd < 0 ? errno : writeAndClose(Fd, Text);
  return !Failure || cannotWrite(Path == "-" ? "standard output" : Path,
                                 sys::StrError(Failure));
}

bool ampc::driver::writeOutput(StringRef Given, StringRef Text) {
  std::string Path = followLinks(Given);
  if (!isReplaceable(Path))
    return sys::fs::is_directory(Path) ? cannotWrite(Path, "it is a directory")
                                       : writeInPlace(Path, Text);
  Temporary Stage(stageBeside(Path));
  int Fd =
      open(Stage.path().c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  int Failure = Fd < 0 ? errno : writeAndClose(Fd, Text);
  if (!Failure && rename(Stage.path().c_str(), Path.c_str()) != 0)
    Failure = errno;
  if (Failure)
    return cannotWrite(Path, sys::StrError(Failure));
  Stage.release();
  return true;
}

StagedOutput::StagedOutput(StringRef Given)
    : Path(followLinks(Given)), Copied(!isReplaceable(Path)) {
  SmallString<128> Model, Name;
  if (Copied) {
    sys::path::system_temp_directory(/*ErasedOnReboot=*/true, Model);
    sys::path::append(Model, "ampcc-%%%%%%%%.tmp");
    sys::fs::getPotentiallyUniqueFileName(Model, Name);
    Stage = Temporary(Name.str().str());
  } else {
    Stage = Temporary(stageBeside(Path));
  }
}

bool StagedOutput::check() const {
  if (Path == "-")
    return true;
  if (sys::fs::is_directory(Path))
    return cannotWrite(Path, "it is a directory");
  std::string Needed = Copied ? Path : folderOf(Path);
  return access(Needed.c_str(), W_OK) == 0 ||
         cannotWrite(Path, sys::StrError());
}

bool StagedOutput::commit() {
  if (!Copied) {
    if (rename(stage().c_str(), Path.c_str()) != 0)
      return cannotWrite(Path, sys::StrError());
    Stage.release();
    return true;
  }
  auto Content = MemoryBuffer::getFile(stage());
  if (!Content)
    return cannotWrite(Path, Content.getError().message());
  return writeInPlace(Path, (*Content)->getBuffer());
}

void StagedOutput::discard() {
  if (!Copied)
    unlink(Path.c_str());
}
