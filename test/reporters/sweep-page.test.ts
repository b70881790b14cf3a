import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { XMLValidator } from 'fast-xml-parser';
import { marked } from 'marked';
import type { SweepReport } from '../../src/model/documents/sweep.ts';
import { amountText } from '../../src/reporters/print/sweep/sweep-texts.ts';
import { SWEEP_REPORTERS } from '../../src/reporters/registry.ts';
import { assertNoCommands } from './commands.ts';
import { FROZEN_SWEEPS, preset, strategies } from './frozen/sweeps.ts';
import { FROZEN_WORDS } from './frozen/words.ts';
import { PLAIN } from './render.ts';
import { RENDERED_TEXT, squeezed } from './rendered/text.ts';

const htmlSweep = (report: SweepReport): string => SWEEP_REPORTERS.html(report, PLAIN, FROZEN_WORDS);

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

const OURS = /^(h2|h3|h4|p|sub|ul|li|code|table|thead|tbody|tr|th|td|details|summary)$/;

for (const [name, report] of Object.entries(FROZEN_SWEEPS)) {
  test(`sweep ${name} as Markdown has no markup of the sweep`, () => {
    const text = SWEEP_REPORTERS.markdown(report, PLAIN, FROZEN_WORDS);
    assertNoCommands(text);
    const page = marked.parse(text, { gfm: true, async: false });
    const tags = new Set([...page.matchAll(/<([a-z0-9]+)/gi)].map(([, tag]) => tag ?? ''));
    assert.deepEqual(
      [...tags].filter((tag) => !OURS.test(tag)),
      [],
    );
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
