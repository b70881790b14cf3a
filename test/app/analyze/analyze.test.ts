/** Analyses of payloads on fake runtimes, by a clock that costs. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { analyze, fileNamePart } from '../../../src/app/analyze/analyze.ts';
import type { AnalyzeRequest, Tools } from '../../../src/app/job/job.ts';
import { isOwnList } from '../../../src/app/job/prove.ts';
import type { Facts } from '../../../src/model/documents/shape.ts';
import { ToolError } from '../../../src/model/errors.ts';
import type { AppEvent } from '../../../src/model/run/events.ts';
import type { GuestRequest, RequestOf } from '../../../src/model/wire/wire.ts';
import { MACHINE, moduleRecipe } from '../../make.ts';
import { type FakeDriver, type FakeScript, fakeDriver, fakeRuntime } from '../../support/fake-runtime.ts';

type Given = Pick<AnalyzeRequest, 'sources'> & Partial<AnalyzeRequest>;

/** On Node over a worker for one second, if `request` does not say otherwise; each reading of the clock costs 50 ms. */
async function analyzed(script: FakeScript, request: Given, now?: Tools['now']) {
  let clock = 0;
  const events: AppEvent[] = [];
  /** How many guests were open while one measured. */
  const open: number[] = [];
  const driver: FakeDriver = fakeDriver({
    ...script,
    fails: (ask, runtime) => {
      if (ask.type === 'measure' || ask.type === 'memory') open.push(driver.open);
      return script.fails?.(ask, runtime) ?? null;
    },
  });
  const { payloads } = await analyze(
    {
      runtimes: { found: [fakeRuntime('node', '24.0.0')], missing: [] },
      ...{ channels: null, exports: null, via: [], measure: true, seed: 1 },
      ...{ budgetMs: 1000, timeoutMs: 1000, cwd: '/', ...request },
    },
    {
      ...{ driver, emit: (event) => events.push(event), machine: MACHINE, version: '0.0.0' },
      now: now ?? (() => (clock += 50)),
    },
  );
  assert.equal(driver.open, 0, 'no guest is left open');
  const all = driver.asked.map(({ ask }) => ask);
  const asked = <T extends GuestRequest['type']>(type: T) =>
    all.filter((ask) => ask.type === type) as RequestOf<T>[];
  const told = (type: 'note' | 'warning') =>
    events.flatMap((event) => (event.type === type ? [event.text] : [])).join('\n');
  return { payloads, runs: payloads[0]?.runs ?? [], all, asked, events, told, open };
}

const ready = (id: string, name = 'default', file?: string): AnalyzeRequest['sources'] => [
  { kind: 'ready', recipe: moduleRecipe(id, name, file) },
];

// The race of rewrites.

const VALUES: Record<string, unknown> = {
  rows: { rows: Array.from({ length: 200 }, (_, id) => ({ id, name: `row ${id}`, geo: { lat: id } })) },
  number: 42,
};

const raced = (id: string, of: Record<string, { roundTrip: number }> = {}) =>
  analyzed(
    { values: VALUES, times: { of, jitter: 0.02 } },
    {
      sources: ready(id),
      runtimes: { found: [fakeRuntime('node', '24.0.0'), fakeRuntime('bun', '1.4.5')], missing: [] },
      budgetMs: 5000,
    },
  );

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
  const { runs, asked } = await raced('rows', {
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
  for (const { oneWay, dropBeyond } of asked('measure')) {
    assert.deepEqual(oneWay, ['floor', 'original']);
    assert.ok(dropBeyond !== undefined);
  }
});

/** Each proof takes so long: every message of such payloads takes seconds. */
async function provenIn(proofMs: number, budgetMs: number) {
  let clock = 0;
  const fails: FakeScript['fails'] = ({ type }) => {
    if (type === 'prove') clock += proofMs;
    return null;
  };
  const script = { values: VALUES, times: { jitter: 0.02 }, fails };
  const request = { sources: ready('rows'), budgetMs, timeoutMs: 60_000 };
  const { runs, asked } = await analyzed(script, request, () => (clock += 50));
  const untried = (runs[0]!.advice!.untried ?? []).map(({ reason }) => reason);
  return { proofs: asked('prove').length, untried, run: runs[0]! };
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
    new Set(['proving those before it took all of the budget. Raise it: -b 30s']),
  );
});

test('a short budget does not leave rewrites unproven', async () => {
  const { proofs, untried } = await provenIn(500, 300);
  assert.ok(proofs > 1);
  assert.deepEqual(untried, []);
});

// A time for all runs together.

const START_MS = 100;
const RECORDS = Array.from({ length: 20 }, (_, id) => ({ id, geo: { lat: id / 7, lon: id } }));

const msOf = (ask: GuestRequest): number =>
  ask.type === 'measure' ? ask.sliceMs + ask.warmupMs + START_MS : ask.type === 'memory' ? START_MS : 20;

/**
 * "open" stays undecided for long: its processes disagree. Each request takes its time of a fake clock.
 *
 * @param lost the process that measures and crashes, by its number; 0: none
 */
async function withinTotal(names: readonly string[], totalMs: number, lost = 0) {
  let clock = 0;
  let measured = 0;
  const script: FakeScript = {
    values: Object.fromEntries(names.map((name) => [`m#${name}`, RECORDS])),
    times: (ask) => {
      const ratio = ask.recipe.id === 'm#open' ? (ask.seed % 2 === 0 ? 0.97 : 0.75) : 0.4;
      const of = { original: { roundTrip: 1_000_000 }, 'with-conversion': { roundTrip: 1_000_000 * ratio } };
      return { jitter: 0.02, of };
    },
    fails: (ask) => {
      clock += msOf(ask);
      const isLost = ask.type === 'measure' && ++measured === lost;
      return isLost ? new ToolError('guest-crashed', { detail: 'SIGKILL' }) : null;
    },
    starts: ({ spec }, { onNote }) => {
      if (lost > 0 && measured === 0) onNote?.(`${spec} is started once more: as an example`);
    },
  };
  const request: Given = {
    sources: [{ kind: 'open', recipe: moduleRecipe('m', '*') }],
    runtimes: { found: [fakeRuntime('bun', '1.4.5')], missing: [] },
    totalMs,
  };
  const ended = await analyzed(script, request, () => clock);
  const measuring = (name: string) =>
    ended.asked('measure').filter(({ recipe }) => recipe.id === `m#${name}`);
  /** Of the fake clock, ms. */
  const given = (name: string) => measuring(name).reduce((sum, ask) => sum + msOf(ask), 0);
  const runs = new Map(ended.payloads.map(({ id, runs: [run] }) => [id.slice(2), run!]));
  return { ...ended, runs, measuring, given, clock };
}

test('the loss of a process while measuring and a second start are reported; the run is still measured', async () => {
  const { runs, told } = await withinTotal(['open'], 12_000, 2);
  assert.equal(runs.get('open')?.status, 'measured');
  assert.match(told('note'), /^bun@1\.4\.5 is started once more: as an example$/m);
  assert.match(
    told('note'),
    /^m#open on bun@1\.4\.5: 1 of \d+ processes were lost while they measured: .*SIGKILL/m,
  );
});

test('time left over by decided runs goes to undecided runs, which keep their samples', async () => {
  const { payloads, runs, events, all, measuring, given, clock } = await withinTotal(
    ['open', 'a', 'b'],
    12_000,
  );
  const inOrder = payloads.map(({ id }) => id);
  assert.deepEqual(inOrder, ['m#open', 'm#a', 'm#b'], 'in the order of the input');
  const done = events.flatMap((event) => (event.type === 'payload-done' ? event.payload.id : []));
  assert.deepEqual(done, ['m#a', 'm#b', 'm#open'], 'told as soon as it is done');
  const types = all.map(({ type }) => type);
  assert.ok(types.lastIndexOf('describe') < types.indexOf('measure'), 'classified first');
  assert.equal(runs.get('a')?.advice?.action, 'apply');
  assert.ok(given('a') <= 1000, `${given('a')} ms`);
  assert.ok(given('open') > 2 * 1000, `${given('open')} ms`);
  const { processes } = runs.get('open')!.measurement!.roundTrip;
  assert.equal(processes, measuring('open').length, 'all samples count');
  assert.ok(clock <= 12_500, `it took ${clock} ms`);
  const isOpen = runs.get('open')?.advice?.action === 'unsure';
  assert.ok(clock >= 11_000 || !isOpen, `undecided after ${clock} ms`);
});

test('no run gets more than its budget at first, and none is continued when all are decided', async () => {
  const { measuring, given, clock } = await withinTotal(['a', 'b'], 60_000);
  assert.ok(clock < 6000, `it took ${clock} ms`);
  assert.ok(measuring('a').length >= 3);
  for (const name of ['a', 'b']) assert.ok(given(name) <= 1000, `${name}: ${given(name)} ms`);
});

test('a run that gets no time is classified, and its error says so', async () => {
  const names = Array.from({ length: 12 }, (_, i) => `p${i}`);
  const { runs, clock } = await withinTotal(names, 1500);
  assert.ok(clock < 4000, `it took ${clock} ms`);
  const untimed = [...runs.values()].filter(({ status }) => status === 'classified');
  assert.ok(untimed.length > 3 && untimed.length < 12, `${untimed.length} of 12`);
  for (const { error, advice, verdict } of untimed)
    assert.deepEqual([error?.code, advice, verdict?.path], ['total-spent', null, 'serializer']);
});

// Profiles, and what each branch costs.

const detailed = (wishes: Partial<AnalyzeRequest>, script: FakeScript = {}) =>
  analyzed(
    { values: { 'carts#../x': { rows: [{ a: 1 }, { a: 2 }], title: 'text' } }, ...script },
    { sources: ready('carts#../x', '../x', 'carts.mjs'), ...wishes },
  );

const PROFILE = { folder: '/tmp/out', shown: 'out' };

test('a profile comes after all timing; its files have safe names in the folder', async () => {
  const { runs, all } = await detailed({ profile: PROFILE, channels: ['worker', 'message-port'] });
  for (const { profile, channel } of runs) {
    assert.equal(profile?.files.length, 4);
    const safe = new RegExp(`^out/carts-\\.\\.-x-[0-9a-f]{8}\\.node-24\\.0\\.0\\.${channel}\\.`);
    for (const file of profile.files) assert.match(file, safe);
  }
  const kinds = all.filter((ask) => 'channel' in ask && ask.channel === 'worker').map(({ type }) => type);
  assert.ok(kinds.lastIndexOf('measure') < kinds.indexOf('profile'));
});

test('branches are timed against the original in the same processes', async () => {
  const times = { of: { 'without:$.rows': { roundTrip: 20_000 } } };
  const { runs, asked } = await detailed({ byPath: true }, { times });
  const [first] = runs[0]?.byPath ?? [];
  assert.deepEqual([first?.path, first?.send?.share.toFixed(2)], ['$.rows', '0.80']);
  const branches = asked('measure').filter(({ variants }) => variants.some(({ mode }) => mode === 'without'));
  assert.ok(branches.length >= 3);
  for (const { variants } of branches) assert.equal(variants[0]?.mode, 'original');
});

/** Each request of this type crashes its guest. */
const crashing = (type: GuestRequest['type']): FakeScript => ({
  fails: (ask) => (ask.type === type ? new ToolError('guest-crashed', { detail: 'signal SIGSEGV' }) : null),
});

test('unknown bytes are a warning, and the times are kept', async () => {
  const { runs, told } = await detailed({ byPath: true }, crashing('branch-bytes'));
  assert.equal(runs[0]?.byPath?.[0]?.bytes, null);
  assert.notEqual(runs[0]?.byPath?.[0]?.send, null);
  assert.match(told('warning'), /bytes of its branches are unknown/);
});

test('a payload that could not be measured is not profiled', async () => {
  const { runs, asked } = await detailed({ profile: PROFILE, byPath: true }, crashing('measure'));
  assert.equal(runs[0]?.status, 'failed');
  assert.deepEqual(asked('profile'), []);
});

const PARTS: { text: string; part: RegExp }[] = [
  { text: 'orders', part: /^orders$/ },
  { text: 'orders#small', part: /^orders-small$/ },
  { text: '../../etc/passwd', part: /^etc-passwd-[0-9a-f]{8}$/ },
  { text: '.hidden', part: /^hidden-[0-9a-f]{8}$/ },
  { text: 'a\u0000\n\u001b[31m', part: /^a-31m-[0-9a-f]{8}$/ },
  { text: 'данные', part: /^payload-[0-9a-f]{8}$/ },
  { text: 'x'.repeat(500), part: /^x{100}-[0-9a-f]{8}$/ },
];

for (const { text, part } of PARTS) {
  test(`${JSON.stringify(text.slice(0, 30))} in a file name`, () => assert.match(fileNamePart(text), part));
}

test('two different names give two different file names', () => {
  const names = ['a/b', 'a\\b', 'a b', 'a-b', 'a:b'].map(fileNamePart);
  assert.equal(new Set(names).size, names.length);
});

const row = (pattern: string, count: number) => ({ pattern, count }) as Facts;
const shape = { patterns: [row('$', 1), row('$.tiles[*]', 3), row('$.mask', 1)] };
const plan = (remedy: string, ...paths: string[]) => ({ remedy, plan: { path: '$', paths } });

const ROWS: [name: string, listed: number, proposal: ReturnType<typeof plan>, isOwn: boolean][] = [
  ['all are listed', 4, plan('transfer', '$.tiles[*]', '$.mask'), true],
  ['some are listed', 3, plan('transfer', '$.tiles[*]', '$.mask'), false],
  ['nothing is listed', 0, plan('transfer', '$.absent'), false],
  ['another rewrite', 4, plan('share', '$.mask'), false],
];

for (const [name, listed, proposal, isOwn] of ROWS)
  test(`a transfer list of the payload's own does not race with itself: ${name}`, () => {
    assert.equal(isOwnList(shape, proposal, listed), isOwn);
  });
