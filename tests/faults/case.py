"""One case: a command in a folder of its own, what goes wrong in it, and what is to hold afterwards."""
import fnmatch
import hashlib
import os
import re
import shutil
import signal
import subprocess
from pathlib import Path

OLD = b"what stood here before\n"
TIMEOUT = 60


class Finding(Exception):
    """What is promised and did not hold."""


class Outcome:
    def __init__(self, code, output, errors):
        self.code, self.output, self.errors = code, output, errors


def plain(text):
    """Without what may differ from run to run: times, and what the processor is called."""
    return re.sub(rb'(?m)^time .*$|"seconds": ?[-+.0-9e]+|"processor": ?".*"', b"", text)


class Workshop:
    """Where cases are run: the inputs, the reference of each command, and folders for the cases."""

    def __init__(self, folder, shim, inputs):
        self.folder, self.shim, self.inputs = Path(folder), str(shim), Path(inputs)
        self.references, self.logs, self.proven = {}, {}, set()

    def fresh(self, command, name):
        """A folder with the command's inputs and old outputs."""
        work = self.folder / name
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir(parents=True)
        self.put_inputs(command, work)
        for output in () if command.keeps else command.outputs:
            (work / output).write_bytes(OLD)
        return work

    def put_inputs(self, command, work):
        for name in command.inputs:
            source = self.inputs / name
            if source.is_dir():
                shutil.copytree(source, work / name, dirs_exist_ok=True)
            else:
                shutil.copyfile(source, work / name)

    def environment(self, command, plan):
        if not plan:
            return None
        settings = {f"NOUQ_FAULT_{key.upper()}": str(value) for key, value in plan.items()}
        if command.armed:
            settings["NOUQ_FAULT_ARM"] = "1"
        return {**os.environ, **settings, "LD_PRELOAD": self.shim}

    def run(self, command, work, plan=None, **more):
        try:
            done = subprocess.run(command.words, cwd=work, env=self.environment(command, plan), stdin=subprocess.DEVNULL,
                                  capture_output=True, timeout=TIMEOUT, **more)
        except subprocess.TimeoutExpired:
            raise Finding(f"hangs for {TIMEOUT} s") from None
        return Outcome(done.returncode, done.stdout, done.stderr)

    def reference(self, command):
        """What the command does when nothing goes wrong; twice, as it must be the same."""
        if command.name not in self.references:
            self.references[command.name] = first = self.undisturbed(command)
            if self.undisturbed(command) != first:
                raise Finding(f"{command.name}: two runs differ")
        return self.references[command.name]

    def undisturbed(self, command):
        work = self.fresh(command, f"reference-{command.name}")
        done = self.run(command, work)
        if done.code != 0:
            raise Finding(f"{command.name} fails undisturbed: {done.errors!r}")
        return {"output": plain(done.output), "outputs": contents(command, work), "names": names(work)}

    def log(self, command, kind):
        """The calls of an undisturbed run."""
        if (command.name, kind) not in self.logs:
            self.logs[command.name, kind] = self.logged(command, kind)
        return self.logs[command.name, kind]

    def logged(self, command, kind):
        work = self.fresh(command, f"log-{command.name}")
        path = self.folder / f"{command.name}.{kind}"
        path.unlink(missing_ok=True)
        self.run(command, work, {"kind": kind, "log": path})
        return path.read_text().splitlines()


def contents(command, work):
    found = {}
    for path in sorted(p for p in work.rglob("*") if p.is_file()):
        name = str(path.relative_to(work))
        if any(fnmatch.fnmatch(name, output) for output in command.outputs):
            found[name] = plain(path.read_bytes()) if name.endswith(".json") else path.read_bytes()
    return found


def names(work):
    return sorted(str(path.relative_to(work)) for path in work.rglob("*"))


def check_message(done):
    """The exit code is a documented one, and a failure is one line."""
    if done.code < 0:
        raise Finding(f"ends with {signal.Signals(-done.code).name}: {done.errors[-300:]!r}")
    if done.code not in (0, 1, 2, 130):
        raise Finding(f"exit code {done.code}: {done.errors[-300:]!r}")
    lines = done.errors.decode(errors="replace").splitlines()
    if done.code != 0 and not (len(lines) == 1 and lines[0].startswith("nouq: ") and len(lines[0]) > 6):
        raise Finding(f"exit code {done.code}, and says {lines!r}: expected one line")


def check_files(command, work, reference, must_be_new):
    """Every output is the old file or the new one."""
    now = contents(command, work)
    for name, new in reference["outputs"].items():
        if now.get(name) == new:
            continue
        old = not must_be_new and now.get(name) == (None if command.keeps else OLD)
        if not old:
            size = "is not there" if name not in now else f"has {len(now[name])} bytes"
            raise Finding(f"{name} is neither the old file nor the new one: {size}")


def state_of(command, work):
    """All that a command finds; names of temporary files hold the number of a process."""
    files = [(re.sub(r"\d+\.\d+\.tmp$", "tmp", name), (work / name).read_bytes() if (work / name).is_file() else b"")
             for name in names(work)]
    return command.name, hashlib.sha256(repr(sorted(files)).encode()).digest()


def check_again(shop, command, work, reference):
    """Run again, it goes on to the same bits and leaves nothing lying about. As the same files give the same, that is seen
    once for every state of the folder."""
    state = state_of(command, work)
    if state in shop.proven:
        return
    done = shop.run(command, work)
    if done.code != 0:
        raise Finding(f"run again, it exits with {done.code}: {done.errors[-300:]!r}")
    check_files(command, work, reference, True)
    if plain(done.output) != reference["output"]:
        raise Finding("run again, its output differs")
    left = sorted(set(names(work)) - set(reference["names"]))
    if left:
        raise Finding(f"run again, it leaves {left}")
    shop.proven.add(state)


def check(shop, command, work, done):
    """Everything that is to hold after a fault."""
    reference = shop.reference(command)
    check_message(done)
    check_files(command, work, reference, done.code == 0)
    if done.code == 0 and plain(done.output) != reference["output"]:
        raise Finding("exit code 0, and its output differs")
    check_again(shop, command, work, reference)
