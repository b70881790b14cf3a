import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SweepReport } from '../../src/model/documents/sweep.ts';
import { amountText } from '../../src/report/print/sweep-series.ts';
import { draw } from '../../src/report/registry.ts';
import { preset, strategies } from './frozen/sweeps.ts';
import { PLAIN } from './render.ts';
import { RENDERED_TEXT, squeezed } from './rendered/text.ts';

const htmlSweep = (report: SweepReport): string => draw(report, 'html', PLAIN);

test('the page says what the sweep found', () => {
  const text = RENDERED_TEXT.html(htmlSweep(strategies));
  for (const { between, size, ci } of strategies.crossovers) {
    const [low, high] = ci.map(amountText);
    const shown = [
      `${between[1]} ${amountText(size)} (${low}–${high})`,
      `Below ${amountText(size)} items raw is cheaper`,
    ];
    for (const one of shown) assert.ok(text.includes(squeezed(one)), one);
  }
});

test('published figures have their source', () => {
  const text = RENDERED_TEXT.html(htmlSweep(preset));
  const sources = new Set(preset.points.flatMap(({ published }) => published?.source ?? []));
  assert.equal(sources.size, 1);
  for (const source of sources) assert.ok(text.includes(squeezed(`published: ${source}`)));
});

test('wide intervals do not press the curves together', () => {
  const points = strategies.points.map((point) => ({
    ...point,
    roundTrip: point.roundTrip && { ...point.roundTrip, ci: [1e-30, 1e30] as [number, number] },
  }));
  const page = htmlSweep({ ...strategies, points });
  const ticks = [...page.matchAll(/<text [^>]*text-anchor="end">([^<]+)<\/text>/g)].map(([, text]) => text);
  assert.ok(ticks.includes('100 µs') && ticks.includes('1 ms'), ticks.join());
});
