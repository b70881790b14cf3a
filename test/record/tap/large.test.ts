import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isWhole, usually } from '../../support/whole.ts';
import { recorded, totalOf } from './recorded.ts';

const MB = isWhole ? 200 : 40;
const BYTES = MB * 1_000_000;

/** Values of so many bytes, which a worker gets once. */
const VALUES = {
  'a buffer that is copied': `new Uint8Array(${BYTES}).fill(7)`,
  'texts of an object': `{ texts: Array.from({ length: 20 }, (_, i) => String.fromCharCode(97 + i).repeat(${BYTES / 20})) }`,
};

for (const [name, value] of usually(Object.entries(VALUES).slice(1), Object.entries(VALUES).slice(0, 1)))
  test(`one message of ${MB} MB: ${name}`, async () => {
    const main = `
const { Worker } = require('node:worker_threads');
const worker = new Worker(__dirname + '/worker.cjs');
worker.on('message', (length) => { console.log(length); process.exitCode = 7; worker.terminate(); });
worker.postMessage(${value});`;
    const worker = `require('node:worker_threads').parentPort.once('message', (value) =>
  require('node:worker_threads').parentPort.postMessage(value.length ?? value.texts.join('').length));`;
    const program = { files: { 'main.cjs': main, 'worker.cjs': worker } };
    const result = await recorded(program);
    assert.deepEqual([result.stdout, result.code], [`${BYTES}\n`, 7], result.stderr);
    const posted = result.messages.filter(({ api }) => api === 'Worker.postMessage');
    assert.equal(totalOf(posted), 1);
    const [{ bytes, received }] = posted as [(typeof posted)[0]];
    assert.equal(received, 1);
    assert.ok(Math.abs(bytes!.total / BYTES - 1) < 0.01, JSON.stringify(bytes));
    assert.ok(bytes!.ci[0] <= BYTES * 1.001 && bytes!.ci[1] >= BYTES, JSON.stringify(bytes));
    assert.ok(result.written.length < 300_000, `${result.written.length} bytes`);
  });
