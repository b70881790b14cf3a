import assert from 'node:assert/strict';
import { test } from 'node:test';
import { htmlHistory } from '../../src/reporters/history/html.ts';
import { historySection } from '../../src/reporters/history/section.ts';
import { terminalHistory } from '../../src/reporters/history/terminal.ts';
import { history } from './frozen/history.ts';
import { FROZEN_WORDS } from './frozen/words.ts';
import { PLAIN } from './render.ts';

const chartsOf = (commits: number) =>
  historySection(history(commits)).payloads.map(({ name, charts }) => [
    name,
    charts.map(({ title, curves }) => [
      title,
      curves.map((curve) => [curve.name, curve.points.map(({ y }) => y)]),
    ]),
  ]);

test('class, bytes and round trips of each payload, a line for each runtime', () => {
  assert.deepEqual(chartsOf(2), [
    [
      'orders',
      [
        [
          'Class',
          [
            ['node@24', [0, 0]],
            ['bun@1', [1, 0]],
          ],
        ],
        [
          'Bytes copied',
          [
            ['node@24', [5200, 10_400]],
            ['bun@1', [0, 0]],
          ],
        ],
        ['Round trip, over that of the commit before', [['node@24', [1.2]]]],
      ],
    ],
    ['log <b>#x', [['Class', [['node@24 message-port', [0, 0]]]]]],
  ]);
});

test('the last hundred commits are drawn', () => {
  const { title, lead } = historySection(history(103));
  assert.equal(title, '100 commits');
  assert.match(lead, / 3 earlier commits not shown\.$/);
});

test('a page and a table', () => {
  for (const [commits, figures] of [
    [0, 0],
    [1, 3],
    [3, 4],
  ] as const) {
    const page = htmlHistory(history(commits), PLAIN, FROZEN_WORDS);
    assert.doesNotMatch(page, /NaN|undefined|<b>#x/);
    assert.equal((page.match(/<figure class="chart curves">/g) ?? []).length, figures);
  }
  const printed = terminalHistory(history(3), PLAIN, FROZEN_WORDS);
  assert.match(printed, /^3 commits\nFrom 2026-01-01 to 2026-01-03\.\n\norders\n/);
  assert.match(printed, /^ {2}0001aba {2}2026-01-02 {2}node@24\.21\.0 .* serialized .*10\.4 kB {2}\+20 %$/m);
});
