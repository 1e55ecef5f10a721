# lit configuration of the AMP-C tests.
#
# Features:      vulkan      a Vulkan device is present (%run uses it beside the CPU)
#                validation  the Khronos validation layer is installed (%run uses it)
#                double      the device that %run uses has shaderFloat64
#                gcc, clang  host compilers beside the default one
#                gdb, sanitizers   the debugger; clang's -fsanitize= (compiler-rt)
# Substitutions: %ampcc %run %FileCheck %not %split-file %cc (clang-19) %gcc %spirv-val %glslang
#                %include (amp.h's directory) %samples %tools, and lit's own %s %S %t.
# `--param ampcc=PATH` tests another ampcc, an installed one say.
import os
import shlex
import shutil
import sys

import lit.formats
import lit.util

source_dir = config.ampc_source_dir
build_dir = config.ampc_build_dir
tools_dir = os.path.join(source_dir, "test", "tools")
sys.path.insert(0, tools_dir)
import vulkan_probe

config.name = "AMP-C"
config.test_format = lit.formats.ShTest(execute_external=True)
config.test_source_root = os.path.join(source_dir, "test")
config.suffixes = [".ampc", ".test"]
config.excludes = ["Inputs", "bench", "tools"]

# A hanging program must not hang the suite: %run has a limit of its own, lit's covers the rest (it needs psutil).
if lit.util.killProcessAndChildrenIsSupported()[0]:
    lit_config.maxIndividualTestTime = 300

config.environment.update(
    {name: os.environ[name] for name in ("VK_ICD_FILENAMES", "VK_DRIVER_FILES", "AMPC_ACCELERATOR") if name in os.environ}
)
# Pipelines cached by an earlier run must not hide what a fresh one does.
config.environment["XDG_CACHE_HOME"] = os.path.join(config.test_exec_root, "cache")
config.environment["AMPC_WARNINGS"] = "off"  # that a device chosen by name is software
config.environment["LC_ALL"] = "C.UTF-8"


def tool(name):
    """LLVM's test tools live outside PATH under their plain names."""
    path = os.path.join(config.llvm_tools_dir, name)
    if not os.path.exists(path):
        lit_config.fatal(f"{path} not found (package llvm-19-tools)")
    return path


ampcc = lit_config.params.get("ampcc", os.path.join(build_dir, "bin", "ampcc"))
clang = shutil.which("clang-19")
gcc = shutil.which("gcc")
include_dir = os.path.join(source_dir, "include")
runner = f"{shlex.quote(sys.executable)} {os.path.join(tools_dir, 'run_validated.py')}"

config.ampc = {"ampcc": ampcc, "clang": clang, "gcc": gcc, "include": include_dir}

# Word boundaries keep %s out of %samples and %cc out of %ccflags.
for name, value in [
    ("ampcc", ampcc),
    ("run", runner),
    ("FileCheck", tool("FileCheck")),
    ("not", tool("not")),
    ("split-file", tool("split-file")),
    ("cc", clang or "clang-19"),
    ("gcc", gcc or "gcc"),
    ("spirv-val", shutil.which("spirv-val") or "spirv-val"),
    ("glslang", shutil.which("glslangValidator") or "glslangValidator"),
    ("include", include_dir),
    ("samples", os.path.join(source_dir, "samples")),
    ("tools", tools_dir),
]:
    config.substitutions.append((rf"%{name}\b", value))

if clang:
    config.available_features.add("clang")
    config.available_features.add("sanitizers")
gdb = shutil.which("gdb")
if gdb:
    config.available_features.add("gdb")
    config.substitutions.append((r"%gdb\b", gdb))
if gcc:
    config.available_features.add("gcc")
vulkan = vulkan_probe.probe()
if vulkan.devices:
    config.available_features.add("vulkan")
if vulkan.has_validation_layer:
    config.available_features.add("validation")
if vulkan.devices and all(device.has_double for device in vulkan.devices):
    config.available_features.add("double")
