import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { XMLValidator } from 'fast-xml-parser';
import { htmlSweep } from '../../src/reporters/sweep/html.ts';
import { amountText } from '../../src/reporters/sweep/texts.ts';
import { assertNoCommands } from './commands.ts';
import { FROZEN_SWEEPS, preset, strategies } from './frozen/sweeps.ts';
import { RENDERED_TEXT, squeezed } from './rendered/text.ts';

for (const [name, report] of Object.entries(FROZEN_SWEEPS)) {
  describe(`sweep ${name} as a page`, () => {
    const page = htmlSweep(report);

    test('is well-formed, fetches nothing and runs nothing of the sweep', () => {
      assertNoCommands(page);
      assert.equal(XMLValidator.validate(page.replace('<!DOCTYPE html>', '')), true);
      assert.doesNotMatch(page, /<(link|img|iframe|object|embed|base|form)\b/i);
      const markup = page.replace(/<(style|script)\b[\s\S]*?<\/\1>/g, '');
      assert.doesNotMatch(markup.replace(/="[^"]*"/g, '='), /<[^>]*\s(on\w+|src|style|srcset|action)=/i);
      assert.doesNotMatch(markup, /NaN|undefined|Infinity/);
    });

    test('has the sweep inside', () => {
      const [, data] = /<script [^>]*id="report">([\s\S]*?)<\/script>/.exec(page) ?? [];
      assert.deepEqual(JSON.parse(data ?? ''), report);
    });
  });
}

test('the page says what the sweep found', () => {
  const { text } = RENDERED_TEXT.html(htmlSweep(strategies));
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
  const { text } = RENDERED_TEXT.html(htmlSweep(preset));
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
