/** Sweeps on real runtimes: what was measured, not what was faster. `npm run bench -- known-costs` compares times. */

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { SweepPoint, SweepReport } from '../../../src/model/documents/sweep.ts';
import type { Subject } from '../../../src/sweep/run/sizes.ts';
import { sweep } from '../../../src/sweep/run/sweep.ts';
import { MACHINE } from '../../make.ts';
import { trackChildProcesses } from '../../support/child-processes.ts';
import { missing, processDriver, type RuntimeSpec, runtime } from '../../support/runtimes.ts';
import { usually } from '../../support/whole.ts';

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
