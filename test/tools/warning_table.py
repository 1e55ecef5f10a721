#!/usr/bin/env python3
"""Checks that ampcc's warnings are those of the language reference.

usage: warning_table.py HELP-WARNINGS.TXT LANGUAGE.MD
"""
import re
import sys

with open(sys.argv[1]) as f:
    listed = re.findall(r"^  -Wamp-([\w-]+) \((on|off)\)\n      \S", f.read(), re.M)
with open(sys.argv[2], encoding="utf-8") as f:
    chapter = f.read().split("\n## Warnings\n")[1].split("\n## ")[0]
documented = re.findall(r"^\| `([\w-]+)` \| (on|off) \| \S", chapter, re.M)
if len(listed) < 8 or listed != documented:
    sys.exit(f"ampcc lists\n{listed}\nthe reference has\n{documented}")
