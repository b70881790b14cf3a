/** Payloads whose every message takes seconds. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { moduleRecipe } from '../../make.ts';
import { fakeDriver } from '../../support/fake-runtime.ts';
import { analyzed } from './analyzed.ts';

const rows = { rows: Array.from({ length: 200 }, (_, id) => ({ id, name: `row ${id}`, geo: { lat: id } })) };

/** Each proof takes so long. */
async function provenIn(proofMs: number, budgetMs: number) {
  let clock = 0;
  const driver = fakeDriver({
    values: { rows },
    times: { of: {}, jitter: 0.02 },
    fails: ({ type }) => {
      if (type === 'prove') clock += proofMs;
      return null;
    },
  });
  const sources = [{ kind: 'ready' as const, recipe: moduleRecipe('rows', 'default') }];
  const report = await analyzed(
    { sources, budgetMs, timeoutMs: 60_000 },
    { driver, now: () => (clock += 50) },
  );
  const { runs } = report.payloads[0]!;
  const untried = (runs[0]!.advice!.untried ?? []).map(({ reason }) => reason);
  return { proofs: driver.asked.filter(({ ask }) => ask.type === 'prove').length, untried, run: runs[0]! };
}

test('proofs that take the whole budget are not followed by others: the reason says so', async () => {
  const all = await provenIn(100, 5000);
  assert.ok(all.proofs > 1);
  assert.deepEqual(all.untried, []);
  const few = await provenIn(11_000, 5000);
  assert.equal(few.proofs, 1);
  assert.equal(few.run.status, 'measured');
  assert.deepEqual(
    new Set(few.untried),
    new Set(['proving those before it took all of the budget. Raise -b']),
  );
});

test('a short budget does not leave rewrites unproven', async () => {
  const { proofs, untried } = await provenIn(500, 300);
  assert.ok(proofs > 1);
  assert.deepEqual(untried, []);
});
