import assert from 'node:assert/strict';
import { test } from 'node:test';
import { missing, type RuntimeSpec, runtime } from '../../support/runtimes.ts';
import { usually } from '../../support/whole.ts';
import { lines, programNamed, type Recorded, recorded } from './recorded.ts';

const NODES = usually<RuntimeSpec>(['node', 'node@26.10.0'], ['node@22.23.3', 'node@24.21.0']);

type Check = (result: Recorded) => void;

/** @param name of the test, and of its program */
function testOnNodes(name: string, check: Check): void {
  for (const spec of NODES)
    test(`${spec}: ${name}`, { skip: missing(spec) }, async () =>
      check(await recorded({ files: programNamed(name), binary: runtime(spec).binary })),
    );
}

testOnNodes('a worker whose compiled recorder is rejected compiles it', (result) => {
  assert.deepEqual(JSON.parse(result.stdout), { first: null, isRejected: false, spoilt: true, kept: null });
  assert.equal(result.stderr, '');
  assert.deepEqual(lines(result), [
    '4 parentPort.postMessage worker worker.mjs -> main, received 4, at worker.mjs:2',
  ]);
});

testOnNodes('what a worker gets is compared with what it got before, not with what others got', (result) => {
  const once = result.messages.find(({ bytes, count }) => count === 3 && bytes!.max > 1000);
  const again = result.messages.find(({ count }) => count === 30)!;
  assert.equal(once?.receivers, 3);
  assert.equal(once?.changes, undefined);
  assert.ok(again.changes!.compared > 0);
  assert.equal(again.changes!.same, again.changes!.compared);
});

/** Node posts for all of these too: what is written to stdout of a worker, hooks, streams, its own channels. */
testOnNodes("Node's own messages are not told", (result) => {
  assert.match(result.stdout, /a line\n(?:.*\n)*got typed\n/, result.stderr);
  const own = lines(result).filter((line) => !line.includes('MessagePort.postMessage'));
  assert.deepEqual(own, [
    '1 parentPort.postMessage worker worker.mjs -> main, received 1, at worker.mjs:4',
    '1 structuredClone main -> null, at main.mjs:11',
  ]);
});

testOnNodes('a buffer that is moved to a new worker has its bytes, and hides none', ({ messages }) => {
  const { sample, transfer } = messages[0]!;
  const buffer = { is: 'buffer', bytes: 40_000, moved: true };
  assert.deepEqual(sample, { is: 'view', type: 'Float64Array', bytes: 40_000, offset: 0, on: buffer });
  assert.deepEqual([transfer.listed, transfer.hiddenBytes], [1, 0]);
});

testOnNodes(
  'a buffer that is posted again could not be transferred, and a line that posts once is told',
  ({ messages }) => {
    const told = messages.map((one) => [
      one.site.user?.line,
      one.count,
      one.estimated,
      one.transfer.possible,
    ]);
    assert.deepEqual(told.sort(), [
      [2, 4, false, 1],
      [3, 4, false, 4],
      [6, 1, false, 0],
      [7, 39, false, 0],
    ]);
  },
);
