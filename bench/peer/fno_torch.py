"""The peers: the same Fourier neural operator in PyTorch, twice.

Every speed we claim stands beside PyTorch's on the same cores in the same run. There are two networks of the same numbers:

    fft     the few lines that everybody writes: the whole Fourier transform, then the kept modes
    matrix  the strongest that we can write: the kept modes alone, as products with matrices of cosines and sines

`nouq_bench` starts this as a child process and asks for one measurement at a time over a pipe, so both sides are
interleaved:

    the first line on stdout:      ok WHAT THIS IS, or the reason why it is no peer: the reference BLAS is none
    request (one line on stdin):   step|diverse|forward fft|matrix WIDTH BATCH THREADS NX NT MODES [HEADS]
    answer  (one line on stdout):  milliseconds of one call
    another request:               export fft|matrix WIDTH BATCH THREADS NX NT MODES HEADS FILE: the network for ONNX Runtime,
                                   with inputs in FILE.in and its outputs to them in FILE.out

Run by hand:  echo "step matrix 32 20 1 100 20 12" | python3 bench/peer/fno_torch.py
"""
import copy
import ctypes
import math
import os
import re
import sys
import time
import warnings

import torch


class Symbol(ctypes.Structure):
    """What dladdr() says of an address."""

    _fields_ = [("file", ctypes.c_char_p), ("base", ctypes.c_void_p), ("name", ctypes.c_char_p), ("at", ctypes.c_void_p)]


def blas():
    """The library behind matrix products, by name; None when it is the reference BLAS, which nobody computes with."""
    if torch.backends.mkl.is_available():
        return "MKL"
    with open("/proc/self/maps") as maps:
        torch_library = ctypes.CDLL(re.search(r"/\S*/libtorch_cpu\S*", maps.read()).group())
    if not hasattr(torch_library, "sgemm_"):
        return "a BLAS of its own"
    symbol = Symbol()
    ctypes.CDLL(None).dladdr(ctypes.cast(torch_library.sgemm_, ctypes.c_void_p), ctypes.byref(symbol))
    path = os.path.realpath(symbol.file.decode())
    if "/blas/libblas" in path:
        return None
    return "OpenBLAS" if "openblas" in path else path


class Spectral(torch.nn.Module):
    def __init__(self, width, modes):
        super().__init__()
        scale = 1.0 / (width * width)
        self.modes = modes
        self.low = torch.nn.Parameter(scale * torch.rand(width, width, modes, modes, dtype=torch.cfloat))
        self.high = torch.nn.Parameter(scale * torch.rand(width, width, modes, modes, dtype=torch.cfloat))

    def forward(self, h):
        m = self.modes
        spectrum = torch.fft.rfft2(h)
        out = torch.zeros(spectrum.shape, dtype=torch.cfloat)
        out[:, :, :m, :m] = torch.einsum("bixt,ioxt->boxt", spectrum[:, :, :m, :m], self.low)
        out[:, :, -m:, :m] = torch.einsum("bixt,ioxt->boxt", spectrum[:, :, -m:, :m], self.high)
        return torch.fft.irfft2(out, s=h.shape[-2:])


class MatrixSpectral(torch.nn.Module):
    """A Spectral's function as real matrix products. Frequencies of t are 0..m-1, of x 0..m-1 and -m..-1; where a product has
    two parts they are cosines, then sines."""

    def __init__(self, spectral, nx, nt):
        super().__init__()
        m = self.modes = spectral.modes
        weight = torch.cat([spectral.low, spectral.high], 2).detach().permute(2, 3, 0, 1).flatten(0, 1)
        self.real = torch.nn.Parameter(weight.real.contiguous())  # [mode, in, out]
        self.imaginary = torch.nn.Parameter(weight.imag.contiguous())
        kt, kx = torch.arange(m), torch.cat([torch.arange(m), torch.arange(-m, 0)])
        t = 2 * math.pi / nt * torch.outer(kt, torch.arange(nt)).double()
        x = 2 * math.pi / nx * torch.outer(kx, torch.arange(nx)).double()
        twice = torch.where((kt == 0) | (2 * kt == nt), 1.0, 2.0).double()[:, None] / (nx * nt)
        self.analyse_t = torch.cat([t.cos(), -t.sin()]).float().t().contiguous()  # [nt, 2m]
        self.analyse_x = torch.cat([x.cos(), x.sin()]).float()  # [4m, nx]
        self.synthesise_x = torch.cat([x.cos(), x.sin()]).float().t().contiguous()  # [nx, 4m]
        self.synthesise_t = torch.cat([twice * t.cos(), -twice * t.sin()]).float()  # [2m, nt]

    def forward(self, h):
        m, (batch, channels) = self.modes, h.shape[:2]
        cosines, sines = (self.analyse_x @ (h @ self.analyse_t)).split(2 * m, dim=2)
        real = cosines[..., :m] + sines[..., m:]
        imaginary = cosines[..., m:] - sines[..., :m]
        real, imaginary = (z.permute(2, 3, 0, 1).reshape(-1, batch, channels) for z in (real, imaginary))
        mixed = (
            torch.baddbmm(torch.bmm(real, self.real), imaginary, self.imaginary, alpha=-1),
            torch.baddbmm(torch.bmm(real, self.imaginary), imaginary, self.real),
        )
        real, imaginary = (z.reshape(2 * m, m, batch, -1).permute(2, 3, 0, 1) for z in mixed)
        rows = torch.cat([torch.cat([real, imaginary], 3), torch.cat([-imaginary, real], 3)], 2)
        return self.synthesise_x @ rows @ self.synthesise_t


class Fno(torch.nn.Module):
    def __init__(self, width, modes, heads=1, blocks=4, padding=9):
        super().__init__()
        self.padding = padding
        self.lift = torch.nn.Linear(3, width)
        self.spectral = torch.nn.ModuleList([Spectral(width, modes) for _ in range(blocks)])
        self.pointwise = torch.nn.ModuleList([torch.nn.Conv2d(width, width, 1) for _ in range(blocks)])
        self.feature = torch.nn.Linear(width, 128)
        self.head = torch.nn.Linear(128, heads)

    def by_matrices(self, nx, nt):
        """The same network, its spectral convolutions as matrix products on grids of nx x nt points."""
        lengths = nx + self.padding, nt + self.padding
        self.spectral = torch.nn.ModuleList([MatrixSpectral(spectral, *lengths) for spectral in self.spectral])
        return self

    def forward(self, a):
        batch, nx, nt, _ = a.shape
        gx = torch.linspace(0, 1, nx).reshape(1, nx, 1, 1).expand(batch, nx, nt, 1)
        gt = torch.linspace(0, 1, nt).reshape(1, 1, nt, 1).expand(batch, nx, nt, 1)
        h = self.lift(torch.cat((a, gx, gt), dim=-1)).permute(0, 3, 1, 2)
        h = torch.nn.functional.pad(h, [0, self.padding, 0, self.padding])
        for i, (spectral, pointwise) in enumerate(zip(self.spectral, self.pointwise)):
            h = spectral(h) + pointwise(h)
            if i + 1 < len(self.spectral):
                h = torch.nn.functional.gelu(h)
        h = h[..., : -self.padding, : -self.padding].permute(0, 2, 3, 1)
        return self.head(torch.nn.functional.gelu(self.feature(h)))


def relative_l2(out, y):
    difference = torch.linalg.vector_norm((out - y).flatten(1, 2), dim=1)
    return (difference / torch.linalg.vector_norm(y.flatten(1, 2), dim=1)).sum(0).mean()


class Case:
    """One network with its data and optimiser, kept between requests so that only the call itself is timed."""

    def __init__(self, network, width, batch, nx, nt, modes, heads):
        torch.manual_seed(0)
        self.net = Fno(width, modes, heads)
        if network == "matrix":
            self.net = self.agreeing(self.net, copy.deepcopy(self.net).by_matrices(nx, nt), torch.rand(1, nx, nt, 1))
        self.adam = torch.optim.Adam(self.net.parameters(), lr=1e-3, weight_decay=1e-4)
        self.a = torch.rand(batch, nx, nt, 1)
        self.y = torch.rand(batch, nx, nt, 1) + 0.5

    @staticmethod
    def agreeing(net, other, a):
        """The other network, once it is sure that both are one function."""
        with torch.no_grad():
            expected, got = net(a), other(a)
        assert (got - expected).norm() < 1e-5 * expected.norm(), "the two networks disagree"
        return other

    def step(self):
        self.adam.zero_grad()
        relative_l2(self.net(self.a), self.y).backward()
        self.adam.step()

    def diverse(self):
        """A step with the diversity term over all pairs of head weights."""
        self.adam.zero_grad()
        weights = self.net.head.weight
        distances = (weights[:, None] - weights[None, :]).square().sum(-1)
        term = distances.sum() / (weights.shape[0] * (weights.shape[0] - 1))
        (relative_l2(self.net(self.a), self.y) - term).backward()
        self.adam.step()

    def forward(self):
        with torch.no_grad():
            self.net(self.a)

    def export(self, path):
        warnings.filterwarnings("ignore")
        with torch.no_grad():
            self.a.numpy().tofile(path + ".in")
            self.net(self.a).numpy().tofile(path + ".out")
        torch.onnx.export(self.net, (self.a,), path, opset_version=16, input_names=["a"], output_names=["u"])


def main():
    library = blas()
    if library is None:
        print("PyTorch here multiplies with the reference BLAS; install libopenblas0-pthread or name another --peer-python",
              flush=True)
        return
    print(f"ok PyTorch {torch.__version__} with {library}", flush=True)
    cases = {}
    for line in sys.stdin:
        words = line.split()
        if not words:
            continue
        (kind, network), (width, batch, threads, nx, nt, modes) = words[:2], map(int, words[2:8])
        heads = int(words[8]) if len(words) > 8 else 1
        torch.set_num_threads(threads)
        key = (network, width, batch, nx, nt, modes, heads)
        if kind == "export":
            Case(*key).export(words[9])
            print("0", flush=True)
            continue
        if key not in cases:
            cases[key] = Case(*key)
            getattr(cases[key], kind)()
        start = time.perf_counter()
        getattr(cases[key], kind)()
        print(f"{1e3 * (time.perf_counter() - start):.4f}", flush=True)


if __name__ == "__main__":
    main()
