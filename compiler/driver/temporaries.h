//===- temporaries.h - files that must not outlive the run ----------------===//
//
// Every temporary file and folder is registered here and removed when its owner
// goes out of scope or when a signal ends the process. Outputs become visible
// under their own name only when they are complete.
//
//===----------------------------------------------------------------------===//
#ifndef AMPC_DRIVER_TEMPORARIES_H
#define AMPC_DRIVER_TEMPORARIES_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace ampc::driver {

/// Makes SIGINT, SIGTERM and other signals that end a process pass themselves
/// on to the child that runs, and remove the registered files first.
void installSignalHandlers();

/// In a new child process: what the parent registered is the parent's.
void forgetTemporaries();

/// The child process that a signal is passed on to; 0: none.
void setRunningChild(int Pid);

/// Registers one path for its lifetime.
class Temporary {
public:
  Temporary() = default;
  explicit Temporary(std::string Path);
  Temporary(Temporary &&Other) noexcept { *this = std::move(Other); }
  Temporary &operator=(Temporary &&Other) noexcept;
  ~Temporary() { remove(); }
  const std::string &path() const { return Path; }
  void remove();  ///< the file or empty folder, now
  void release(); ///< it has become somebody else's
private:
  std::string Path;
  int Slot = -1;
};

/// A new private folder under TMPDIR with one file in it, so that the file can
/// have the name that people are to see. Both are removed together.
class PrivateFile {
public:
  /// Prints an error and leaves path() empty if it cannot be made.
  explicit PrivateFile(llvm::StringRef Name);
  const std::string &path() const { return File.path(); }
  const std::string &folder() const { return Folder.path(); }

private:
  Temporary Folder, File; // File is destroyed first
};

/// A place where another program writes what shall become Path. The staged
/// file stands beside Path and is renamed at the end; if Path is no plain file
/// ("-", a device, a pipe) its content is copied instead.
class StagedOutput {
public:
  explicit StagedOutput(llvm::StringRef Path);
  /// Can Path be written at all? Prints why not.
  bool check() const;
  const std::string &stage() const { return Stage.path(); }
  /// Prints an error and gives false if it fails; nothing is left then.
  bool commit();
  /// After an error: an older file of that name would be taken for the result.
  void discard();

private:
  std::string Path;
  bool Copied;
  Temporary Stage;
};

/// Writes Text to Path ("-": standard output), whole or not at all. Prints an
/// error and gives false if it fails.
bool writeOutput(llvm::StringRef Path, llvm::StringRef Text);

} // namespace ampc::driver

#endif
