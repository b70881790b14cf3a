/** Data of other packages: the verdicts on it must be what Node and Bun really do. */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { analyze } from '../../../src/faces/library/runs.ts';
import { missing, runtime } from '../../support/runtimes.ts';
import { ROOT } from '../../support/spawn-cli.ts';
import { onlyInWhole } from '../../support/whole.ts';

const { resolve } = createRequire(import.meta.url);
const FILES = [
  resolve('mime-db/db.json'),
  join(ROOT, 'node_modules', 'caniuse-lite', 'data', 'agents.js'),
  join(ROOT, 'node_modules', '@mdn', 'browser-compat-data', 'data.json'),
];
/** Beyond this size the engine is asked only when the payload is measured. */
const ASKED_BELOW_BYTES = 1_000_000;

test('no verdict on the data of other packages is wrong', {
  skip: missing('bun@1.4.5') || onlyInWhole,
}, async () => {
  const bun = runtime('bun@1.4.5');
  const report = await analyze(FILES, { runtimes: ['node', bun.binary], measure: false });
  assert.ok(report.payloads.length > 3, 'each export of a module is a payload');
  for (const { id, error, runs } of report.payloads) {
    assert.equal(error, null, id);
    assert.deepEqual(
      runs.map((run) => run.runtime.name),
      ['node', 'bun'],
      id,
    );
    for (const { runtime: where, status, verdict, shape } of runs) {
      const place = `${id} on ${where.name}`;
      assert.equal(status, 'classified', place);
      const small = (shape?.jsonBytes ?? Number.POSITIVE_INFINITY) < ASKED_BELOW_BYTES;
      assert.equal(verdict?.confirmed, small ? true : null, place);
    }
  }
});
