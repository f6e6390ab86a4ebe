"""Faults at every call: files, memory, kills, power, races, damage.

    run_faults.py [MINUTES] [--seed N] [--kind KIND,...] [--command NAME,...] [--case KIND/COMMAND/CASE]
                  --nouq FILE --shim FILE --c-calls FILE [--python FILE --module FOLDER]

Each case is a text, by which it can be run again alone (--case). Where time does not suffice for all, the seed says which are
run. The last lines are a table; the exit code is 1 when a case failed.
"""
import argparse
import concurrent.futures
import itertools
import os
import random
import shutil
import sys
import tempfile
import threading
import time
from pathlib import Path

import commands
import kinds
from case import Finding, Workshop

# Shares of the time; what a kind leaves over is the next one's.
SHARES = {"io": 22, "memory": 33, "kill": 15, "power": 8, "race": 10, "random-kill": 2, "damage": 5, "shrink": 4, "streams": 1}

MOST = 20_000  # of one kind and command


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("minutes", nargs="?", type=float, default=5)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kind", type=lambda text: text.split(","), default=list(SHARES))
    parser.add_argument("--command", type=lambda text: text.split(","), default=None)
    parser.add_argument("--case")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    for name in ("--nouq", "--shim", "--c-calls"):
        parser.add_argument(name, required=True)
    parser.add_argument("--python")
    parser.add_argument("--module")
    return parser.parse_args()


class Campaign:
    def __init__(self, shop, options):
        self.shop, self.options, self.findings, self.lock = shop, options, [], threading.Lock()
        self.place = threading.local()
        self.places = itertools.count()

    def run(self, kind, command, case, keep=False):
        """None, or the finding."""
        if not hasattr(self.place, "name"):
            self.place.name = f"work-{next(self.places)}"
        work = self.shop.fresh(command, self.place.name)
        try:
            kind.run(self.shop, command, case, work)
        except Finding as finding:
            with self.lock:
                self.findings.append((kind.name, command.name, case))
                print(f"{kind.name}/{command.name}/{case}: {finding}", flush=True)

    def cases(self, kind, chosen):
        """All cases, of every command in its own random order, the commands taking turns."""
        lists, total = [], 0
        for command in chosen:
            every = kind.cases(self.shop, command)
            every = every if isinstance(every, kinds.Cases) else list(every)
            total += len(every)
            own = random.Random(f"{self.options.seed}:{kind.name}:{command.name}").sample(every, min(len(every), MOST))
            # Slow ones take every fifth turn.
            rows = [(command, case) for case in own]
            lists.append([row for case in rows for row in (case, None, None, None, None)] if command.slow else rows)
        taken = (case for turn in itertools.zip_longest(*lists) for case in turn if case is not None)
        return total, taken

    def run_kind(self, kind, chosen, seconds):
        start = time.monotonic()
        total, cases = self.cases(kind, chosen)
        done = 0

        def work():
            nonlocal done
            while time.monotonic() - start < seconds:
                with self.lock:
                    case = next(cases, None)
                if case is None:
                    return
                self.run(kind, *case)
                with self.lock:
                    done += 1

        with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
            for worker in [pool.submit(work) for _ in range(self.options.jobs)]:
                worker.result()
        failures = sum(1 for finding in self.findings if finding[0] == kind.name)
        return kind.name, done, total, failures, time.monotonic() - start


def show(rows):
    print(f"{'kind':<12} {'cases':>8} {'of':>8} {'failures':>9} {'seconds':>8}")
    for name, done, total, failures, seconds in rows:
        print(f"{name:<12} {done:>8} {total:>8} {failures:>9} {seconds:>8.0f}")


def main():
    options = arguments()
    python = [options.python, "-B"] if options.python else None
    if options.module:
        os.environ["PYTHONPATH"] = options.module
    os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", OMP_WAIT_POLICY="passive")
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    folder = Path(tempfile.mkdtemp(prefix="nouq-faults-", dir=memory))
    try:
        return campaign(options, python, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def campaign(options, python, folder):
    commands.write_inputs(options.nouq, folder / "inputs")
    shop = Workshop(folder, os.path.abspath(options.shim), folder / "inputs")
    every = commands.commands({"nouq": options.nouq, "c_calls": options.c_calls, "python": python})
    work = Campaign(shop, options)
    if options.case:
        kind, name, case = options.case.split("/", 2)
        work.run(next(k for k in kinds.ALL if k.name == kind), next(c for c in every if c.name == name), case)
        return 1 if work.findings else 0
    chosen = [c for c in every if options.command is None or c.name in options.command]
    for command in chosen:
        shop.reference(command)
    wanted = [k for k in kinds.ALL if k.name in options.kind]
    rows, left = [], options.minutes * 60
    for i, kind in enumerate(wanted):
        rest = sum(SHARES[k.name] for k in wanted[i:])
        rows.append(work.run_kind(kind, chosen, left * SHARES[kind.name] / rest))
        left -= rows[-1][-1]
    show(rows)
    return 1 if work.findings else 0


if __name__ == "__main__":
    sys.exit(main())
