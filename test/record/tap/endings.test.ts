import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { allProgramsIn } from '../../support/programs.ts';
import { missing, runtime } from '../../support/runtimes.ts';
import { onlyInWhole, usually } from '../../support/whole.ts';
import { programNamed, recorded, totalOf } from './recorded.ts';

/** How often each worker posts before it ends in its own way, which is in its name. */
const WORKERS = { 'terminated-after-all': 500, 'terminated-after-one': 1, 'out-of-memory': 300, exits: 50 };
const OF_WORKERS = programNamed('workers that end');

/** Each posts as many messages as it prints, and ends in its own way. */
const ENDINGS = allProgramsIn(new URL('./endings.md', import.meta.url));

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
    assert.equal(result.messages[0]?.received, 1e6);
    assert.ok(result.written.length < 300_000, `${result.written.length} bytes`);
  });
});
