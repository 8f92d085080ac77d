// SPDX-License-Identifier: Apache-2.0
// Runs many small models in one process and writes what ONNX Runtime answers, optimisation disabled.
// usage: node run_ort.mjs IN.json IN.bin OUT.json OUT.bin       ($ORT_NODE_HOME holds node_modules/onnxruntime-node)
import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';

const home = path.resolve(process.env.ORT_NODE_HOME ?? '.', 'package.json');
const ort = createRequire(home)('onnxruntime-node');
const [indexFile, blobFile, outIndexFile, outBlobFile] = process.argv.slice(2);

const ARRAYS = {
  float32: Float32Array, int8: Int8Array, uint8: Uint8Array, bool: Uint8Array, int16: Int16Array, uint16: Uint16Array,
  int32: Int32Array, uint32: Uint32Array, int64: BigInt64Array,
};

const blob = fs.readFileSync(blobFile);
const slice = ([at, size]) => Uint8Array.from(blob.subarray(at, at + size));
const tensorOf = e => new ort.Tensor(e.type, new ARRAYS[e.type](slice(e.data).buffer), e.shape);

const parts = [];
let written = 0;
function store(name, tensor) {
  if (!ARRAYS[tensor.type]) throw new Error(`output of type ${tensor.type}`);
  const data = Buffer.from(tensor.data.buffer, tensor.data.byteOffset, tensor.data.byteLength);
  parts.push(Buffer.from(data));
  written += data.length;
  return { name, type: tensor.type, shape: tensor.dims, data: [written - data.length, data.length] };
}

async function runCase(entry) {
  const session = await ort.InferenceSession.create(slice(entry.model), {
    graphOptimizationLevel: 'disabled', executionProviders: ['cpu'], logSeverityLevel: 4, intraOpNumThreads: 1,
  });
  const feeds = Object.fromEntries(entry.inputs.map(e => [e.name, tensorOf(e)]));
  const results = await session.run(feeds);
  const outputs = session.outputNames.map(name => store(name, results[name]));
  await session.release();
  return { outputs };
}

const answers = [];
for (const entry of JSON.parse(fs.readFileSync(indexFile, 'utf8'))) {
  try {
    answers.push(await runCase(entry));
  } catch (e) {
    answers.push({ error: String(e.message ?? e) });
  }
}
fs.writeFileSync(outIndexFile, JSON.stringify(answers));
fs.writeFileSync(outBlobFile, Buffer.concat(parts));
