// A peer for inference: ONNX Runtime with the network that bench/peer/fno_torch.py has exported.
//
//   the first line on stdout:      ok WHAT THIS IS, or the reason why it is no peer
//   request (one line on stdin):   forward FILE BATCH NX NT THREADS
//   answer  (one line on stdout):  milliseconds of one call
//
// The network is used once it is sure that it gives what PyTorch gave (FILE.out) to the same inputs (FILE.in).
'use strict';

const fs = require('node:fs');
const readline = require('node:readline');

function runtime() {
  try {
    return require('onnxruntime-node');
  } catch (error) {
    console.log(`ONNX Runtime is not there; './run bench' fetches it with npm (${error.code})`);
    process.exit(0);
  }
}

const ort = runtime();

function floats(path) {
  const bytes = fs.readFileSync(path);
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
}

function requireAgreement(got, wanted) {
  let difference = 0, size = 0;
  for (let i = 0; i < wanted.length; ++i) {
    difference += (got[i] - wanted[i]) ** 2;
    size += wanted[i] ** 2;
  }
  if (got.length !== wanted.length || !(difference < 1e-10 * size)) throw new Error('ONNX Runtime and PyTorch disagree');
}

const cases = new Map();

// The file of one path changes from row to row: its time is part of the name.
async function caseOf(path, shape, threads) {
  const name = [path, fs.statSync(path).mtimeMs, threads].join(' ');
  if (!cases.has(name)) {
    const session = await ort.InferenceSession.create(path, {
      intraOpNumThreads: threads, interOpNumThreads: 1, executionMode: 'sequential', graphOptimizationLevel: 'all',
    });
    const inputs = {a: new ort.Tensor('float32', floats(path + '.in'), shape)};
    requireAgreement((await session.run(inputs)).u.data, floats(path + '.out'));
    cases.set(name, {session, inputs});
  }
  return cases.get(name);
}

async function main() {
  console.log(`ok ONNX Runtime ${ort.env.versions.node}`);
  for await (const line of readline.createInterface({input: process.stdin})) {
    const [, path, ...numbers] = line.split(' ');
    const [batch, nx, nt, threads] = numbers.map(Number);
    const {session, inputs} = await caseOf(path, [batch, nx, nt, 1], threads);
    const start = process.hrtime.bigint();
    await session.run(inputs);
    console.log((Number(process.hrtime.bigint() - start) / 1e6).toFixed(4));
  }
}

main();
