"""Ranks and launchers that are killed or hang at random moments: the job ends, nothing is left, the same command goes on to
the same bytes: python3 kills.py build/release/bin/nouq [--whole]"""
import os
import random
import signal
import sys
import time

from cluster import Folder, bytes_of, launcher, over_ranks, rank_of, require_launcher, start, tool, wait_until, whole, workers

# Some seconds of work in many short networks.
TASK = ["train", "--method", "ensemble", "--count", "6", "--width", "8", "--blocks", "2", "--epochs", "200", "--batch", "2",
        "--threads", "1", "--quiet"]
# The same in one network, on which all ranks work in step.
ONE = ["train", "--method", "variance", "--width", "8", "--blocks", "2", "--epochs", "600", "--batch", "6", "--threads", "1",
       "--quiet"]
RANKS = 3
HANGS = [(0, signal.SIGSTOP), (1, signal.SIGSTOP), (2, signal.SIGSTOP)]


def strike(victim, job, folder):
    """Kills or halts the victim; says how long the job took to end, or nothing when it had ended before."""
    if job.poll() is not None:
        return None
    begin = time.monotonic()
    if victim == "launcher":
        job.kill()
    else:
        rank, number = victim
        chosen = [one for one in workers(folder) if rank_of(one) == rank]
        if not chosen:
            return None
        try:
            os.kill(chosen[0], number)
        except ProcessLookupError:
            return None
    limit = 60 if victim != "launcher" and victim[1] == signal.SIGSTOP else 30
    wait_until(lambda: job.poll() is not None and not workers(folder), limit, f"the end after {victim}")
    return time.monotonic() - begin


def one_round(folder, model, victim, moment):
    words = folder.command(model)
    job = start([*launcher(RANKS), tool, *words], folder.path)
    try:
        wait_until(lambda: len(workers(folder.path)) == RANKS or job.poll() is not None, 60, "the start")
        time.sleep(moment)
        seconds = strike(victim, job, folder.path)
    finally:
        if job.poll() is None:
            job.kill()
        job.stderr.close()
    over_ranks(2, words, folder.path)
    assert bytes_of(folder.path, model) == folder.expected, f"{victim} at {moment:.2f} s"
    end = "was over" if seconds is None else f"over after {seconds:.1f} s"
    print(f"{victim} at {moment:.2f} s: {end}, went on to the same bytes", flush=True)
    return seconds is not None


def duration(folder):
    begin = time.monotonic()
    over_ranks(RANKS, folder.command("whole.nouq"), folder.path)
    return time.monotonic() - begin


def campaign(task, rounds, dice):
    with Folder(task) as folder:
        whole_time = duration(folder)
        struck = sum(one_round(folder, f"m{i}.nouq", victim, dice.uniform(0, 0.8) * whole_time)
                     for i, victim in enumerate(rounds))
        assert 2 * struck > len(rounds), f"only {struck} of {len(rounds)} were struck before their end"


def main():
    require_launcher()
    dice = random.Random(1)
    victims = [(0, signal.SIGKILL), (1, signal.SIGKILL), "launcher", (2, signal.SIGKILL), (1, signal.SIGTERM)]
    for task in (TASK, ONE):
        campaign(task, [victims[i % len(victims)] for i in range(50 if whole else 5)] + whole * HANGS, dice)


if __name__ == "__main__":
    sys.exit(main())
