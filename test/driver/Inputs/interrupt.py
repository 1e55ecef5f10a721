"""interrupt.py SIGNAL COMMAND...: runs a command, sends it a signal when it has made its first
temporary folder, and says how it ended."""
import os, signal, subprocess, sys, time

number = getattr(signal, sys.argv[1])
process = subprocess.Popen(
    sys.argv[2:],
    # A shell may have started us with the signal ignored.
    preexec_fn=lambda: signal.signal(number, signal.SIG_DFL),
)
deadline = time.time() + 20
while not os.path.exists("compiling") and time.time() < deadline:
    time.sleep(0.01)
process.send_signal(number)
ended = process.wait(timeout=20)
print("ended by", signal.Signals(-ended).name if ended < 0 else f"exit code {ended}")
