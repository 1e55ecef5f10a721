#!/usr/bin/env python3
"""run_validated.py PROGRAM [ARGUMENT...]: runs a program under the Khronos validation layer.

Exits as the program does, or with 99 when the layer had anything to say, which then stands on standard error. The layer
logs to a file of its own, so what a driver prints on standard error does not count. Without the layer the program runs
plainly (the lit feature `validation` tells the two apart).
"""
import os
import subprocess
import sys
import tempfile

import vulkan_probe

TIME_LIMIT = 110  # seconds; below lit's, so that a hanging program is named
MESSAGES_FOUND = 99

SETTINGS = """\
khronos_validation.enables = VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT
khronos_validation.report_flags = error,warn
khronos_validation.debug_action = VK_DBG_LAYER_ACTION_LOG_MSG
khronos_validation.log_filename = {log}
khronos_validation.enable_message_limit = true
khronos_validation.duplicate_message_limit = 3
"""


def main(command):
    with tempfile.TemporaryDirectory(prefix="ampc-run-") as directory:
        log = os.path.join(directory, "messages")
        environment = dict(os.environ)
        if vulkan_probe.probe().has_validation_layer:
            with open(os.path.join(directory, "vk_layer_settings.txt"), "w") as file:
                file.write(SETTINGS.format(log=log))
            environment["VK_INSTANCE_LAYERS"] = vulkan_probe.VALIDATION_LAYER.decode()
            environment["VK_LAYER_SETTINGS_PATH"] = directory
        try:
            status = subprocess.run(command, env=environment, timeout=TIME_LIMIT).returncode
        except subprocess.TimeoutExpired:
            sys.exit(f"{command[0]}: still running after {TIME_LIMIT} s")
        messages = open(log, errors="replace").read().strip() if os.path.exists(log) else ""
        if messages:
            print(f"{command[0]}: the validation layer reports:\n{messages}", file=sys.stderr)
            sys.exit(MESSAGES_FOUND)
        # A signal (an abort, say) is passed on as a shell would: 128 + its number.
        sys.exit(status if status >= 0 else 128 - status)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("usage: run_validated.py PROGRAM [ARGUMENT...]")
    main(sys.argv[1:])
