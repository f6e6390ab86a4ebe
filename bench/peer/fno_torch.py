"""The peer: the same Fourier neural operator, a few lines of PyTorch.

It exists so that every speed we claim stands beside PyTorch's on the same cores in the same run. `nouq-bench` starts it
as a child process and asks for one measurement at a time over a pipe, so both sides are interleaved:

    request (one line on stdin):   step|diverse|forward WIDTH BATCH THREADS NX NT MODES [HEADS]
    answer  (one line on stdout):  milliseconds of one call

Run by hand:  echo "step 32 20 1 100 20 12" | python3 bench/peer/fno_torch.py
"""
import sys
import time

import torch


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


class Fno(torch.nn.Module):
    def __init__(self, width, modes, heads=1, blocks=4, padding=9):
        super().__init__()
        self.padding = padding
        self.lift = torch.nn.Linear(3, width)
        self.spectral = torch.nn.ModuleList([Spectral(width, modes) for _ in range(blocks)])
        self.pointwise = torch.nn.ModuleList([torch.nn.Conv2d(width, width, 1) for _ in range(blocks)])
        self.feature = torch.nn.Linear(width, 128)
        self.head = torch.nn.Linear(128, heads)

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

    def __init__(self, width, batch, nx, nt, modes, heads):
        torch.manual_seed(0)
        self.net = Fno(width, modes, heads)
        self.adam = torch.optim.Adam(self.net.parameters(), lr=1e-3, weight_decay=1e-4)
        self.a = torch.rand(batch, nx, nt, 1)
        self.y = torch.rand(batch, nx, nt, 1) + 0.5

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


def main():
    cases = {}
    for line in sys.stdin:
        words = line.split()
        if not words:
            continue
        kind, (width, batch, threads, nx, nt, modes) = words[0], map(int, words[1:7])
        heads = int(words[7]) if len(words) > 7 else 1
        torch.set_num_threads(threads)
        key = (width, batch, nx, nt, modes, heads)
        if key not in cases:
            cases[key] = Case(*key)
            getattr(cases[key], kind)()
        start = time.perf_counter()
        getattr(cases[key], kind)()
        print(f"{1e3 * (time.perf_counter() - start):.4f}", flush=True)


main()
