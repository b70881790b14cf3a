import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Report } from '../../src/model/documents/report.ts';
import { visible } from '../../src/reporters/text/escape.ts';
import { FROZEN } from './frozen/reports.ts';
import { frozen, render } from './render.ts';
import { type Fact, reportFacts, singleRunFacts } from './rendered/facts.ts';
import { READ_FORMATS, RENDERED_TEXT, type ReadFormat, squeezed } from './rendered/text.ts';

/** A terminal of 100 columns cuts hostile names; at 1,000 there is room for them. */
const columnsFor = (name: string) => (['hostile', 'profile-and-branches'].includes(name) ? 1000 : 100);

type Check = (report: Report, facts: readonly Fact[]) => Fact[];

/** Gives the facts that the rendered report does not show. */
const missingFacts =
  (format: ReadFormat, columns: number): Check =>
  (report, facts) => {
    const { text, lines } = RENDERED_TEXT[format](render(format, report, { columns, details: true }));
    // A table on a terminal escapes texts whose width cli-table3 does not know.
    const isIn = (shown: string, fact: string) =>
      [false, true].some((ascii) => shown.includes(squeezed(visible(fact, ascii))));
    return facts.filter((fact) =>
      typeof fact === 'string'
        ? !isIn(text, fact)
        : !lines.some((line) => fact.every((part) => isIn(line, part))),
    );
  };

/** The report with one run only: nothing else can show the facts of that run. */
const singleRuns = (report: Report) =>
  report.payloads.flatMap((payload) =>
    payload.runs.map((run) => ({ run, single: { ...report, payloads: [{ ...payload, runs: [run] }] } })),
  );

for (const [name, report] of Object.entries(FROZEN)) {
  for (const format of READ_FORMATS) {
    test(`${name} as ${format} shows every fact of the report`, () => {
      const missing = missingFacts(format, columnsFor(name));
      assert.deepEqual(missing(report, reportFacts(report)), []);
      for (const payload of report.payloads) {
        const alone = { ...report, payloads: [payload] };
        assert.deepEqual(missing(alone, reportFacts(alone)), []);
      }
      for (const { run, single } of singleRuns(report)) {
        assert.deepEqual(missing(single, [...reportFacts(single), ...singleRunFacts(run)]), []);
      }
    });
  }
}

test('a fact that is not shown is found', () => {
  const planted: Fact[] = ['not in the report', ['json-text', 'slower']];
  for (const format of READ_FORMATS) {
    assert.deepEqual(missingFacts(format, 100)(frozen('apply'), planted), planted);
  }
});
