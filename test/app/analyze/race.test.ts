import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { GuestRequest } from '../../../src/model/wire/wire.ts';
import { moduleRecipe } from '../../make.ts';
import { type FakeDriver, fakeDriver, fakeRuntime } from '../../support/fake-runtime.ts';
import { analyzed } from './analyzed.ts';

const VALUES: Record<string, unknown> = {
  rows: { rows: Array.from({ length: 200 }, (_, id) => ({ id, name: `row ${id}`, geo: { lat: id } })) },
  number: 42,
};

/** A run of two runtimes with what was asked of them, and how many guests were open while they measured. */
async function raced(id: string, of: Record<string, { roundTrip: number }> = {}) {
  const open: number[] = [];
  const driver: FakeDriver = fakeDriver({
    values: VALUES,
    times: { of, jitter: 0.02 },
    fails: ({ type }) => {
      if (type === 'measure' || type === 'memory') open.push(driver.open);
      return null;
    },
  });
  const report = await analyzed(
    {
      sources: [{ kind: 'ready', recipe: moduleRecipe(id, 'default') }],
      runtimes: { found: [fakeRuntime('node', '24.0.0'), fakeRuntime('bun', '1.4.5')], missing: [] },
      budgetMs: 5000,
    },
    { driver },
  );
  assert.equal(driver.open, 0, 'no guest is left open');
  const asked = (type: GuestRequest['type']) =>
    driver.asked.flatMap(({ ask }) => (ask.type === type ? ask : []));
  const measures = asked('measure') as Extract<GuestRequest, { type: 'measure' }>[];
  return { runs: report.payloads[0]!.runs, open, measures };
}

test('a measured guest runs alone, with and without rewrites', async () => {
  for (const id of Object.keys(VALUES)) {
    const { runs, open } = await raced(id);
    assert.deepEqual(
      runs.map(({ status }) => status),
      ['measured', 'measured'],
    );
    assert.ok(open.length >= 6 && open.every((guests) => guests === 1), `${id}: ${open}`);
  }
});

test('in-place times are taken for the best rewrite alone, one-way times for the original and the floor alone', async () => {
  const { runs, measures } = await raced('rows', {
    'json-text/with-conversion': { roundTrip: 40_000 },
    'with-conversion': { roundTrip: 150_000 },
    'json-text/in-place': { roundTrip: 20_000 },
  });
  for (const { trials, advice } of runs) {
    assert.equal(advice?.remedy, 'json-text');
    assert.ok(trials.length > 1);
    assert.deepEqual(
      trials.filter(({ inPlace }) => inPlace !== null).map(({ remedy }) => remedy),
      ['json-text'],
    );
  }
  for (const { oneWay, dropBeyond } of measures) {
    assert.deepEqual(oneWay, ['floor', 'original']);
    assert.ok(dropBeyond !== undefined);
  }
});

// Payloads whose every message takes seconds.

/** Each proof takes so long. */
async function provenIn(proofMs: number, budgetMs: number) {
  let clock = 0;
  const driver = fakeDriver({
    values: VALUES,
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
