#!/usr/bin/env python3
"""run_validated.py PROGRAM [ARGUMENT...]: runs a program on the CPU accelerator and on Vulkan.

The two must print the same on standard output and end in the same way, else the exit status is 98. Where AMPC_ACCELERATOR
is set, the program runs once, there. On Vulkan the Khronos validation layer watches; the exit status is 99 when it had
anything to say, which then stands on standard error. The layer logs to a file of its own, so what a driver prints on
standard error does not count. Without the layer the program runs plainly (the lit feature `validation` tells the two
apart). Otherwise the exit status is the program's, and what it prints is what it printed on Vulkan.
"""
import os
import subprocess
import sys
import tempfile

import vulkan_probe

TIME_LIMIT = 110  # seconds; below lit's, so that a hanging program is named
MESSAGES_FOUND = 99
DIFFERS = 98

SETTINGS = """\
khronos_validation.enables = VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT
khronos_validation.report_flags = error,warn
khronos_validation.debug_action = VK_DBG_LAYER_ACTION_LOG_MSG
khronos_validation.log_filename = {log}
khronos_validation.enable_message_limit = true
khronos_validation.duplicate_message_limit = 3
"""


def run(command, environment, **options):
    try:
        # Here somebody picks a software device by name: no news.
        return subprocess.run(command, env=environment | {"AMPC_WARNINGS": "off"}, timeout=TIME_LIMIT, **options)
    except subprocess.TimeoutExpired:
        sys.exit(f"{command[0]}: still running after {TIME_LIMIT} s on {environment['AMPC_ACCELERATOR']}")


def run_on_vulkan(command, environment, **options):
    """The finished process, and what the layer says."""
    with tempfile.TemporaryDirectory(prefix="ampc-run-") as directory:
        log = os.path.join(directory, "messages")
        if vulkan_probe.probe().has_validation_layer:
            with open(os.path.join(directory, "vk_layer_settings.txt"), "w") as file:
                file.write(SETTINGS.format(log=log))
            environment = environment | {
                "VK_INSTANCE_LAYERS": vulkan_probe.VALIDATION_LAYER.decode(),
                "VK_LAYER_SETTINGS_PATH": directory,
            }
        done = run(command, environment, **options)
        messages = open(log, errors="replace").read().strip() if os.path.exists(log) else ""
    if messages:
        print(f"{command[0]}: the validation layer reports:\n{messages}", file=sys.stderr)
    return done, messages


def leave(status):
    """A signal (an abort, say) is passed on as a shell would: 128 + its number."""
    sys.exit(status if status >= 0 else 128 - status)


def main(command):
    environment = dict(os.environ)
    if environment.get("AMPC_ACCELERATOR") == "cpu" or not vulkan_probe.probe().devices:
        leave(run(command, {"AMPC_ACCELERATOR": "cpu"} | environment).returncode)
    if "AMPC_ACCELERATOR" in environment:
        done, messages = run_on_vulkan(command, environment)
        leave(MESSAGES_FOUND if messages else done.returncode)
    done, messages = run_on_vulkan(command, environment | {"AMPC_ACCELERATOR": "vulkan"}, stdout=subprocess.PIPE)
    sys.stdout.buffer.write(done.stdout)
    sys.stdout.flush()
    if messages:
        sys.exit(MESSAGES_FOUND)
    cpu = run(command, environment | {"AMPC_ACCELERATOR": "cpu"}, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if (cpu.returncode, cpu.stdout) != (done.returncode, done.stdout):
        print(f"{command[0]}: differs on the CPU accelerator: exit status {cpu.returncode}, not {done.returncode}; it printed:",
              file=sys.stderr)
        sys.stderr.flush()
        sys.stderr.buffer.write(cpu.stdout + cpu.stderr)
        sys.exit(DIFFERS)
    leave(done.returncode)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("usage: run_validated.py PROGRAM [ARGUMENT...]")
    main(sys.argv[1:])
