import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { missing, runtime } from '../../support/runtimes.ts';
import { onlyInWhole, usually } from '../../support/whole.ts';
import { type Program, recorded, totalOf } from './recorded.ts';

/** How often each worker posts before it ends in its own way, which is in its name. */
const WORKERS = { 'terminated-after-all': 500, 'terminated-after-one': 1, 'out-of-memory': 300, exits: 50 };
const WORKER = "const { parentPort } = require('node:worker_threads');";
const OF_WORKERS: Program['files'] = {
  'main.cjs': `
const { Worker } = require('node:worker_threads');
const started = (name, options) => new Worker(__dirname + '/' + name + '.cjs', options);
for (const [name, most] of [['terminated-after-all', 500], ['terminated-after-one', 1]]) {
  const worker = started(name);
  let got = 0;
  worker.on('message', () => { if (++got === most) worker.terminate(); });
}
const resourceLimits = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 };
started('out-of-memory', { resourceLimits }).on('message', () => undefined).on('error', (error) => console.log(error.code));
started('exits').on('message', () => undefined).on('exit', (code) => console.log(code));`,
  'terminated-after-all.cjs': `${WORKER} for (let i = 0; i < 500; i++) parentPort.postMessage({ i, text: 'x'.repeat(i) });
setInterval(() => undefined, 1000);`,
  'terminated-after-one.cjs': `${WORKER} parentPort.postMessage({ only: 'one' }); setInterval(() => undefined, 1000);`,
  'out-of-memory.cjs': `${WORKER} for (let i = 0; i < 300; i++) parentPort.postMessage({ i });
const kept = []; for (;;) kept.push(new Array(10000).fill({}));`,
  'exits.cjs': `${WORKER} for (let i = 0; i < 50; i++) parentPort.postMessage(i); process.exit(3);`,
};

/** Each posts as many messages as it prints, and ends in its own way. */
const ENDINGS: Record<string, Program['files']> = {
  'process.exit with a worker that runs': {
    'main.cjs': `const worker = new (require('node:worker_threads').Worker)(__dirname + '/worker.cjs');
worker.on('message', () => { for (let i = 0; i < 70; i++) structuredClone([i]); console.log(70); process.exit(0); });`,
    'worker.cjs': `require('node:worker_threads').parentPort.postMessage(1); setInterval(() => undefined, 1000);`,
  },
  'a worker of a worker, terminated by it': {
    'main.cjs': `new (require('node:worker_threads').Worker)(__dirname + '/outer.cjs').on('exit', () => console.log(400));`,
    'outer.cjs': `const worker = new (require('node:worker_threads').Worker)(__dirname + '/inner.cjs');
worker.on('message', () => worker.terminate());`,
    'inner.cjs': `for (let i = 0; i < 400; i++) structuredClone({ i });
require('node:worker_threads').parentPort.postMessage(1); setInterval(() => undefined, 1000);`,
  },
  'an error that nobody catches, and messages on exit': {
    'main.cjs': `process.on('exit', () => { for (let i = 0; i < 20; i++) structuredClone({ i }); console.log(20); });
for (let i = 0; i < 90; i++) structuredClone('text'); console.log(90); throw new Error('ends');`,
  },
  abort: {
    'main.cjs': `for (let i = 0; i < 60; i++) structuredClone([]); console.log(60); setTimeout(() => process.abort(), 500);`,
  },
};

describe('a recording is complete', () => {
  for (const spec of usually(['node'], ['node@24.21.0'])) {
    test(`${spec}: ${Object.keys(WORKERS).join(', ')}`, { skip: missing(spec) }, async () => {
      const result = await recorded({ files: OF_WORKERS, binary: runtime(spec).binary });
      const printed = result.stdout.trim().split('\n').sort();
      assert.deepEqual(printed, ['3', 'ERR_WORKER_OUT_OF_MEMORY'], result.stderr);
      for (const [name, count] of Object.entries(WORKERS)) {
        const posted = result.messages.filter(({ from }) => from === `worker ${name}.cjs`);
        assert.equal(totalOf(posted, 'parentPort.postMessage'), count, name);
        assert.ok(
          posted.every(({ estimated, sample }) => !estimated && sample !== null),
          name,
        );
      }
    });
    for (const [ending, files] of Object.entries(ENDINGS)) {
      test(`${spec}: ${ending}`, { skip: missing(spec) }, async () => {
        const result = await recorded({ files, binary: runtime(spec).binary });
        const posted = result.messages.filter((one) => one.api === 'structuredClone');
        const printed = result.stdout.split('\n').reduce((sum, line) => sum + Number(line), 0);
        assert.equal(totalOf(posted), printed, result.stderr);
        assert.deepEqual(new Set(posted.map((one) => one.estimated)), new Set([ending === 'abort']));
        for (const { sample } of posted) assert.notEqual(sample, null);
      });
    }
  }

  test('a million messages make small files with exact counts', { skip: onlyInWhole }, async () => {
    const program = `
const { MessageChannel, receiveMessageOnPort } = require('node:worker_threads');
const { port1, port2 } = new MessageChannel();
for (let i = 0; i < 1e6; i++) { port1.postMessage({ i, text: 'x' }); receiveMessageOnPort(port2); }
port1.close();`;
    const result = await recorded({ files: { 'main.cjs': program } });
    assert.equal(result.code, 0, result.stderr);
    assert.equal(totalOf(result.messages), 1e6);
    assert.ok(result.written.length < 300_000, `${result.written.length} bytes`);
  });
});
