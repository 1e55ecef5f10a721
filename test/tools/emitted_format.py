"""A lit test format: what ampcc emits for every .ampc file of some folders is well formed.

Each file is one test, emitted/FOLDER/NAME.ampc, which checks that
- every kernel's SPIR-V passes spirv-val for Vulkan 1.2, and there is a module for every kernel of the host C,
- the host C compiles with gcc and with clang-19 under -std=gnu11 -Wall -Wextra -Werror, optimised and not. A file that
  says on purpose what a compiler warns about names the warning in a line `// EMITTED-FLAGS: -Wno-...`.
"""
import glob
import os
import re
import shutil
import subprocess

import lit.Test
import lit.formats

STRICT = ["-std=gnu11", "-Wall", "-Wextra", "-Werror"]


class EmittedFormat(lit.formats.TestFormat):
    def __init__(self, folders, source_dir, tools):
        self.folders = folders
        self.source_dir = source_dir
        self.tools = tools

    def getTestsInDirectory(self, suite, path_in_suite, lit_config, local_config):
        for folder in self.folders:
            for path in sorted(glob.glob(os.path.join(self.source_dir, folder, "*.ampc"))):
                relative = os.path.relpath(path, self.source_dir)
                yield lit.Test.Test(suite, path_in_suite + tuple(relative.split(os.sep)), local_config, path)

    def execute(self, test, lit_config):
        directory = test.getExecPath() + ".tmp"
        shutil.rmtree(directory, ignore_errors=True)
        os.makedirs(directory)
        for check in (self.check_spirv, self.check_host_c):
            failure = check(test.file_path, directory)
            if failure:
                return lit.Test.FAIL, f"{test.file_path}: {failure}"
        return lit.Test.PASS, ""

    def check_spirv(self, source, directory):
        failure = run([self.tools["ampcc"], "--emit-spirv", source], directory)
        if failure:
            return failure
        for module in modules(directory):
            failure = run(["spirv-val", "--target-env", "vulkan1.2", "--scalar-block-layout", module], directory)
            if failure:
                return failure
        return None

    def check_host_c(self, source, directory):
        emitted = os.path.join(directory, "emitted.c")
        failure = run([self.tools["ampcc"], "--emit-c", source, "-o", emitted], directory)
        if failure:
            return failure
        flags = re.search(r"// EMITTED-FLAGS:(.*)", open(source).read())
        flags = flags.group(1).split() if flags else []
        kernels = len(re.findall(r"^static const struct ampc_kernel ", open(emitted).read(), re.M))
        if kernels != len(modules(directory)):
            return f"{kernels} kernels in the C, but {modules(directory)}"
        paths = ["-iquote", os.path.dirname(source), "-I", self.tools["include"]]
        for compiler in filter(None, (self.tools["gcc"], self.tools["clang"])):
            for level in ("-O0", "-O2"):
                command = [compiler, *STRICT, *flags, level, *paths, "-c", emitted, "-o", os.devnull]
                failure = run(command, directory)
                if failure:
                    return failure
        return None


def modules(directory):
    return sorted(glob.glob(os.path.join(directory, "*.spv")))


def run(command, directory):
    """None, or the command with what it printed."""
    done = subprocess.run(command, cwd=directory, capture_output=True, text=True, errors="replace")
    if done.returncode == 0:
        return None
    return f"exit {done.returncode} of {' '.join(command)}\n{done.stdout}{done.stderr}"
