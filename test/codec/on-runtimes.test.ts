/** The cases of the remedies in the other runtimes, one process each; in Node: remedies.test.ts. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { bundleScript, runScript } from '../support/run-script.ts';
import { MAIN_RUNTIMES, missing, runtime } from '../support/runtimes.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { CASES } from './cases/index.ts';

const script = join(tempFolder('remedies'), 'outcomes.mjs');
before(() => bundleScript(fileURLToPath(new URL('./in-runtime/outcomes.ts', import.meta.url)), script));

for (const spec of MAIN_RUNTIMES.filter((one) => one !== 'node'))
  test(`${spec}: every case has its outcome`, { skip: missing(spec) }, async () => {
    const answer = JSON.parse(await runScript(runtime(spec), [script]));
    // Blobs are for databases of browsers. Bun 1.2.20 cannot read a clone of one.
    const blobs = spec !== 'bun@1.2.20';
    assert.deepEqual(answer, { cases: Object.values(CASES).flat().length, blobs, otherwise: [] });
  });
