import assert from 'node:assert/strict';
import { test } from 'node:test';
import { channelChange, weighRewrites } from '../../../src/app/analyze/measure.ts';
import { GuestSlot } from '../../../src/app/job/guest-slot.ts';
import { Job } from '../../../src/app/job/job.ts';
import type { Trial } from '../../../src/model/documents/trial.ts';
import { ToolError } from '../../../src/model/errors.ts';
import { otherIpc } from '../../../src/model/names.ts';
import type { AppEvent } from '../../../src/model/run/events.ts';
import { MACHINE, recipe, trial } from '../../make.ts';
import { shapeOf } from '../../record/module/made-again.ts';
import { fakeDriver, fakeRuntime } from '../../support/fake-runtime.ts';

const RECIPE = recipe('orders');

const trialOf = (remedy: string, ratio: number, outcome: Trial['outcome']): Trial =>
  trial(remedy, ratio, { inPlace: null, outcome, outcomeInPlace: 'unsure' });

const TRIALS = [
  trialOf('json-text', 0.8, 'faster'),
  trialOf('compiled', 0.5, 'faster'),
  trialOf('plain', 2, 'slower'),
];

/** Each process takes `processMs` of the fake clock, and two take as long as one. */
async function weighed({ budgetMs = 10_000, processMs = 100, tripMs = 1, broken = '', trials = TRIALS }) {
  let [clock, running] = [0, 0];
  const events: AppEvent[] = [];
  const driver = fakeDriver({
    memory: { original: 5000, compiled: 2000 },
    fails: (ask) => {
      if (running++ % 2 === 0) clock += processMs;
      return ask.type === 'memory' && ask.variant.id === broken
        ? new ToolError('measure-failed', { detail: 'it broke' })
        : null;
    },
  });
  const tools = {
    driver,
    machine: { ...MACHINE, memoryBytes: 16e9 },
    now: () => clock,
    emit: (event: AppEvent) => events.push(event),
  };
  const slot = new GuestSlot(tools, fakeRuntime('node', '24.0.0'), { timeoutMs: 1000, cwd: '/' });
  const job = new Job({ recipe: RECIPE, slot, channel: 'worker', tools, seed: 1 });
  const facts = { bytes: 1e6, tripMs };
  const uses = await weighRewrites(job, facts, trials, budgetMs);
  const weights = new Map([...uses].map(([{ id }, all]) => [id, all]));
  const order = driver.asked.map(({ ask }) => (ask.type === 'memory' ? ask.variant.id : ask.type));
  const warnings = events.flatMap((event) => (event.type === 'warning' ? event.text : []));
  return { weights, order, warnings, clock, open: driver.open };
}

test('a figure that is compared with nothing is taken once', async () => {
  const { order } = await weighed({ trials: [trialOf('plain', 2, 'slower')] });
  assert.deepEqual(order, ['original']);
});

test('the original and the remedies that are faster take turns, two processes each', async () => {
  const { weights, order, open } = await weighed({});
  const round = ['original', 'compiled', 'json-text'];
  assert.deepEqual(order, [...round, ...round]);
  assert.deepEqual(
    weights.get('original')?.map(({ perMessage, messages }) => [perMessage, messages]),
    Array.from({ length: 2 }, () => [5000, 64]),
  );
  assert.deepEqual(
    TRIALS.map(({ remedy }) => weights.get(remedy)?.map(({ perMessage }) => perMessage)),
    [[10_000, 10_000], [2000, 2000], undefined],
  );
  assert.equal(open, 0);
});

const budgets: [name: string, budgetMs: number, processMs: number, tripMs: number, processes: number][] = [
  ['as many as fit', 700, 300, 1, 4],
  ['the first two may overdraw', 300, 300, 1, 2],
  ['nothing where one process is too long', 100, 300, 1, 0],
  ['nothing where one message is too slow', 1000, 300, 5000, 0],
];

for (const [name, budgetMs, processMs, tripMs, processes] of budgets) {
  test(`budget of memory: ${name}`, async () => {
    const { order, clock } = await weighed({ budgetMs, processMs, tripMs });
    assert.equal(order.length, processes);
    assert.ok(clock <= 2 * budgetMs);
  });
}

test('memory that cannot be measured is reported once and left out', async () => {
  const { weights, order, warnings } = await weighed({ broken: 'compiled' });
  assert.deepEqual(order.filter((id) => id === 'compiled').length, 1);
  assert.deepEqual(warnings, [
    'orders on node@24.0.0: memory of compiled is not known: could not be measured: it broke',
  ]);
  assert.equal(weights.get('original')?.length, 2);
});

class Point {
  x = 1;
}

/** From JSON text to the serializer; the way back is the other way round. */
const ROWS: [what: string, value: unknown, kept: string[], lost: string[], isRefused?: boolean][] = [
  ['plain data', { list: [{ a: 1, text: 'x', none: null }] }, [], []],
  ['a class is plain in both', { at: new Point() }, [], []],
  [
    'a Map, NaN and undefined',
    { a: new Map([[1, 2]]), b: Number.NaN, c: undefined },
    ['spec/json-emptied $.a', 'spec/json-number $.b', 'spec/json-undefined $.c'],
    [],
  ],
  [
    'a function, which JSON leaves out',
    { run() {} },
    ['spec/json-function $.run'],
    ['spec/function $.run'],
    true,
  ],
];

const told = (all: { rule: string; path: string }[]) => all.map(({ rule, path }) => `${rule} ${path}`).sort();
const runtime = { name: 'node', version: '24.21.0', engine: 'v8' } as const;

for (const [what, value, kept, lost, isRefused = false] of ROWS)
  test(`losses that only one ipc serialization has are reported: ${what}`, () => {
    const shape = shapeOf(value);
    const change = (channel: 'ipc-json' | 'ipc-advanced') =>
      channelChange(shape, { runtime, channel }, otherIpc(channel));
    const there = change('ipc-json');
    assert.deepEqual([told(there.kept), told(there.lost), there.isRefused], [kept, lost, isRefused]);
    const back = change('ipc-advanced');
    assert.deepEqual([told(back.kept), told(back.lost)], [lost, kept]);
  });
