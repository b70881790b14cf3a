import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { bundleScript, runScript } from '../../support/run-script.ts';
import { missing, type RuntimeSpec, runtime } from '../../support/runtimes.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { usually } from '../../support/whole.ts';

const RUNTIMES: readonly RuntimeSpec[] = usually(
  ['bun@1.4.5'],
  ['node@26.10.0', 'bun@1.3.10', 'bun@1.3.14', 'bun@1.4.0', 'node', 'node@24.21.0', 'deno@2.9.6'],
);

/** Some 2,400 values: enough for all code that looks at them to be compiled. */
const ROUNDS = 50;

const folder = tempFolder('untouched');
const script = join(folder, 'untouched.mjs');
before(() => bundleScript(join(import.meta.dirname, 'in-runtime/untouched.ts'), script));

describe('looking at values changes neither them, nor the next ones, nor built-in functions', () => {
  for (const spec of RUNTIMES)
    test(spec, { skip: missing(spec) }, async () => {
      const changed = await runScript(runtime(spec), [script, String(ROUNDS)]);
      assert.deepEqual(JSON.parse(changed), {});
    });
});
