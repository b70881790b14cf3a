import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readPreset } from '../../../src/app/world/analysis.ts';
import { buildPayload } from '../../../src/guest/payload/materialize.ts';
import { CHANNELS } from '../../../src/model/names.ts';
import { PRESET_NAMES } from '../../../src/model/vocabulary/words.ts';
import type { SweepRequest } from '../../../src/sweep/run/sizes.ts';
import { sweep } from '../../../src/sweep/run/sweep.ts';
import { MACHINE, moduleRecipe } from '../../make.ts';
import { type FakeDriver, type FakeScript, fakeDriver, fakeRuntime } from '../../support/fake-runtime.ts';
import '../../support/guest-platform.ts';

/** Measurements were requested, and share this budget. What is requested is compared: nothing is timed. */
function assertRequestsWithin(budgetMs: number, { asked }: FakeDriver): void {
  const slices = asked.flatMap(({ ask }) => (ask.type === 'measure' ? [ask.sliceMs + ask.warmupMs] : []));
  assert.notEqual(slices.length, 0);
  const requestedMs = slices.reduce((sum, ms) => sum + ms, 0);
  assert.ok(requestedMs <= budgetMs, `${requestedMs} of ${budgetMs}`);
}

const RECIPE = moduleRecipe('rows', 'rows');

const ROWS = Array.from({ length: 20 }, (_, id) => ({ id, tags: ['x'] }));

/** Values by the ids of the recipe in each of its sizes. */
const valuesOf = (sizes: readonly number[]) =>
  Object.fromEntries([['rows', ROWS], ...sizes.map((size) => [`rows, ${size} items`, ROWS])]);

interface SweepScenario extends Partial<Pick<SweepRequest, 'budgetMs' | 'totalMs' | 'channels'>> {
  script?: FakeScript;
  abortAfter?: number;
}

async function swept({
  budgetMs = 20_000,
  script = {},
  abortAfter,
  totalMs = null,
  channels = null,
}: SweepScenario) {
  const controller = new AbortController();
  let measured = 0;
  const driver = fakeDriver({
    values: valuesOf([10, 100, 1000]),
    ...script,
    fails: (ask, runtime) => {
      if (ask.type === 'measure' && ++measured === abortAfter) controller.abort();
      return script.fails?.(ask, runtime) ?? null;
    },
  });
  const request: SweepRequest = {
    subject: {
      ...{ kind: 'payload', sources: [{ kind: 'ready', recipe: RECIPE }], exports: null },
      ...{ via: null, by: null, scale: { from: 10, to: 1000 }, steps: 3 },
    },
    runtimes: { found: [fakeRuntime('node', '24.0.0')], missing: [] },
    ...{ channels, budgetMs, totalMs, timeoutMs: 1000, seed: 1, cwd: '/', signal: controller.signal },
  };
  let clock = 0;
  const tools = { driver, emit: () => undefined, now: () => (clock += 20), machine: MACHINE, version: '0' };
  return { report: await sweep(request, tools), driver };
}

test('rewrites are proven once, at the largest size, and timed at each', async () => {
  const { report, driver } = await swept({});
  const asks = driver.asked.map(({ ask }) => ask);
  const proofs = asks.filter((ask) => ask.type === 'prove');
  assert.deepEqual(new Set(proofs.map(({ recipe }) => recipe.scale?.size)), new Set([1000]));
  const plans = proofs.map(({ remedy, plan }) => JSON.stringify([remedy, plan]));
  assert.equal(new Set(plans).size, plans.length, 'each once');
  const sizes = new Set(asks.flatMap((ask) => (ask.type === 'measure' ? [ask.recipe.scale?.size] : [])));
  assert.deepEqual([...sizes], [10, 100, 1000]);
  const strategies = new Set(report.points.map(({ strategy }) => strategy));
  for (const name of ['raw', 'json-text', 'partial-text', 'bytes-transferred'])
    assert.ok(strategies.has(name), name);
  assert.equal(driver.open, 0, 'guests are left');
  const { report: stored } = await swept({ channels: ['storage'] });
  const copied = new Set(stored.points.map(({ strategy }) => strategy));
  assert.deepEqual(
    ['json-text', 'bytes-transferred'].map((name) => copied.has(name)),
    [true, false],
  );
});

test('all sizes share the budget', async () => {
  const both: SweepScenario = { budgetMs: 20_000, totalMs: 6000, channels: ['worker', 'message-port'] };
  for (const scenario of [{ budgetMs: 3000 }, { budgetMs: 30_000 }, both]) {
    const { driver } = await swept(scenario);
    assertRequestsWithin(scenario.totalMs ?? scenario.budgetMs!, driver);
  }
});

test('samples go to sizes near the crossover, of what crosses there, within the budget', async () => {
  const between = Array.from({ length: 991 }, (_, at) => 10 + at);
  const script: FakeScript = {
    values: valuesOf(between),
    times: ({ recipe }) => {
      const size = recipe.scale?.size ?? 1;
      const of = { original: { roundTrip: 100 * size }, 'json-text': { roundTrip: 20_000 + 40 * size } };
      return { of: { ...of, 'with-conversion': { roundTrip: 400 * size } }, jitter: 0.1 };
    },
  };
  const [{ report, driver }, again] = [await swept({ script }), await swept({ script })];
  const [crossover, ...others] = report.crossovers;
  assert.deepEqual([crossover?.between, others], [['raw', 'json-text'], []]);
  const truth = 20_000 / 60;
  const [low = 0, high = 0] = crossover?.ci ?? [];
  assert.ok(low < truth && truth < high && high / low < 1.25, `${low} to ${high}`);
  const more = report.points.filter(({ size }) => ![10, 100, 1000].includes(size));
  assert.ok(more.length > 0 && more.every(({ size }) => size > 100 && size < 1000));
  assert.deepEqual(new Set(more.map(({ strategy }) => strategy)), new Set(['raw', 'json-text']));
  const sizes = report.points.map(({ size }) => size);
  assert.deepEqual(
    sizes,
    [...sizes].sort((a, b) => a - b),
  );
  assert.deepEqual(again.report, report);
  assertRequestsWithin(20_000, driver);
});

test('results from before an interruption are kept', async () => {
  const { report, driver } = await swept({ abortAfter: 4 });
  assert.ok(report.interrupted);
  assert.ok(report.points.length > 0 && report.points.length < 12, `${report.points.length} points`);
  assert.equal(driver.open, 0, 'guests are left');
});

test('a strategy that fails at one size fails there only', async () => {
  const { report } = await swept({
    script: {
      times: ({ recipe }) =>
        recipe.scale?.size === 100 ? { of: { 'json-text': { roundTrip: 1, error: 'too odd' } } } : {},
    },
  });
  const texts = report.points.filter(({ strategy }) => strategy === 'json-text');
  assert.deepEqual(
    texts.map(({ size, error }) => [size, error?.message ?? null]),
    [
      [10, null],
      [100, 'too odd'],
      [1000, null],
    ],
  );
  assert.ok(report.points.every(({ strategy, roundTrip }) => strategy !== 'raw' || roundTrip !== null));
});

describe('presets', () => {
  for (const name of PRESET_NAMES)
    test(`${name}: its payloads have the sizes that it lists, and each figure has one`, async () => {
      const { file, series, published, channel } = await readPreset(name);
      assert.ok(CHANNELS.includes(channel));
      for (const { export: made, sizes, unit } of series)
        for (const size of sizes) {
          const build = { form: 'module', file, original: name, export: made, size } as const;
          const { value } = await buildPayload({ id: name, source: { file: name, export: null }, build });
          assert.equal(sizeOf(value, unit), size, `${made} ${size}`);
        }
      for (const { series: of, values } of published)
        assert.equal(values.length, series.find(({ id }) => id === of)?.sizes.length, of);
    });
});

function sizeOf(value: unknown, unit: string): number {
  if (unit === 'keys') return Object.keys(value as object).length;
  if (unit === 'items') return (value as unknown[]).length;
  return typeof value === 'string' ? value.length : (value as { property: string }).property.length;
}

test('remedies that do not restore an equal payload are left out', async () => {
  const { report } = await swept({
    script: { proofs: { 'json-text': { equality: 'lossy', losses: [{ path: '$', what: 'lost' }] } } },
  });
  assert.ok(report.points.every(({ strategy }) => strategy !== 'json-text'));
  assert.deepEqual(
    report.leftOut.map(({ strategy, reason }) => `${strategy}: ${reason}`),
    ['json-text: $: lost'],
  );
});
