"""trace.py FILE NAME=NUMBER...: is the file a trace (runtime/trace.h) that can be right?

kernel, launch, build: how many spans of these categories; in, out: bytes between host and accelerator; device: bytes that the
accelerator copied itself. slack: microseconds that the clocks of host and device may differ."""
import collections
import json
import sys

events = json.load(open(sys.argv[1]))
want = {k: int(v) for k, v in (a.split("=") for a in sys.argv[2:])}
slack = want.pop("slack")
spans = [e for e in events if e["ph"] == "X"]
failed = []


def expect(good, *what):
    if not good:
        failed.append(" ".join(map(str, what)))


def of(category):
    return [s for s in spans if s["cat"] == category]


def end(span):
    return span["ts"] + span["dur"]


found = {"in": "copy in", "out": "copy out", "device": "device copy"}
for name, number in want.items():
    have = sum(s["args"]["bytes"] for s in of(found[name])) if name in found else len(of(name))
    expect(have == number, name, "is", have, "not", number)

# Spans of one track are apart, or on the host (process 1) one inside the other.
tracks = collections.defaultdict(list)
for s in spans:
    tracks[s["pid"], s["tid"]].append(s)
for (process, thread), track in tracks.items():
    open_spans = []
    for s in sorted(track, key=lambda s: (s["ts"], -s["dur"])):
        while open_spans and end(open_spans[-1]) <= s["ts"] + 0.0005:
            open_spans.pop()
        expect(not open_spans or (process == 1 and end(s) <= end(open_spans[-1]) + 0.0005), "overlap:", open_spans[-1:], s)
        open_spans.append(s)
    names = [e for e in events if e["ph"] == "M" and e["name"] == "thread_name" and (e["pid"], e["tid"]) == (process, thread)]
    expect(len(names) == 1, "track", process, thread, "has", len(names), "names")
for process in {p for p, _ in tracks}:
    names = [e["args"]["name"] for e in events if e["ph"] == "M" and e["name"] == "process_name" and e["pid"] == process]
    expect(len(names) == 1, "process", process, "is called", names)

# A kernel runs after its launch began, and before the host has its results.
launches = {s["args"]["launch"]: s for s in of("launch")}
last = max(map(end, (s for s in spans if s["pid"] == 1)))
for kernel in of("kernel"):
    launch = launches.pop(kernel["args"]["launch"], None)
    expect(launch, "no launch:", kernel)
    if launch:
        expect(kernel["ts"] >= launch["ts"] - slack, "before its launch:", launch, kernel)
        expect(launch["name"] == "launch " + kernel["name"], launch, kernel)
        expect(kernel["args"]["at"] == launch["args"]["at"] and "trace.ampc:" in kernel["args"]["at"], kernel)
    expect(end(kernel) <= last + slack, "after the end:", kernel)
expect(not launches, "without a kernel:", launches)
arrows = collections.Counter((e["ph"], e["id"]) for e in events if e["ph"] in "sf")
expect(all(n == 1 for n in arrows.values()) and len(arrows) == 2 * len(of("launch")), "arrows:", arrows)
views = {k["tid"] for k in of("kernel")}
expect(len(views) >= 2, "two accelerator views on", views)

print("\n".join(failed))
sys.exit(bool(failed))
