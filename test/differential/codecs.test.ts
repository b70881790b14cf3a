/** The quick part of `npm run verify:codecs`: what arrives through a compiled codec is what a plain clone brings. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { missing, runtime } from '../support/runtimes.ts';
import { usually } from '../support/whole.ts';
import { type CodecRunner, codecRunner, compareCodecs } from './codecs.ts';

const AMOUNT = { seed: 11, values: usually([25], [120]).at(-1)!, mutations: 2 };
const RUNTIMES = usually(['node', 'bun@1.4.5'], ['deno@2.9.6']);

let runner: CodecRunner;
before(async () => {
  runner = await codecRunner();
});
after(() => runner.close());

for (const spec of RUNTIMES) {
  test(`${spec}: ${AMOUNT.values} values, and ${AMOUNT.mutations} changes of each (seed ${AMOUNT.seed})`, {
    skip: missing(spec),
  }, async () => {
    const { codecs, alone, wrong } = await compareCodecs(runner, runtime(spec), AMOUNT);
    assert.deepEqual(wrong, []);
    assert.ok(alone <= 2, `${alone} only in a process of their own`);
    assert.ok(codecs > 0.7 * AMOUNT.values, `only ${codecs} values have a codec`);
  });
}
