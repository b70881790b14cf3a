import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPreset } from '../../../src/app/world/analysis.ts';
import type { Estimate } from '../../../src/model/documents/measurement.ts';
import type { SweepPoint } from '../../../src/model/documents/sweep.ts';
import type { PresetName } from '../../../src/model/vocabulary/words.ts';
import { withPublished } from '../../../src/sweep/run/series.ts';
import { sweepPoint } from '../../make.ts';

const timed = (median: number): Estimate => ({ median, ci: [median, median] });

/** By the version of Bun: value and, measured here, the same quantity, of the second size of the first series. */
async function publishedOf(
  name: PresetName,
  medians: Record<string, number>,
  more: Partial<SweepPoint> = {},
) {
  const preset = await readPreset(name);
  const [{ id, unit, sizes }] = preset.series as [(typeof preset.series)[number]];
  const points = Object.entries(medians).map(([version, median]) =>
    sweepPoint({
      size: sizes[1]!,
      ...{ runtime: { name: 'bun', version }, channel: preset.channel, payload: id, unit },
      ...{ roundTrip: timed(median), send: timed(median / 10), ...more },
    }),
  );
  return withPublished(points, preset).map(
    ({ published }) => published && [published.value, published.measured],
  );
}

test('a published figure is shown for each version that behaves like the published version', async () => {
  assert.deepEqual(await publishedOf('bun-strings', { '1.2.20': 5000, '1.2.21': 3000, '1.4.5': 2000 }), [
    [1350, 500],
    [460, 300],
    [460, 200],
  ]);
  assert.deepEqual(await publishedOf('bun-objects', { '1.3.8': 50_000, '1.3.10': 20_000 }), [
    [25_980, 50_000],
    [14_110, 20_000],
  ]);
});

test('neither rewrites, other channels nor other sizes have one', async () => {
  for (const other of [{ strategy: 'json-text' }, { channel: 'broadcast' }, { size: 12 }] as const)
    assert.deepEqual(await publishedOf('bun-strings', { '1.4.5': 1000 }, other), [null]);
});
