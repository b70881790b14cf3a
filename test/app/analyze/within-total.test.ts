import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Run } from '../../../src/model/documents/report.ts';
import { ToolError } from '../../../src/model/errors.ts';
import type { AppEvent } from '../../../src/model/run/events.ts';
import type { GuestRequest } from '../../../src/model/wire/wire.ts';
import { moduleRecipe } from '../../make.ts';
import { fakeDriver, fakeRuntime } from '../../support/fake-runtime.ts';
import { analyzed } from './analyzed.ts';

const START_MS = 100;
const RECORDS = Array.from({ length: 20 }, (_, id) => ({ id, geo: { lat: id / 7, lon: id } }));

const msOf = (ask: GuestRequest): number =>
  ask.type === 'measure' ? ask.sliceMs + ask.warmupMs + START_MS : ask.type === 'memory' ? START_MS : 20;

/**
 * "open" stays undecided for long: its processes disagree. Each request takes its time of a fake clock.
 *
 * @param lost the process that measures and crashes, by its number; 0: none
 */
async function withinTotal(names: readonly string[], totalMs: number, budgetMs = 1000, lost = 0) {
  let clock = 0;
  let measured = 0;
  const events: AppEvent[] = [];
  const driver = fakeDriver({
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
  });
  const report = await analyzed(
    {
      sources: [{ kind: 'open', recipe: moduleRecipe('m', '*') }],
      runtimes: { found: [fakeRuntime('bun', '1.4.5')], missing: [] },
      ...{ budgetMs, totalMs },
    },
    { driver, now: () => clock, emit: (event) => events.push(event) },
  );
  const asked = driver.asked.map(({ ask }) => ask);
  const processes = (name: string) =>
    asked.filter((ask) => ask.type === 'measure' && ask.recipe.id === `m#${name}`).length;
  /** Of the fake clock, ms. */
  const given = (name: string) =>
    asked
      .filter((ask) => ask.type === 'measure' && ask.recipe.id === `m#${name}`)
      .reduce((sum, ask) => sum + msOf(ask), 0);
  const runs = new Map(report.payloads.map(({ id, runs: [run] }) => [id.slice(2), run as Run]));
  return { report, runs, events, asked, processes, given, clock, open: driver.open };
}

test('the loss of a process while measuring and a second start are reported; the run is still measured', async () => {
  const { runs, events } = await withinTotal(['open'], 12_000, 1000, 2);
  const notes = new Set(events.flatMap((event) => (event.type === 'note' ? [event.text] : [])));
  assert.equal(runs.get('open')?.status, 'measured');
  assert.match([...notes].join('\n'), /^bun@1\.4\.5 is started once more: as an example$/m);
  assert.match(
    [...notes].join('\n'),
    /^m#open on bun@1\.4\.5: 1 of \d+ processes were lost while they measured: .*SIGKILL/m,
  );
});

test('time left over by decided runs goes to undecided runs, which keep their samples', async () => {
  const { report, runs, events, asked, processes, given, clock, open } = await withinTotal(
    ['open', 'a', 'b'],
    12_000,
  );
  assert.equal(open, 0);
  assert.deepEqual(
    report.payloads.map(({ id }) => id),
    ['m#open', 'm#a', 'm#b'],
    'in the order of the input',
  );
  const done = events.flatMap((event) => (event.type === 'payload-done' ? event.payload.id : []));
  assert.deepEqual(done, ['m#a', 'm#b', 'm#open'], 'told as soon as it is done');
  const types = asked.map(({ type }) => type);
  assert.ok(types.lastIndexOf('describe') < types.indexOf('measure'), 'classified first');
  assert.equal(runs.get('a')?.advice?.action, 'apply');
  assert.ok(given('a') <= 1000, `${given('a')} ms`);
  assert.ok(given('open') > 2 * 1000, `${given('open')} ms`);
  assert.equal(runs.get('open')?.measurement?.roundTrip.processes, processes('open'), 'all samples count');
  assert.ok(clock <= 12_500, `it took ${clock} ms`);
  const isOpen = runs.get('open')?.advice?.action === 'unsure';
  assert.ok(clock >= 11_000 || !isOpen, `undecided after ${clock} ms`);
});

test('no run gets more than its budget at first, and none is continued when all are decided', async () => {
  const { processes, given, clock } = await withinTotal(['a', 'b'], 60_000);
  assert.ok(clock < 6000, `it took ${clock} ms`);
  assert.ok(processes('a') >= 3);
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
