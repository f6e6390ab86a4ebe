"""A server of a small model, and a client of UM-Bridge 1.0: the standard library and nothing else."""
import contextlib
import http.client
import json
import math
import os
import subprocess
import tempfile
import time


class Refused(Exception):
    def __init__(self, status, error):
        super().__init__(f"{status} {error}")
        self.status, self.type, self.message = status, error["type"], error["message"]


class Client:
    """One connection, kept open."""

    def __init__(self, port, name=None, timeout=60):
        self.port, self.name = port, name
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)
        self.sent = 0.0  # when the last request had been

    def request(self, method, path, body=None, headers=None):
        self.connection.request(method, path, body, headers or {})
        self.sent = time.monotonic()
        response = self.connection.getresponse()
        text = response.read()
        return response.status, text, response

    def get(self, path):
        status, text, _ = self.request("GET", path)
        return self.checked(status, text)

    def post(self, path, value):
        status, text, _ = self.request("POST", path, json.dumps(value) if not isinstance(value, (str, bytes)) else value)
        return self.checked(status, text)

    @staticmethod
    def checked(status, text):
        answer = json.loads(text)
        if status != 200:
            assert set(answer) == {"error"} and set(answer["error"]) == {"type", "message"}, answer
            raise Refused(status, answer["error"])
        return answer

    # UM-Bridge.
    def ask(self, path, **more):
        return self.post(path, {"name": self.name, **more})

    def evaluate(self, values, **config):
        return self.ask("/Evaluate", input=[values], config=config)["output"]

    def gradient(self, values, sens, **config):
        return self.ask("/Gradient", outWrt=0, inWrt=0, input=[values], sens=sens, config=config)["output"]

    def apply_jacobian(self, values, vec, **config):
        return self.ask("/ApplyJacobian", outWrt=0, inWrt=0, input=[values], vec=vec, config=config)["output"]


def run(tool, *words, cwd):
    ended = subprocess.run([tool, *words], cwd=cwd, check=False, capture_output=True, text=True)
    assert ended.returncode == 0, (words, ended.stderr)


def small_model(tool, folder, problem="heat", name="heat", method="diverse"):
    run(tool, "generate", problem, "-n", "200", "--grid", "16x8", "-o", f"{name}.npz", cwd=folder)
    run(tool, "train", f"{name}.npz", "-o", f"{name}.nouq", "--method", method, "--width", "8", "--modes", "4,3",
        "--count", "4", "--epochs", "6", "--threads", "1", cwd=folder)
    return os.path.join(folder, f"{name}.nouq")


@contextlib.contextmanager
def serving(tool, *words):
    """The process and its port; ends by Ctrl-C, which must end it cleanly."""
    process = subprocess.Popen([tool, "serve", *words, "--port", "0"], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    try:
        line = process.stdout.readline()
        assert line, process.stderr.read()
        yield process, int(line.strip().rstrip("/").rsplit(":", 1)[1])
    except BaseException:
        process.kill()
        process.wait()
        raise
    process.send_signal(2)
    said = process.stderr.read()
    code = process.wait(timeout=30)
    assert code == 0, (code, said)
    assert "stopped" in said, said


def refused(action):
    try:
        action()
    except Refused as refusal:
        return refusal
    raise AssertionError("accepted")


def close(a, b, tolerance, scale=None):
    scale = max(abs(a), abs(b)) if scale is None else scale
    assert math.isfinite(a) and abs(a - b) <= tolerance * scale, (a, b, tolerance * scale)


def folder():
    return tempfile.TemporaryDirectory(prefix="nouq-serve-")
