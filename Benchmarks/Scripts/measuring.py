"""Runs commands and says what they cost: the processor time of all their processes, wall-clock, memory."""

import os
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass


@dataclass
class Cost:
    wall: float
    processor: float
    megabytes: float


def run(command, **options):
    """What a command cost; stops with its output where it fails."""
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    output = process.stdout.read()
    # The usage of this process and of those that it waited for; other children do not count.
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{output}error: {' '.join(map(str, command))[:200]} failed")
    return Cost(time.monotonic() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def output(command, **options):
    """What a command prints; stops where it fails."""
    result = subprocess.run(command, stdout=subprocess.PIPE, text=True, **options)
    if result.returncode != 0:
        sys.exit(f"error: {' '.join(map(str, command))[:200]} failed")
    return result.stdout.strip()


def median(costs, what):
    return statistics.median(getattr(cost, what) for cost in costs)


class Table:
    """Rows as `bench` prints them: what, figure, ratio, aim, and whether it is met."""

    def __init__(self, heading):
        print(f"{heading}\n\n| what | figure | ratio | aim | |\n|---|---|---|---|---|")

    def row(self, what, figure, ratio="", aim=None, value=None, unit=""):
        """`aim` is what `value` shall not exceed."""
        bound = verdict = ""
        if aim is not None:
            bound = f"≤ {aim:g} {unit}"
            verdict = "met" if value <= aim else f"missed by {(value / aim - 1) * 100:.0f} %"
        print(f"| {what} | {figure} | {ratio} | {bound} | {verdict} |", flush=True)
