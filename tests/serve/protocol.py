"""Every endpoint of `nouq serve`, asked rightly and wrongly: python3 protocol.py build/release/bin/nouq"""
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time

from attacks import Visit, head
from server import Client, close, folder, refused, serving, small_model

tool = os.path.abspath(sys.argv[1])


def inner(a, b):
    return sum(x * y for x, y in zip(a, b))


def um_bridge(port):
    client = Client(port, "heat")
    assert client.get("/Info") == {"protocolVersion": 1.0, "models": ["heat", "jump"]}
    assert client.ask("/ModelInfo") == {
        "support": {"Evaluate": True, "Gradient": True, "ApplyJacobian": True, "ApplyHessian": False}}
    assert client.ask("/InputSizes", config={}) == {"inputSizes": [1]}
    assert client.ask("/OutputSizes") == {"outputSizes": [128, 128, 2]}
    answer = client.evaluate([2.5])
    assert [len(part) for part in answer] == [128, 128, 2]
    assert min(answer[1]) >= 0 and answer[2][1] in (0, 1, 2)
    assert client.ask("/Evaluate", input=[[2.5]]) == {"output": answer}  # no config, no other key
    projected = client.evaluate([2.5], projection="diagonal")
    assert projected[0] != answer[0] and projected[2] == answer[2]


def bands(port):
    client = Client(port, "heat")
    coverage = client.get("/api/models")["models"][0]["coverage"]
    if coverage is None:
        assert "no bands" in refused(lambda: client.evaluate([2.5], coverage=0.9)).message
        return
    assert client.ask("/OutputSizes", config={"coverage": coverage})["outputSizes"] == [128, 128, 2, 128]
    assert min(client.evaluate([2.5], coverage=coverage)[3]) >= 0
    assert "were calibrated for" in refused(lambda: client.evaluate([2.5], coverage=0.5)).message


def gradients(port):
    client = Client(port, "heat")
    # A sum of all values: a difference of single precision is exact enough for it.
    sens, h = [1.0 + 0.01 * i for i in range(128)], 0.05
    high, low = (inner(client.evaluate([2.5 + s])[0], sens) for s in (h, -h))
    (slope,) = client.gradient([2.5], sens)
    close(slope, (high - low) / (2 * h), 1e-3)
    along = client.apply_jacobian([2.5], [2.0])
    assert len(along) == 128
    close(inner(along, sens), 2 * slope, 1e-4)
    # A problem whose input jumps with its parameter.
    other = Client(port, "jump")
    assert other.ask("/ModelInfo")["support"]["Gradient"] is False
    assert refused(lambda: other.gradient([0.5], sens)).type == "UnsupportedFeature"
    refusal = refused(lambda: client.ask("/Gradient", outWrt=1, inWrt=0, input=[[2.5]], sens=sens))
    assert refusal.type == "UnsupportedFeature" and "the mean" in refusal.message
    assert refused(lambda: client.gradient([2.5], sens, projection="diagonal")).type == "UnsupportedFeature"


def mistakes(port):
    client = Client(port, "heat")

    def says(words, path, value, kind="InvalidInput", status=400):
        refusal = refused(lambda: client.post(path, value))
        assert refusal.status == status and refusal.type == kind and words in refusal.message, (
            words, refusal.status, refusal.type, refusal.message)

    for path in ("/ModelInfo", "/InputSizes", "/OutputSizes", "/Evaluate", "/Gradient", "/ApplyJacobian"):
        says("did you mean 'heat'", path, {"name": "haet"}, "ModelNotFound")
        says("no 'name'", path, {})
        says("name is number", path, {"name": 3})
        says("not JSON", path, "{")
        says("not JSON", path, "")
        says("not an object", path, "[1]")
    says("no 'input'", "/Evaluate", {"name": "heat"})
    says("expected a list of 1", "/Evaluate", {"name": "heat", "input": [[1], [2]]})
    says("2 numbers: expected 1", "/Evaluate", {"name": "heat", "input": [[1, 2]]})
    says("expected a number", "/Evaluate", {"name": "heat", "input": [["a"]]})
    says("NaN is none", "/Evaluate", '{"name":"heat","input":[[NaN]]}')
    says("NaN is none", "/Evaluate", '{"name":"heat","input":[[1e999]]}')
    says("heat", "/Evaluate", {"name": "heat", "input": [[-3]]})  # outside the admissible interval of k
    says("'time' that means nothing here", "/Evaluate", {"name": "heat", "input": [[2]], "config": {"time": 1}})
    says("did you mean", "/Evaluate", {"name": "heat", "input": [[2]], "config": {"projection": "boundet"}})
    whole = {"name": "heat", "outWrt": 0, "inWrt": 0, "input": [[2]], "sens": [1] * 128, "vec": [1]}
    for path, keys in (("/Gradient", ("outWrt", "inWrt", "input", "sens")), ("/ApplyJacobian", ("outWrt", "inWrt", "input", "vec"))):
        client.post(path, whole)
        for missing in keys:
            says(f"no '{missing}'", path, {key: value for key, value in whole.items() if key != missing})
    says("expected an integer", "/Gradient", {**whole, "outWrt": 0.5})
    says("inWrt = -1", "/Gradient", {**whole, "inWrt": -1})
    says("NaN is none", "/Gradient", json.dumps({**whole, "sens": [float("nan")] * 128}))
    says("NaN is none", "/ApplyJacobian", json.dumps({**whole, "vec": [float("inf")]}))
    says("no 'sens'", "/Gradient", {"name": "heat", "outWrt": 0, "inWrt": 0, "input": [[2]]})
    says("expected 128", "/Gradient", {"name": "heat", "outWrt": 0, "inWrt": 0, "input": [[2]], "sens": [1]})
    says("inWrt = 1", "/Gradient", {"name": "heat", "outWrt": 0, "inWrt": 1, "input": [[2]], "sens": [1]})
    says("expected 1", "/ApplyJacobian", {"name": "heat", "outWrt": 0, "inWrt": 0, "input": [[2]], "vec": [1, 1]})
    says("nested more than", "/Evaluate", "[" * 100000)
    status, text, _ = Client(port).request("POST", "/Evaluate", b"\xff\xfe{")
    assert status == 400, text
    # Any content type.
    for kind in ("application/x-www-form-urlencoded", "text/plain", "application/json"):
        body = json.dumps({"name": "heat", "input": [[2.5]]}) + " " * 9000
        status, text, _ = client.request("POST", "/Evaluate", body, {"Content-Type": kind})
        assert status == 200, text


def explorer(port):
    client = Client(port)
    heat, jump = client.get("/api/models")["models"]
    assert heat["parameters"][0]["symbol"] == "k" and heat["samples"] == 200 and heat["truth"] and heat["laws"] == ["mass"]
    low, high = heat["parameters"][0]["range"]
    assert low <= heat["parameters"][0]["train"][0] < heat["parameters"][0]["train"][1] <= high
    assert jump["function_input"] and not heat["function_input"]
    answer = client.post("/api/predict", {"model": "heat", "parameters": {"k": 2.5}, "truth": True})
    assert answer["shape"] == [16, 8, 1] and len(answer["mean"]) == len(answer["std"]) == len(answer["truth"]) == 128
    assert answer["trust"]["reasons"] == [] or answer["trust"]["score"] > 1
    exact = Client(port, "heat").evaluate([2.5])
    for a, b in zip(answer["mean"], exact[0]):
        assert a == float(f"{b:.7g}")
    far = client.post("/api/predict", {"model": "heat", "parameters": {"k": 9}, "projection": "bounded"})
    assert len(far["band"]) == 128 and min(far["band"]) > 0, "bands are calibrated after projections, too"
    assert far["truth"] is None and any("k = 9" in r for r in far["trust"]["reasons"]), far["trust"]
    sample = client.post("/api/predict", {"model": "heat", "sample": 3})
    assert len(sample["input"]) == 128
    again = client.post("/api/predict", {"model": "heat", "input": sample["input"]})
    assert again["mean"] == sample["mean"]  # inputs have all digits of single precision
    batch = client.post("/api/batch", {"model": "heat", "parameters": [{"k": 2.5}, {"k": 3}]})["results"]
    assert batch[0]["mean"] == answer["mean"] and len(batch) == 2
    for words, body in {"exactly one": {"model": "heat"}, "there are 200": {"model": "heat", "sample": 200},
                        "there are 200 ": {"model": "heat", "sample": -1}, "integer": {"model": "heat", "sample": 1.5},
                        "expected 128": {"model": "heat", "input": [1]}, "'q'": {"model": "heat", "parameters": {"q": 1}},
                        "missing": {"model": "heat", "parameters": {}}, "true or false": {
                            "model": "heat", "sample": 1, "truth": 1}, "no 'model'": {"sample": 1}}.items():
        assert words.strip() in refused(lambda: client.post("/api/predict", body)).message, (words, body)
    assert "parameters[1]" in refused(lambda: client.post(
        "/api/batch", {"model": "heat", "parameters": [{"k": 2.5}, {"k": "x"}]})).message


def strangers(port):
    """Nobody else's page, and no file."""
    def status(method, path, body=None, **headers):
        return Client(port).request(method, path, body, headers)[0]

    body = json.dumps({"name": "heat"})
    assert status("GET", "/Info", Host="evil.example") == 403  # a name of somebody else's that points here
    assert status("GET", "/Info", Host=f"evil.example:{port}") == 403
    assert status("GET", "/Info", Host="localhost.evil.example") == 403
    assert status("GET", "/Info", Host=f"localhost:{port}") == 200
    assert status("GET", "/Info", Host=f"LocalHost:{port}") == 200
    assert status("POST", "/InputSizes", body, Origin="http://evil.example") == 403
    assert status("POST", "/InputSizes", body, Origin="null") == 403
    assert status("POST", "/InputSizes", body, Origin="http://127.0.0.1:1") == 403
    assert status("POST", "/InputSizes", body, Origin=f"http://127.0.0.1:{port}") == 200
    for path in ("/etc/passwd", "/../../../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd", "/api/../etc/passwd",
                 "/heat.nouq", "/a\\..\\..", "/%00", "/proc/self/environ"):
        assert status("GET", path) == 404, path
    assert status("PUT", "/Evaluate", body) == 405 and status("DELETE", "/") == 405
    assert status("POST", "/nothing", body) == 404


def refusals_can_be_read(port):
    """By a client that sends all of what is refused first, however slowly: the connection is closed after it has read why."""
    body = b"x" * (17 << 20)
    for pieces, pause in ((17, 0), (40, 0.1)):  # the second takes longer than the server waits for one that is silent
        with Visit(port, head(length=len(body))) as one:
            size = len(body) // pieces
            for i in range(pieces):
                one.socket.sendall(body[i * size : (i + 1) * size])
                time.sleep(pause)
            text = one.read_to_the_end()
        assert text.startswith(b"HTTP/1.1 413 ") and b"expected at most 16777216 bytes" in text, text[:300]


def same_bits_under_load(port):
    values = [1.5 + 0.05 * i for i in range(40)]
    alone = [Client(port, "heat").evaluate([v]) for v in values]
    wrong = []

    def worker():
        client = Client(port, "heat")
        wrong.extend(v for v, expected in zip(values, alone) if client.evaluate([v]) != expected)

    threads = [threading.Thread(target=worker) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong, wrong


def begins(where, heat, jump):
    """The address printed can be opened, whatever is listened on; the name of --host is answered; data that fit no model are refused."""
    with serving(tool, heat, "--address", "0.0.0.0", "--host", "MyHost") as (process, port):
        for host, status in ((f"127.0.0.1:{port}", 200), (f"myhost:{port}", 200), (f"0.0.0.0:{port}", 403)):
            assert Client(port).request("GET", "/Info", None, {"Host": host})[0] == status, host
    wrong = subprocess.run([tool, "serve", jump, "--data", f"{where}/heat.npz", "--port", "0"], capture_output=True, text=True,
                           check=False, timeout=60)
    assert wrong.returncode == 2 and "none of the models" in wrong.stderr, wrong.stderr


def ends(model):
    """SIGTERM ends it as Ctrl-C does; a port that is taken is refused."""
    process = subprocess.Popen([tool, "serve", model, "--port", "0"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               text=True)
    url = process.stdout.readline().strip()
    port = int(url.rstrip("/").rsplit(":", 1)[1])
    second = subprocess.run([tool, "serve", model, "--port", str(port)], capture_output=True, text=True, check=False,
                            timeout=60)
    assert second.returncode == 2 and f"--port {port}" in second.stderr, second.stderr
    with socket.create_connection(("127.0.0.1", port)):  # an open connection does not keep it
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=10) == 0
    process.stdout.close()
    process.stderr.close()


with folder() as where:
    heat = small_model(tool, where)
    jump = small_model(tool, where, "advection-ic", "jump")
    begins(where, heat, jump)
    ends(heat)
    with serving(tool, heat, jump, "--data", f"{where}/heat.npz") as (_, at):
        for check in (um_bridge, bands, gradients, mistakes, explorer, strangers, refusals_can_be_read, same_bits_under_load):
            check(at)
            print(check.__name__, "holds")
