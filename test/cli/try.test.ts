/** `--try` with real packages and runtimes: what is in the table, what is lost, what a stored report says. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { analyze } from '../../src/index.ts';
import type { Report } from '../../src/model/documents/report.ts';
import { reportSchema } from '../../src/model/documents/report.ts';
import type { Trial } from '../../src/model/documents/trial.ts';
import { realCli } from '../support/real-cli.ts';
import { missing, type RuntimeSpec, runtime } from '../support/runtimes.ts';
import { ROOT } from '../support/spawn-cli.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { usually } from '../support/whole.ts';

const folder = tempFolder('try');
mkdirSync(join(folder, 'fixtures'));
symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
// Few orders: many messages fit a small budget.
const { orders, ...page } = JSON.parse(readFileSync(join(ROOT, 'fixtures/orders.json'), 'utf8'));
writeFileSync(join(folder, 'fixtures/orders.json'), JSON.stringify({ ...page, orders: orders.slice(0, 5) }));
writeFileSync(
  join(folder, 'mine.mjs'),
  `export const title = 'one text';
export const apply = (payload) => JSON.stringify(payload);
export const restore = (message) => JSON.parse(message);\n`,
);
writeFileSync(
  join(folder, 'lossy.ts'),
  `export default {
  apply: (payload: { orders: object[] }): string => JSON.stringify({ ...payload, orders: payload.orders.slice(1) }),
  restore: (message: string): unknown => JSON.parse(message),
};\n`,
);
const TRIES = ['msgpackr', './mine.mjs'];
const BUDGET = ['-b', '300ms'];

const trialIn = (report: Report, remedy: string): Trial => {
  const { trials = [], error } = report.payloads[0]?.runs[0] ?? {};
  const trial = trials.find((one) => one.remedy === remedy);
  assert.ok(trial, `${trials.map((one) => one.remedy).join()} ${error?.message}`);
  return trial;
};

for (const spec of usually<RuntimeSpec>(['bun@1.4.5'], ['node', 'deno@2.9.6'])) {
  test(`${spec}: a serializer and the user's module are proven and timed, and a loss is reported`, {
    skip: missing(spec),
  }, async () => {
    const binary = spec === 'node' ? 'node' : runtime(spec).binary;
    const args = ['analyze', 'fixtures/orders.json', '--try', ...TRIES, 'lossy.ts', '-r', binary, ...BUDGET];
    const { code, stdout, stderr } = await realCli([...args, '-f', 'json', 'terminal=table.txt'], {
      cwd: folder,
    });
    assert.deepEqual([code, stderr], [0, 'wrote table.txt\n']);
    assert.match(
      readFileSync(join(folder, 'table.txt'), 'utf8'),
      /^ {2}msgpackr .*\d[\s\S]*^ {2}mine\.mjs .*\d|^ {2}mine\.mjs .*\d[\s\S]*^ {2}msgpackr .*\d/m,
    );
    assert.ok(!stdout.includes(folder), 'the report names no folder of this machine');
    const report = reportSchema.parse(JSON.parse(stdout)) as Report;
    for (const remedy of ['msgpackr', 'mine.mjs']) {
      const { equality, outcome, reason } = trialIn(report, remedy);
      assert.deepEqual([equality, reason], ['equal', undefined], remedy);
      assert.notEqual(outcome, 'refused', remedy);
    }
    assert.deepEqual(trialIn(report, 'mine.mjs').plan, { path: '$', module: 'mine.mjs', title: 'one text' });
    const lossy = trialIn(report, 'lossy.ts');
    assert.equal(lossy.equality, 'lossy');
    assert.ok(lossy.losses.some(({ path }) => path === '$.orders'));
    assert.notEqual(report.payloads[0]?.runs[0]?.advice?.remedy, 'lossy.ts');
  });
}

test('the library takes them too', async () => {
  const options = { cwd: folder, runtimes: ['node'], budgetMs: 100, try: TRIES };
  const report = await analyze('fixtures/orders.json', options);
  for (const remedy of ['msgpackr', 'mine.mjs']) assert.equal(trialIn(report, remedy).equality, 'equal');
  await assert.rejects(
    analyze('fixtures/orders.json', { ...options, try: ['none'] }),
    /rewrite 'none' is neither/,
  );
});
