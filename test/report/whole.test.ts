/** All that a printed document says stands in each format that people read. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Report } from '../../src/model/documents/report.ts';
import type { Cell } from '../../src/report/columns.ts';
import { drawn, type Format } from '../../src/report/doc.ts';
import { reportDocument } from '../../src/report/print/report.ts';
import { visible } from '../../src/report/text/escape.ts';
import { plainText as plain, type Span } from '../../src/report/words.ts';
import { FROZEN } from './frozen/reports.ts';
import { allNodes } from './node-texts.ts';
import { frozen, render } from './render.ts';
import { READ_FORMATS, RENDERED_TEXT, type ReadFormat, squeezed } from './rendered/text.ts';

const spanText = (span: Span): string => plain([span]);
const cellText = (cell: Cell): string => (typeof cell === 'string' ? cell : 'text' in cell ? cell.text : '');

const none = (): string[] => [];

/** Texts of a node alone. Those of charts are seen in Chromium. */
const TEXTS: Format<null, string[]> = {
  heading: ({ text, facts }) => [plain(text), ...facts.map(spanText)],
  text: ({ text }) => [plain(text)],
  alert: ({ text }) => [plain(text)],
  facts: ({ facts }) => facts.map(spanText),
  list: ({ items }) => items.map(plain),
  item: ({ sentences }) => sentences.map(plain),
  table: ({ columns }) => columns.flatMap(({ head, cells }) => [head, ...cells.map(cellText)]),
  code: ({ text }) => text.split('\n'),
  fold: ({ title }) => [plain(title)],
  ...{ section: none, block: none, contents: none, chart: none },
};

/** Texts of the document that the format does not show. A terminal of 1,000 columns cuts nothing. */
function missingIn(format: ReadFormat, report: Report, more: string[] = []): string[] {
  const text = RENDERED_TEXT[format](render(format, report, { columns: 1000, details: true }));
  const { body, facts } = reportDocument(report);
  const texts = [...facts, ...allNodes(body).flatMap((node) => drawn(TEXTS, node, null)), ...more];
  // A table on a terminal escapes texts whose width cli-table3 does not know.
  const isIn = (fact: string) => [false, true].some((ascii) => text.includes(squeezed(visible(fact, ascii))));
  const lines = texts.flatMap((one) => one.split(/\r?\n/));
  // A terminal names the sides of code in its own way.
  return lines.map((line) => line.trim().replace(/^\/\/ /, '')).filter((line) => !isIn(line));
}

/** The report with one run only: nothing else can show what is in that run. */
const singleRuns = (report: Report): Report[] =>
  report.payloads.flatMap((payload) =>
    payload.runs.map((run) => ({ ...report, payloads: [{ ...payload, runs: [run] }] })),
  );

for (const [name, report] of Object.entries(FROZEN))
  for (const format of READ_FORMATS)
    test(`${name} as ${format} shows all that the document says`, () => {
      for (const one of [report, ...singleRuns(report)]) assert.deepEqual(missingIn(format, one), []);
    });

test('a text that is not shown is found', () => {
  for (const format of READ_FORMATS)
    assert.deepEqual(missingIn(format, frozen('apply'), ['not in the report']), ['not in the report']);
});
