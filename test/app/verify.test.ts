/** The rule book on real binaries, as it is and with a wrong row. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { verify } from '../../src/app/verify.ts';
import { ENGINES, STANDARD } from '../../src/engines/index.ts';
import type { Engine } from '../../src/model/rule.ts';
import type { SpecimenPair, VerifyReport } from '../../src/model/verify.ts';
import { processDriver } from '../../src/runtimes/process/driver.ts';
import { loadSpecimens } from '../../src/sources/specimens.ts';
import { missing, type RuntimeSpec, runtime } from '../support/runtimes.ts';

const specimens = await loadSpecimens(fileURLToPath(new URL('../../fixtures/payloads', import.meta.url)));
const only = (...rules: string[]) =>
  specimens.filter(({ of }: SpecimenPair) => 'rule' in of && rules.includes(of.rule));

async function verified(
  spec: RuntimeSpec,
  pairs: SpecimenPair[],
  jsc: Engine = ENGINES.jsc,
): Promise<VerifyReport> {
  return verify(
    {
      specimens: pairs,
      runtimes: [runtime(spec)],
      timeoutMs: 120_000,
      cwd: process.cwd(),
      books: { engines: { ...ENGINES, jsc }, spec: STANDARD },
    },
    { driver: processDriver, emit: () => {} },
  );
}

const RULES = ['jsc/nested-value', 'jsc/accessor', 'jsc/hidden-state'];

const skip = missing('bun@1.4.5');

test('rows that are right hold', { skip }, async () => {
  const report = await verified('bun@1.4.5', only(...RULES));
  assert.deepEqual(
    report.results.map(({ rule, holds }) => [rule, holds]),
    [...RULES].sort().map((rule) => [rule, true]),
  );
  assert.equal(report.holds, true);
});

test('a wrong row that lets nested values through is contradicted by the engine', { skip }, async () => {
  const rules = ENGINES.jsc.rules.map((rule) =>
    rule.id === 'jsc/nested-value' ? { ...rule, blocks: [] } : rule,
  );
  const report = await verified('bun@1.4.5', only('jsc/nested-value'), { ...ENGINES.jsc, rules });
  const [result] = report.results;
  assert.equal(report.holds, false);
  assert.equal(result?.holds, false);
  assert.equal(result?.fires.confirmed, false);
  assert.match(result?.why ?? '', /the engine did something else with the specimen/);
});

test('a wrong row that fires on everything is contradicted by the near miss', { skip }, async () => {
  const rules = ENGINES.jsc.rules.map((rule) =>
    rule.id === 'jsc/accessor' ? { ...rule, when: { kind: 'object' as const } } : rule,
  );
  const report = await verified('bun@1.4.5', only('jsc/accessor'), { ...ENGINES.jsc, rules });
  assert.equal(report.holds, false);
  assert.match(report.results[0]?.why ?? '', /near miss/);
});
