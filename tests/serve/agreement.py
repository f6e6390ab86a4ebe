"""The same question by UM-Bridge, by JSON and as Dakota asks it has the same answer; and a model of fields is asked by fields.

  python3 agreement.py build/release/bin/nouq
"""
import json
import math
import os
import random
import struct
import subprocess
import sys
import zipfile

from server import Client, close, folder, refused, run, serving, small_model

tool = os.path.abspath(sys.argv[1])


def write_npz(path, **arrays):
    """Arrays of single precision: NAME=(shape, values)."""
    with zipfile.ZipFile(path, "w") as file:
        for name, (shape, values) in arrays.items():
            head = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {tuple(shape)}, }}".encode()
            head += b" " * (-(len(head) + 11) % 64) + b"\n"
            file.writestr(f"{name}.npy", b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head + struct.pack(f"<{len(values)}f", *values))


def field_model(where):
    """Of own data without parameters: u(x) in, a u(x - 0.1) out, over 24 points."""
    draw, inputs, outputs = random.Random(1), [], []
    for _ in range(40):
        a, phase = draw.uniform(0.5, 1.5), draw.uniform(0, 6)
        inputs += [a * math.sin(6 * i / 23 + phase) for i in range(24)]
        outputs += [a * a * math.sin(6 * (i / 23 - 0.1) + phase) for i in range(24)]
    write_npz(f"{where}/fields.npz", inputs=((40, 24, 1), inputs), outputs=((40, 24, 1), outputs))
    run(tool, "train", "fields.npz", "-o", "fields.nouq", "--width", "8", "--modes", "4", "--count", "3", "--epochs", "30", "--threads",
        "1", cwd=where)
    return f"{where}/fields.nouq", inputs[:24]


def slopes(evaluate, gradient, apply_jacobian, at, step, sens, draw):
    """Gradient and Jacobian along a random direction against a central difference of answers, to 1e-3."""
    direction = [draw.uniform(0.5, 1.5) for _ in at]
    moved = [evaluate([a + sign * step * d for a, d in zip(at, direction)])[0] for sign in (1, -1)]
    along = apply_jacobian(at, direction)
    differences = [(high - low) / (2 * step) for high, low in zip(*moved)]
    largest = max(map(abs, differences))
    for a, b in zip(along, differences):
        close(a, b, 1e-3, largest)
    by_input = gradient(at, sens)
    total = sum(s * d for s, d in zip(sens, differences))
    size = math.sqrt(sum(s * s for s in sens) * sum(d * d for d in differences))
    close(sum(g * d for g, d in zip(by_input, direction)), total, 1e-3, size)


def gradients(port, field):
    draw = random.Random(2)
    heat, fields = Client(port, "heat"), Client(port, "fields")
    for k in (1.6, 2.1, 2.5, 2.9, 4.0):
        slopes(heat.evaluate, heat.gradient, heat.apply_jacobian, [k], 0.02, [draw.gauss(0, 1) for _ in range(128)], draw)
    for _ in range(5):
        at = [v + 0.1 * draw.gauss(0, 1) for v in field]
        slopes(fields.evaluate, fields.gradient, fields.apply_jacobian, at, 0.02, [draw.gauss(0, 1) for _ in range(24)], draw)


def asked_by_fields(port, field):
    client = Client(port, "fields")
    assert client.ask("/InputSizes") == {"inputSizes": [24]}
    assert client.ask("/OutputSizes")["outputSizes"][:2] == [24, 24]
    (model,) = [m for m in client.get("/api/models")["models"] if m["name"] == "fields"]
    assert model["parameters"] == [] and not model["truth"] and model["samples"] == 0
    answer = client.post("/api/predict", {"model": "fields", "input": field})
    exact = client.evaluate(field)
    assert answer["mean"] == [float(f"{v:.7g}") for v in exact[0]] and answer["std"] == [float(f"{v:.7g}") for v in exact[1]]
    assert "not functions of parameters" in refused(
        lambda: client.post("/api/predict", {"model": "fields", "parameters": {"k": 1}})).message
    assert "expected 24" in refused(lambda: client.evaluate(field[1:])).message
    assert "means nothing" not in refused(lambda: client.evaluate([1e39] * 24)).message  # no single precision
    far = client.post("/api/predict", {"model": "fields", "input": [9 * v for v in field]})
    assert any("leaves the training range" in reason for reason in far["trust"]["reasons"]), far["trust"]


def with_projection(port):
    """Mean, std, trust and band of every projection, by both protocols."""
    client = Client(port, "heat")
    (model,) = [m for m in client.get("/api/models")["models"] if m["name"] == "heat"]
    assert "bounded" in model["projections"] and "diagonal" in model["projections"], model["projections"]
    for projection in model["projections"]:
        answer = client.post("/api/predict", {"model": "heat", "parameters": {"k": 3.5}, "projection": projection})
        config = {"projection": projection}
        if answer["band"] is not None:
            config["coverage"] = model["coverage"]
        elif model["coverage"]:
            words = refused(lambda: client.evaluate([3.5], projection=projection, coverage=model["coverage"])).message
            assert "no band" in words, words
        exact = client.evaluate([3.5], **config)
        parts = [answer["mean"], answer["std"]] + ([answer["band"]] if "coverage" in config else [])
        for part, numbers in zip(parts, [exact[0], exact[1], exact[-1]]):
            assert part == [float(f"{v:.7g}") for v in numbers], projection
        assert exact[2][0] == answer["trust"]["score"]


def as_dakota_asks(port, where):
    """Value, deviation and score at a point of the grid, and the gradient of the mean."""
    client = Client(port, "heat")
    (model,) = [m for m in client.get("/api/models")["models"] if m["name"] == "heat"]
    x, t = (axis["coordinates"] for axis in model["axes"])
    at = 5 * len(t) + 6
    place = f"x={x[5]!r};t={t[6]!r}"
    with open(f"{where}/params.json", "w", encoding="utf-8") as file:
        json.dump({"variables": [{"label": "k", "value": 3.5}], "responses": [{"label": "u", "active_set": 3}]}, file)
    for projection in model["projections"]:
        words = ["--function", f"u=mean:{place}", "--function", f"sigma=std:{place}", "--function", "trust=score"]
        if projection != "none":  # gradients are of the mean as predicted
            with open(f"{where}/params.json", "w", encoding="utf-8") as file:
                json.dump({"variables": [{"label": "k", "value": 3.5}]}, file)
            words += ["--conserve", projection]
        run(tool, "dakota", "heat.nouq", "params.json", f"{projection}.json", *words, cwd=where)
        with open(f"{where}/{projection}.json", encoding="utf-8") as file:
            results = json.load(file)
        answer = client.evaluate([3.5], projection=projection)
        close(results["functions"]["u"], answer[0][at], 1e-12)
        close(results["functions"]["sigma"], answer[1][at], 1e-12)
        close(results["functions"]["trust"], answer[2][0], 1e-12)
        if projection == "none":
            (slope,) = client.gradient([3.5], [1.0 if i == at else 0.0 for i in range(len(answer[0]))])
            close(results["gradients"]["u"][0], slope, 1e-12)


def dakota_refuses(where):
    """What it cannot answer, by name."""
    def says(words, parameters, *functions):
        with open(f"{where}/params.json", "w", encoding="utf-8") as file:
            file.write(parameters if isinstance(parameters, str) else json.dumps(parameters))
        options = [word for function in functions for word in ("--function", function)]
        ended = subprocess.run([tool, "dakota", "heat.nouq", "params.json", "refused.json", *options], cwd=where, capture_output=True,
                               text=True, check=False)
        assert ended.returncode == 2 and words in ended.stderr, (words, ended.returncode, ended.stderr)
        assert not os.path.exists(f"{where}/refused.json")

    one, place = {"variables": [{"label": "k", "value": 2.5}]}, "mean:x=1.5;t=0.1"
    says("did you mean 'k'", {"variables": [{"label": "kk", "value": 2.5}]}, f"u={place}")
    says("'k' is missing", {"variables": []}, f"u={place}")
    says("a number as value", {"variables": [{"label": "k", "value": "2"}]}, f"u={place}")
    says("Dakota's parameters as JSON", "2.5 k\n", f"u={place}")
    says("two responses are called 'u'", one, f"u={place}", "u=score")
    says("Hessian", {**one, "responses": [{"label": "u", "active_set": 7}]}, f"u={place}")
    says("not of std", {**one, "responses": [{"label": "s", "active_set": 2}]}, "s=std:x=1.5;t=0.1")


with folder() as where:
    heat = small_model(tool, where)
    fields, field = field_model(where)
    dakota_refuses(where)
    with serving(tool, heat, fields) as (_, at):
        asked_by_fields(at, field)
        gradients(at, field)
        with_projection(at)
        as_dakota_asks(at, where)
print("agreement holds")
