//===- process.cpp - running other programs, and ourselves safely ---------===//
#include "driver/process.h"
#include "driver/message.h"
#include "driver/temporaries.h"
#include "llvm/Support/Errno.h"
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace llvm;
using namespace ampc::driver;

/// Forks with signals held back until the child is known to the handler: a
/// signal in between would leave an orphan. Gives 0 in the child.
static int forkRegistered() {
  outs().flush();
  errs().flush();
  sigset_t All, Before;
  sigfillset(&All);
  sigprocmask(SIG_SETMASK, &All, &Before);
  int Pid = fork();
  if (Pid == 0)
    forgetTemporaries();
  else if (Pid > 0)
    setRunningChild(Pid);
  sigprocmask(SIG_SETMASK, &Before, nullptr);
  return Pid;
}

static Ending waitFor(int Pid) {
  int Status = 0;
  while (waitpid(Pid, &Status, 0) < 0 && errno == EINTR)
    ;
  setRunningChild(0);
  Ending E;
  if (WIFSIGNALED(Status))
    E.Signal = WTERMSIG(Status);
  else
    E.Code = WEXITSTATUS(Status);
  return E;
}

Ending ampc::driver::runGuarded(function_ref<int()> Work) {
  int Pid = forkRegistered();
  if (Pid < 0) {
    error("cannot start a process: " + sys::StrError());
    return {0, 1};
  }
  if (Pid > 0)
    return waitFor(Pid);
  int Code = Work();
  outs().flush();
  errs().flush();
  _exit(Code);
}

/// Replaces this (child) process; comes back never.
[[noreturn]] static void become(ArrayRef<std::string> Command) {
  std::vector<char *> Argv;
  for (const std::string &S : Command)
    Argv.push_back(const_cast<char *>(S.c_str()));
  Argv.push_back(nullptr);
  // A Clang that fails on a full disk would leave its symbolizer's files, too.
  setenv("LLVM_DISABLE_SYMBOLIZATION", "1", 0);
  execvp(Argv[0], Argv.data());
  error("cannot run '" + Twine(Command[0]) + "': " + sys::StrError());
  errs().flush();
  _exit(127);
}

/// Runs a program; what it writes to Stream, one of the standard streams,
/// goes to Text.
static Ending runReading(ArrayRef<std::string> Command, int Stream,
                         std::string &Text) {
  int Pipe[2];
  if (pipe2(Pipe, O_CLOEXEC) != 0) {
    error("cannot run '" + Command[0] + "': " + sys::StrError());
    return {0, 127};
  }
  int Pid = forkRegistered();
  if (Pid == 0) {
    dup2(Pipe[1], Stream);
    become(Command);
  }
  close(Pipe[1]);
  char Buffer[4096];
  ssize_t N;
  while (Pid > 0 && ((N = read(Pipe[0], Buffer, sizeof Buffer)) > 0 ||
                     (N < 0 && errno == EINTR)))
    if (N > 0)
      Text.append(Buffer, N);
  close(Pipe[0]);
  if (Pid > 0)
    return waitFor(Pid);
  error("cannot run '" + Command[0] + "': " + sys::StrError());
  return {0, 127};
}

Ending ampc::driver::runProgram(ArrayRef<std::string> Command,
                                std::string *Errors) {
  Ending E;
  if (Errors) {
    E = runReading(Command, STDERR_FILENO, *Errors);
  } else {
    int Pid = forkRegistered();
    if (Pid < 0) {
      error("cannot run '" + Command[0] + "': " + sys::StrError());
      return {0, 127};
    }
    if (Pid == 0)
      become(Command);
    E = waitFor(Pid);
  }
  if (E.Signal)
    error("'" + Command[0] + "' was ended by a signal: " + strsignal(E.Signal));
  return E;
}

std::optional<std::string>
ampc::driver::readProgram(ArrayRef<std::string> Command) {
  std::string Text;
  if (!runReading(Command, STDOUT_FILENO, Text).good())
    return std::nullopt;
  return Text;
}

std::string ampc::driver::quoted(ArrayRef<std::string> Command) {
  std::string Line;
  for (const std::string &S : Command) {
    Line += Line.empty() ? "\"" : " \"";
    for (char C : S) {
      if (C == '"' || C == '\\' || C == '$' || C == '`')
        Line += '\\';
      Line += C;
    }
    Line += '"';
  }
  return Line;
}
