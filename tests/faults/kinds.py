"""The kinds of faults. Each lists its cases for a command as short texts, and runs one of them."""
import collections.abc
import random
import signal
import subprocess
import time

from case import Finding, check, check_again, check_files, check_message, contents, names, plain
from disk import Disk, read_operations

LOOKS, OPENS, CREATES, READS, WRITES, CHANGES, FLUSHES, CLOSES, LOCKS = range(9)
FULL = (CREATES, WRITES, CHANGES, FLUSHES, CLOSES)
INTERRUPTED = (OPENS, CREATES, READS, WRITES, LOCKS, CLOSES)
MANY = 10**9


def file_calls(shop, command):
    """(number, class) of every call."""
    rows = [line.split("\t") for line in shop.log(command, "files")]
    return [(int(row[0]), int(row[2])) for row in rows]


class Cases(collections.abc.Sequence):
    """Cases by their number, named when they are asked for: there may be millions."""

    def __init__(self, count, name):
        self.count, self.name = count, name

    def __len__(self):
        return self.count

    def __getitem__(self, i):
        if not 0 <= i < self.count:
            raise IndexError(i)
        return self.name(i)


class Calls:
    """A call of files fails, once or from then on."""

    name = "io"

    def cases(self, shop, command):
        for number, kind in file_calls(shop, command):
            yield from (f"{number}:eio:once", f"{number}:eio:on")
            if kind in FULL:
                yield from (f"{number}:enospc:once", f"{number}:enospc:on")
            if kind in INTERRUPTED:
                yield from (f"{number}:eintr:once", f"{number}:eintr:some")
            if kind in (READS, WRITES):
                yield from (f"{number}:short:once", f"{number}:short:on")

    def run(self, shop, command, case, work):
        number, action, how = case.split(":")
        last = int(number) + {"once": 0, "some": 4, "on": MANY}[how]
        done = shop.run(command, work, {"kind": "files", "first": number, "last": last, "action": action})
        check(shop, command, work, done)


class Allocations:
    """An allocation fails, once or from then on."""

    name = "memory"

    def cases(self, shop, command):
        count = int(shop.log(command, "memory")[-1])
        return Cases(2 * count, lambda i: f"{i // 2}:{'on' if i % 2 else 'once'}")

    def run(self, shop, command, case, work):
        number, how = case.split(":")
        done = shop.run(command, work, {"kind": "memory", "first": number, "last": number if how == "once" else MANY})
        check(shop, command, work, done)


class Kills:
    """The process is killed before or after a call of files."""

    name = "kill"

    def cases(self, shop, command):
        for number, _ in file_calls(shop, command):
            yield from (f"{number}:before", f"{number}:after")

    def run(self, shop, command, case, work):
        number, when = case.split(":")
        done = shop.run(command, work, {"kind": "files", "first": number, "action": f"kill_{when}"})
        if done.code != -signal.SIGKILL:
            raise Finding(f"was to be killed, and exits with {done.code}")
        reference = shop.reference(command)
        check_files(command, work, reference, False)
        check_again(shop, command, work, reference)


class RandomKills:
    """The process is killed at some time, and again in the next run, up to three times."""

    name = "random-kill"

    def cases(self, shop, command):
        return Cases(1000, str)

    def run(self, shop, command, case, work):
        pick = random.Random(f"{command.name}:{case}")
        for _ in range(pick.randint(1, 3)):
            process = subprocess.Popen(command.words, cwd=work, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL)
            time.sleep(pick.uniform(0, 0.15))
            process.kill()
            process.wait()
        reference = shop.reference(command)
        check_files(command, work, reference, False)
        check_again(shop, command, work, reference)


class PowerLoss:
    """The power fails after a call: what was not flushed is lost, out of order or torn."""

    name = "power"

    def __init__(self):
        self.operations = {}

    def log_of(self, shop, command):
        if command.name not in self.operations:
            work = shop.fresh(command, f"power-{command.name}")
            path = shop.folder / f"{command.name}.disk"
            path.unlink(missing_ok=True)
            done = shop.run(command, work, {"kind": "files", "disk": path})
            check_message(done)
            self.operations[command.name] = read_operations(path.read_bytes() if path.exists() else b"", work)
        return self.operations[command.name]

    def cases(self, shop, command):
        for point in range(1, len(self.log_of(shop, command)) + 1):
            yield from (f"{point}:{how}" for how in ("nothing", "all", "1", "2", "3", "4"))

    def run(self, shop, command, case, work):
        point, how = case.split(":")
        operations = self.log_of(shop, command)
        disk = Disk(work)
        for operation in operations[: int(point)]:
            disk.apply(operation)
        disk.lose_power(work, how, random.Random(f"{command.name}:{case}"))
        reference = shop.reference(command)
        check_files(command, work, reference, int(point) == len(operations))
        check_again(shop, command, work, reference)


class Races:
    """Two processes do the same: one stops at a call, the other runs meanwhile, as far as it can."""

    name = "race"

    def cases(self, shop, command):
        if not command.outputs:
            return
        for number, kind in file_calls(shop, command):
            if kind not in (READS,):
                yield from (f"{number}:before", f"{number}:after")

    def run(self, shop, command, case, work):
        number, when = case.split(":")
        plan = {"kind": "files", "first": number, "action": f"stop_{when}"}
        first = subprocess.Popen(command.words, cwd=work, env=shop.environment(command, plan), stdin=subprocess.DEVNULL,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(0.15)
        second = subprocess.Popen(command.words, cwd=work, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE)
        try:
            second.wait(timeout=1)
        except subprocess.TimeoutExpired:
            pass  # it waits for the first
        deadline = time.monotonic() + 60
        while first.poll() is None and time.monotonic() < deadline:
            first.send_signal(signal.SIGCONT)
            time.sleep(0.01)
        for process in (first, second):
            self.judge(process)
        reference = shop.reference(command)
        check_files(command, work, reference, first.returncode == 0 and second.returncode == 0)
        check_again(shop, command, work, reference)

    @staticmethod
    def judge(process):
        try:
            output, errors = process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            process.kill()
            raise Finding("two processes wait for each other") from None
        done = type("Done", (), {"code": process.returncode, "output": output, "errors": errors})
        check_message(done)
        if done.code != 0 and b"in use" not in errors:
            raise Finding(f"beside another one, it says {errors!r}")


class Damage:
    """An input has some bytes changed, cut off or added."""

    name = "damage"

    def cases(self, shop, command):
        return Cases(100_000 if command.inputs else 0, str)

    def run(self, shop, command, case, work):
        pick = random.Random(f"{command.name}:{case}")
        files = [path for name in command.inputs for path in ([work / name] if (work / name).is_file() else
                                                              sorted((work / name).iterdir()))]
        path = pick.choice(files)
        path.write_bytes(self.damaged(path.read_bytes(), pick))
        done = shop.run(command, work)
        check_message(done)

    @staticmethod
    def damaged(bytes_, pick):
        data = bytearray(bytes_)
        for _ in range(pick.choice((1, 1, 1, 4))):
            at = pick.randrange(len(data) + 1)
            what = pick.randrange(6)
            if what == 0:
                del data[at:]
            elif what == 1:
                data[at:at] = pick.randbytes(pick.randint(1, 64))
            elif what == 2:
                del data[at : at + pick.randint(1, 64)]
            elif what == 3:
                data[at : at + 8] = pick.choice((b"\xff" * 8, b"\0" * 8, b"\x7f" + b"\xff" * 7))
            elif data:
                data[at % len(data)] ^= 1 << pick.randrange(8) if what == 4 else pick.randrange(1, 256)
        return bytes(data)


class Shrinking:
    """An input is cut to half its size while it is read."""

    name = "shrink"

    def cases(self, shop, command):
        for name in command.inputs:
            if (shop.inputs / name).is_dir():
                continue
            yield from (f"{number}:{name}" for number, _ in file_calls(shop, command))

    def run(self, shop, command, case, work):
        number, name = case.split(":")
        plan = {"kind": "files", "first": number, "action": "shrink", "file": work / name}
        done = shop.run(command, work, plan)
        check_message(done)
        shop.put_inputs(command, work)
        check_again(shop, command, work, shop.reference(command))


class Streams:
    """Standard streams are closed, full, or nobody reads them."""

    name = "streams"

    def cases(self, shop, command):
        if command.armed:
            return  # Python has its own streams
        yield from ("closed:" + which for which in ("0", "1", "2", "01", "02", "12", "012"))
        yield from ("full:1", "pipe:1")

    def run(self, shop, command, case, work):
        how, which = case.split(":")
        words = {"closed": " ".join(f"{d}{'<' if d == '0' else '>'}&-" for d in which), "full": ">/dev/full",
                 "pipe": "| true; exit ${PIPESTATUS[0]}"}[how]
        done = subprocess.run(["bash", "-c", f'"$@" {words}', "bash", *command.words], cwd=work, stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=60)
        reference = shop.reference(command)
        if done.returncode not in ((0, 1, 2) if how != "pipe" else (0, 1, 2, 141)):
            raise Finding(f"exit code {done.returncode}: {done.stderr[-300:]!r}")
        check_files(command, work, reference, done.returncode == 0)
        check_again(shop, command, work, reference)


ALL = [Calls(), Allocations(), Kills(), PowerLoss(), Races(), RandomKills(), Damage(), Shrinking(), Streams()]
