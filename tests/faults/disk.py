"""What a disk may hold after the power has failed.

The model is the strict one, of what POSIX promises: bytes of a file are safe once it was flushed (fsync), names in a folder
once the folder was. Whatever was not flushed may be there or not, each for itself, and of the last bytes a part (in blocks of
512)."""
import os
import shutil
from pathlib import Path

BLOCK = 512


def read_operations(log, folder):
    """The records that the shim wrote (shim/disk.h), of the files below the folder, with paths relative to it."""
    operations, at = [], 0
    while at < len(log):
        end = log.index(b"\n", at)
        words = log[at:end].decode().split("\t")
        at = end + 1
        if words[0] == "write":
            size = int(words[3])
            operations.append(("write", words[1], int(words[2]), log[at : at + size]))
            at += size
            continue
        paths = [os.path.relpath(word, folder) if word.startswith("/") else word for word in words[1:]]
        operations.append((words[0], *paths))
    outside = {operation[1] for operation in operations if operation[0] == "create" and operation[2].startswith("..")}
    return [operation for operation in operations if operation[1] not in outside and not operation[-1:] == ("..",)]


class File:
    def __init__(self, safe=b""):
        self.safe, self.pending = safe, []

    def now(self, keep=lambda change: change):
        data = bytearray(self.safe)
        for change in self.pending:
            kept = keep(change)
            if kept is None:
                continue
            offset, written = kept
            if written is None:
                del data[offset:]
                continue
            data.extend(bytes(max(0, offset + len(written) - len(data))))
            data[offset : offset + len(written)] = written
        return bytes(data)


class Disk:
    """The files of a folder: names stand for files by their inode or, for those of before, their path."""

    def __init__(self, folder):
        self.files, self.names, self.folders, self.changes = {}, {}, set(), []
        for path in folder.rglob("*"):
            name = str(path.relative_to(folder))
            if path.is_dir():
                self.folders.add(name)
            else:
                self.names[name] = name
                self.files[name] = File(path.read_bytes())
        self.now = dict(self.names)

    def apply(self, operation):
        getattr(self, "do_" + operation[0])(*operation[1:])

    def change(self, names, is_folder=False):
        """A step that changes names, {name: inode or None}: the whole of it is kept or lost."""
        self.changes.append((names, is_folder))
        if not is_folder:
            self.now.update(names)

    def do_create(self, inode, path):
        self.files[inode] = File()
        self.change({path: inode})

    def do_write(self, inode, offset, data):
        if inode in self.files:
            self.files[inode].pending.append((offset, data))

    def do_truncate(self, inode, size, path=""):
        file = self.files.setdefault(inode, File()) if path == "" else self.files[self.now[path]]
        self.files[inode] = file
        file.pending.append((int(size), None))

    def do_rename(self, old, new):
        self.change({new: self.now[old], old: None})

    def do_unlink(self, path):
        self.change({path: None})

    def do_mkdir(self, path):
        self.change({path: "folder"}, True)

    def do_rmdir(self, path):
        self.change({path: None}, True)

    def do_sync(self, inode):
        if inode in self.files:
            file = self.files[inode]
            file.safe, file.pending = file.now(), []

    def do_sync_folder(self, folder):
        """The names in it are safe, and so is all that was done to them before."""
        rest = []
        for change in self.changes:
            inside = any((os.path.dirname(name) or ".") == folder for name in change[0])
            self.keep(change) if inside else rest.append(change)
        self.changes = rest

    def keep(self, change):
        names, is_folder = change
        for name, inode in names.items():
            if is_folder:
                (self.folders.discard if inode is None else self.folders.add)(name)
            else:
                self.names[name] = inode

    def lose_power(self, folder, how, pick):
        """Writes into the folder what is left: nothing of what was not flushed, all of it, or some."""
        chance = {"nothing": 0.0, "all": 1.0}.get(how, pick.choice((0.2, 0.5, 0.8)))
        for change in self.changes:
            if pick.random() < chance:
                self.keep(change)

        def kept(change):
            offset, data = change
            if pick.random() >= chance:
                return None
            if data is None or chance == 1.0 or pick.random() < 0.5:
                return change
            return offset, data[: pick.randrange(len(data) // BLOCK + 1) * BLOCK]

        for path in folder.iterdir():
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        for name in sorted(self.folders):
            if Path(name).parent == Path(".") or str(Path(name).parent) in self.folders:
                (folder / name).mkdir(parents=True, exist_ok=True)
        for name, inode in self.names.items():
            if inode is not None and (folder / name).parent.is_dir():
                (folder / name).write_bytes(self.files[inode].now(kept))
