/** Sweeps on real runtimes: what was measured, not what was faster. `npm run bench -- known-costs` compares times. */

import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { readPreset } from '../../../src/app/world/analysis.ts';
import type { SweepPoint, SweepReport } from '../../../src/model/documents/sweep.ts';
import type { PresetName } from '../../../src/model/vocabulary/words.ts';
import { sweepDocument } from '../../../src/report/print/sweep.ts';
import type { Subject } from '../../../src/sweep/run/series.ts';
import { sweep } from '../../../src/sweep/run/sweep.ts';
import { MACHINE } from '../../make.ts';
import { trackChildProcesses } from '../../support/child-processes.ts';
import { processDriver } from '../../support/process-driver.ts';
import { missing, type RuntimeSpec, runtime } from '../../support/runtimes.ts';
import { onlyInWhole, usually } from '../../support/whole.ts';

const noneRunning = trackChildProcesses();
after(noneRunning);

/** Sizes are timed while a busy machine lets the budget pay for them. */
const isUnaffordable = (error: SweepPoint['error']) => /of the budget are left/.test(error?.message ?? '');

/** The clock of the host counts its readings, so that the budget is the same number of processes on any machine. */
async function swept(subject: Subject, specs: RuntimeSpec[]): Promise<SweepReport> {
  const runtimes = { found: specs.map((spec) => runtime(spec)), missing: [] };
  let clock = 0;
  const report = await sweep(
    { subject, runtimes, channels: null, budgetMs: 600, timeoutMs: 120_000, seed: 1, cwd: process.cwd() },
    {
      driver: processDriver,
      emit: () => undefined,
      now: () => (clock += 200),
      machine: MACHINE,
      version: '0',
    },
  );
  const timed = report.points.filter(({ error }) => !isUnaffordable(error));
  assert.ok(timed.length > 0);
  for (const { strategy, size, error, roundTrip, send, receive } of timed) {
    assert.equal(error, null);
    assert.ok(roundTrip && send && receive, `${strategy} of ${size} was not timed`);
  }
  return report;
}

const preset = async (name: PresetName): Promise<Subject> => ({
  kind: 'preset',
  preset: await readPreset(name),
});

describe('sweep on real runtimes', () => {
  test('bun-strings: each size is measured on each version, next to the published figures', {
    skip: missing('bun@1.2.20', 'bun@1.2.21') || onlyInWhole,
  }, async () => {
    const { points } = await swept(await preset('bun-strings'), ['bun@1.2.20', 'bun@1.2.21']);
    assert.deepEqual(
      points.map(({ runtime: { version }, size, published }) => [version, size, published?.value]),
      [
        ['1.2.20', 11, 598],
        ['1.2.20', 14_336, 1350],
        ['1.2.20', 3_670_016, 326_290],
        ['1.2.21', 11, 543],
        ['1.2.21', 14_336, 460],
        ['1.2.21', 3_670_016, 593],
      ],
    );
    for (const { error, published, send } of points)
      if (error === null) assert.equal(published?.measured, send?.median);
    const largest = points.filter(({ size, error }) => size === 3_670_016 && !isUnaffordable(error));
    for (const { peakMemory } of largest) assert.ok(peakMemory && peakMemory.messages > 0);
  });

  test('blog-keys: every strategy at every size, and the advice of the post', {
    skip: onlyInWhole,
  }, async () => {
    const report = await swept(await preset('blog-keys'), ['node']);
    const sizesOf = (name: string) =>
      report.points.filter(({ strategy }) => strategy === name).map(({ size }) => size);
    for (const strategy of ['raw', 'json-text', 'partial-text', 'bytes-transferred'])
      assert.deepEqual(sizesOf(strategy), [0, 1, 2, 3, 5, 10, 20, 30], strategy);
    const { heading, body } = sweepDocument(report);
    assert.match(String(heading), /stringify the whole message/);
    assert.equal(body.filter(({ type }) => type === 'section').length, 2);
  });

  for (const spec of usually<RuntimeSpec>(['bun@1.4.5'], ['deno@2.9.6'])) {
    test(`a payload of a file, scaled on ${spec}`, { skip: missing(spec) }, async () => {
      const file = fileURLToPath(new URL('../../../fixtures/orders.json', import.meta.url));
      const recipe = { id: 'orders', source: { file, export: null }, build: { form: 'json', file } } as const;
      const subject: Subject = {
        ...{ kind: 'payload', sources: [{ kind: 'ready', recipe }], exports: null, via: null },
        ...{ by: null, scale: { from: 2, to: 20 }, steps: 2 },
      };
      const { points, dimension } = await swept(subject, [spec]);
      assert.equal(dimension?.path, '$.orders');
      const sizesOf = (name: string) =>
        points.filter(({ strategy }: SweepPoint) => strategy === name).map(({ size }) => size);
      for (const strategy of ['raw', 'compiled']) assert.deepEqual(sizesOf(strategy), [2, 20], strategy);
    });
  }
});
