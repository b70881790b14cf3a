import assert from 'node:assert/strict';
import { test } from 'node:test';
import { missing, runtime } from '../../support/runtimes.ts';
import { usually } from '../../support/whole.ts';
import { testAllApis, testKilled, testReach, testStealth } from './other-runtimes.ts';
import { recorded } from './recorded.ts';

for (const spec of usually(['bun@1.4.5'], ['bun@1.2.20', 'bun@1.3.14'])) {
  testAllApis(spec);
  testReach(spec);
  testKilled(spec, true);
}
for (const spec of usually(['bun@1.4.5'], ['bun@1.2.20'])) testStealth(spec);

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
