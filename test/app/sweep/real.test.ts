import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { presetNamed } from '../../../src/app/sweep/presets/index.ts';
import type { Subject } from '../../../src/app/sweep/request.ts';
import { sweep } from '../../../src/app/sweep/sweep.ts';
import type { SweepPoint, SweepReport } from '../../../src/model/sweep.ts';
import { folkloreTexts } from '../../../src/reporters/sweep/texts.ts';
import { processDriver } from '../../../src/runtimes/process/driver.ts';
import { markChildren } from '../../runtimes/left-behind.ts';
import { runtime } from '../../support/runtimes.ts';

const { left } = markChildren();

async function swept(subject: Subject, specs: string[], budgetMs: number): Promise<SweepReport> {
  const runtimes = await Promise.all(specs.map(runtime));
  const machine = { os: 'x', arch: 'x', cpu: 'x', cores: 2, memoryBytes: 8e9 };
  const report = await sweep(
    { subject, runtimes, channels: null, budgetMs, timeoutMs: 30_000, seed: 1, cwd: process.cwd() },
    { driver: processDriver, emit: () => undefined, now: () => performance.now(), machine, version: '0' },
  );
  assert.deepEqual(
    report.points.filter(({ error }) => error !== null),
    [],
  );
  return report;
}

function preset(name: string): Subject {
  const found = presetNamed(name);
  assert.ok(found);
  return { kind: 'preset', preset: found };
}

const messageOf = ({ peakMemory }: SweepPoint): number => peakMemory?.perMessage ?? Number.NaN;

describe('sweep on real runtimes', () => {
  test('bun-strings: 3 MB are no longer copied from 1.2.21 on', async () => {
    const { points } = await swept(preset('bun-strings'), ['bun@1.2.20', 'bun@1.2.21'], 3000);
    const [before, after] = ['1.2.20', '1.2.21'].map((version) =>
      points.find((point) => point.runtime.version === version && point.size === 3_670_016),
    );
    assert.ok(before?.send && after?.send && before.roundTrip && after.roundTrip);
    const times = before.send.median / after.send.median;
    assert.ok(times >= 100, `the sender alone is ${times} times faster`);
    assert.ok(before.roundTrip.median > 10 * after.roundTrip.median);
    assert.ok(
      messageOf(before) > 4 * messageOf(after),
      `${messageOf(before)} and ${messageOf(after)} bytes a message`,
    );
    assert.equal(before.published?.value, 326_290);
    assert.equal(after.published?.value, 593);
    assert.equal(after.published?.measured, after.send.median);
    const shorter = points.filter(({ size }) => size === 11);
    for (const { send } of shorter)
      assert.ok(send && send.median < 20_000, 'eleven characters cost next to nothing');
  });

  test('blog-keys: all ways at all sizes, and what the folklore comes to on Node', async () => {
    const report = await swept(preset('blog-keys'), ['node'], 5000);
    const strategies = ['raw', 'json-text', 'partial-text', 'bytes-transferred'];
    for (const strategy of strategies) {
      const own = report.points.filter((point) => point.strategy === strategy);
      assert.deepEqual(
        own.map(({ size }) => size),
        [0, 1, 2, 3, 5, 10, 20, 30],
        strategy,
      );
      for (const { roundTrip, send, receive } of own) {
        assert.ok(roundTrip && send && receive && roundTrip.median > send.median, strategy);
      }
    }
    const bytes = report.standings.find(({ strategy }) => strategy === 'bytes-transferred');
    assert.ok(bytes && bytes.slower.length > bytes.faster.length, 'bytes cost more than they save');
    const [folklore, ...lines] = folkloreTexts(report);
    assert.match(folklore ?? '', /stringify/);
    assert.equal(lines.length, 1);
  });

  for (const spec of ['bun@1.4.5', 'deno@2.9.6']) {
    test(`a payload of a module, scaled on ${spec}`, async () => {
      const file = fileURLToPath(new URL('../../../fixtures/orders.json', import.meta.url));
      const recipe = { id: 'orders', source: { file, export: null }, build: { form: 'json', file } } as const;
      const subject: Subject = {
        ...{ kind: 'payload', sources: [{ kind: 'ready', recipe }], exports: null, via: [] },
        ...{ by: null, scale: { from: 2, to: 200 }, steps: 2 },
      };
      const { points, dimension } = await swept(subject, [spec], 2500);
      assert.equal(dimension?.path, '$.orders');
      const [small, large] = points.filter(({ strategy }) => strategy === 'raw');
      assert.ok(small?.roundTrip && large?.roundTrip);
      assert.ok(
        large.roundTrip.median > 4 * small.roundTrip.median,
        'a hundred times as many orders cost more',
      );
      assert.ok(
        points.some(({ strategy }) => strategy === 'columns'),
        'the rewrites take part',
      );
    });
  }

  test('no process is left', async () => assert.deepEqual(await left(), []));
});
