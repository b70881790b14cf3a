/** Bun and Deno. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RecordedMessages } from '../../../src/model/documents/recorded/recording.ts';
import { missing, type RuntimeSpec, runtime } from '../../support/runtimes.ts';
import { usually } from '../../support/whole.ts';
import { lines, programOn, recorded, totalOf } from './recorded.ts';
import { ALL_APIS, KILLED, REACH, REACH_PRINTS, REACHED } from './web-programs.ts';

function testAllApis(spec: RuntimeSpec): void {
  /** In both directions, even for a terminated worker. */
  test(`${spec}: messages of all apis are counted once`, { skip: missing(spec) }, async () => {
    const result = await recorded(programOn(spec, ALL_APIS));
    assert.equal(result.stdout, 'done\n', result.stderr);
    const counted = lines(result).map((line) => line.replace(/, at .*/, ''));
    const toClosedPort = counted.find((line) => line.startsWith('1 MessagePort.postMessage'));
    assert.deepEqual(
      counted.filter((line) => line !== toClosedPort),
      [
        '1 BroadcastChannel.postMessage main -> null',
        '1 workerData main -> worker worker.mjs, received 1',
        ...counted.filter((line) => line.startsWith('3 MessagePort.postMessage main -> null')),
        '40 Worker.postMessage main -> worker worker.mjs, received 40',
        '40 parentPort.postMessage worker worker.mjs -> main, received 40',
        '5 structuredClone main -> null',
        '500 parentPort.postMessage worker burst.mjs -> main, received 500',
      ],
    );
    const isReply = ({ api }: { api: string }) => api === 'parentPort.postMessage';
    assert.ok(result.messages.filter(isReply).every(({ estimated }) => !estimated));
    const isList = ({ sample }: RecordedMessages) => typeof sample === 'object' && sample?.is === 'array';
    assert.equal(totalOf(result.messages.filter(isList)), 3);
    for (const { api, sample, bytes, site } of result.messages) {
      assert.notEqual(sample, null, api);
      if (api !== 'MessagePort.postMessage') assert.ok((bytes?.total ?? 0) > 0, api);
      assert.match(site.user?.file ?? '', /^(main|worker|burst)\.mjs$/, api);
    }
    assert.deepEqual(result.header.gaps, []);
  });
}

function testReach(spec: RuntimeSpec): void {
  test(`${spec}: each kind of worker and child is recorded`, { skip: missing(spec) }, async () => {
    const result = await recorded(programOn(spec, REACH));
    assert.equal(result.stdout, REACH_PRINTS, result.stderr);
    const sums = new Map<string, number>();
    for (const { api, from, count } of result.messages) {
      const sender =
        /outer/.test(from) && api === 'Worker.postMessage' ? from : from.replace(/^worker .*/, 'worker');
      sums.set(`${api} ${sender}`, (sums.get(`${api} ${sender}`) ?? 0) + count);
    }
    assert.deepEqual([...sums].map(([what, count]) => `${count} ${what}`).sort(), [...REACHED].sort());
    assert.deepEqual(result.header.gaps, []);
  });
}

/** @param exact the counters are written by the system after the process was killed */
function testKilled(spec: RuntimeSpec, exact: boolean): void {
  test(`${spec}: a process that is killed leaves what it has counted`, { skip: missing(spec) }, async () => {
    const result = await recorded({
      ...programOn(spec, KILLED),
      onOutput: { text: '2300', run: (pid) => process.kill(pid, 'SIGKILL') },
    });
    assert.equal(result.signal, 'SIGKILL');
    const count = totalOf(result.messages, 'structuredClone');
    if (exact) assert.equal(count, 2300);
    assert.ok(count >= 300 && count <= 2300, `${count}`);
    assert.deepEqual(new Set(result.messages.map(({ estimated }) => estimated)), new Set([!exact]));
  });
}

for (const spec of usually<RuntimeSpec>(['bun@1.4.5', 'deno@2.9.6'], ['bun@1.2.20', 'bun@1.3.14'])) {
  testAllApis(spec);
  testReach(spec);
  testKilled(spec, spec.startsWith('bun'));
}

test('bun: arrival is unknown if no handler reads the data', { skip: missing('bun@1.4.5') }, async () => {
  const files = {
    'main.mjs': `
const worker = new Worker(new URL('./worker.mjs', import.meta.url));
let got = 0;
worker.onmessage = () => (++got < 30 ? worker.postMessage({ tick: got }) : (console.log(got), worker.terminate()));
worker.postMessage({ tick: 0 });`,
    'worker.mjs': 'self.onmessage = ({ data }) => { self.postMessage({ re: data.tick }); };',
  };
  const result = await recorded({ files, binary: runtime('bun@1.4.5').binary });
  assert.equal(result.stdout, '30\n', result.stderr);
  const told = result.messages.map(({ api, count, received, queue }) => [api, count, received, queue?.last]);
  assert.deepEqual(told.sort(), [
    ['Worker.postMessage', 1, 1, 0],
    ['Worker.postMessage', 29, 29, 0],
    ['self.postMessage', 30, null, undefined],
  ]);
});
