#!/usr/bin/env python3
"""Checks the documents that test/restrict/formats.test has ampcc write.

usage: formats.py FOLDER
The expected positions are counted by hand in the programs of that test.
"""
import json
import os
import sys

folder = sys.argv[1]


def load(name):
    with open(os.path.join(folder, name), encoding="utf-8") as f:
        return json.load(f)


def place(file, line, column, end_line, end_column):
    return {
        "file": os.path.join(folder, file),
        "start": {"line": line, "column": column},
        "end": {"line": end_line, "column": end_column},
    }


def check_plain():
    call, char = load("faults.json")
    assert call["level"] == "error" and call["rule"] == "S5" and call["name"] == "call", call
    assert call["message"].startswith("amp code cannot call 'half', which is 'restrict(cpu)'"), call
    assert "[" not in call["message"], call
    # Columns are bytes: ä, ö and ü take two each, the face four.
    assert call["location"]["start"] == {"line": 6, "column": 34}, call
    declared, add = call["notes"]
    assert declared["message"] == "'half' is declared here" and declared["location"]["start"]["line"] == 2
    assert add["fixits"] == [{**place("faults.ampc", 2, 27, 2, 27), "text": " restrict(cpu, amp)"}], add
    assert char["rule"] == "T1" and char["location"] == place("faults.ampc", 7, 14, 7, 15), char

    (warning,) = load("warnings.json")
    assert warning["level"] == "warning" and warning["rule"] == "-Wamp-double-promotion", warning
    assert warning["fixits"] == [{**place("warnings.ampc", 5, 19, 5, 19), "text": "f"}], warning
    assert load("clean.json") == []

    unknown, pointer, missing = load("clang.json")
    assert unknown["level"] == "warning" and unknown["rule"] == "-Wunknown-warning-option", unknown
    assert pointer["rule"] == "V2" and pointer["location"]["start"] == {"line": 4, "column": 26}, pointer
    assert "array_view(float, 1)" in pointer["message"], pointer
    assert missing["level"] == "error" and "rule" not in missing, missing


def check_sarif():
    log = load("faults.sarif")
    assert log["version"] == "2.1.0" and "sarif-schema-2.1.0" in log["$schema"]
    (run,) = log["runs"]
    driver = run["tool"]["driver"]
    assert driver["name"] == "ampcc" and run["columnKind"] == "unicodeCodePoints"
    ids = [rule["id"] for rule in driver["rules"]]
    assert len(ids) == len(set(ids)) and {"S5", "T1", "B1", "C3"} <= set(ids)
    call, char = run["results"]
    assert call["ruleId"] == "S5" and ids[call["ruleIndex"]] == "S5" and call["level"] == "error"
    region = call["locations"][0]["physicalLocation"]["region"]
    assert (region["startLine"], region["startColumn"]) == (6, 28), region
    uri = call["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert uri.startswith("file:///") and uri.endswith("/faults.ampc"), uri
    assert [l["message"]["text"] for l in call["relatedLocations"]][0] == "'half' is declared here"
    ((change,),) = [fix["artifactChanges"] for fix in call["fixes"]]
    ((replacement),) = change["replacements"]
    assert replacement["insertedContent"]["text"] == " restrict(cpu, amp)"
    assert replacement["deletedRegion"] == {"startLine": 2, "startColumn": 27, "endLine": 2, "endColumn": 27}
    assert "fixes" not in char and char["message"]["text"].startswith("variable 'c' has type 'char'")
    (warning,) = load("warnings.sarif")["runs"][0]["results"]
    assert warning["ruleId"] == "-Wamp-double-promotion" and warning["level"] == "warning" and "ruleIndex" not in warning
    assert load("clean.sarif")["runs"][0]["results"] == []


check_plain()
check_sarif()
