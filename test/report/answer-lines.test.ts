/** Answers are short, and say each number once. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PayloadReport, Report } from '../../src/model/documents/report.ts';
import { joinBlocks } from '../../src/report/doc.ts';
import { answerNodes } from '../../src/report/print/answer.ts';
import { recordingNodes } from '../../src/report/print/recording.ts';
import { nodeBlocks, terminalStyle } from '../../src/report/terminal/nodes.ts';
import { fiftyPayloads, sixRuns } from './frozen/large.ts';
import { FROZEN } from './frozen/reports.ts';
import { PLAIN } from './render.ts';

const STYLE = terminalStyle(PLAIN);

const answerOf = (payload: PayloadReport): string => joinBlocks(nodeBlocks(answerNodes(payload), STYLE));

const linesOf = (text: string): number => text.trimEnd().split('\n').length;

/** One runtime, of which a loss takes four; three runtimes, and a row for each further one. */
const mostLines = ({ runs }: PayloadReport): number =>
  runs.length < 2 ? 17 : 25 + Math.max(0, runs.length - 3);

/** "2.9x", "17 µs", "44 %", "0.34" */
const NUMBER = /[\d.,]+(?:–[\d.,]+)?(?:x| (?:ns|µs|ms|s|%)(?!\w))/g;
const FRACTION = /(?<![\w.–-])0\.\d+(?![\w.–]| (?:ns|µs|ms|s|k?B|MB)\b)/;

const REPORTS: Record<string, Report> = { ...FROZEN, six: sixRuns(), fifty: fiftyPayloads() };

// Errors and names of the hostile report are those of the program.
for (const [name, report] of Object.entries(REPORTS).filter(([one]) => one !== 'hostile')) {
  test(`${name}: at most 17 lines for one runtime, 25 for three`, () => {
    for (const payload of report.payloads) {
      const text = answerOf(payload);
      assert.ok(linesOf(text) <= mostLines(payload), `${linesOf(text)}\n${text}`);
    }
  });

  test(`${name}: no number stands twice, and no ratio in two notations`, () => {
    for (const payload of report.payloads) {
      const text = answerOf(payload);
      assert.doesNotMatch(text, FRACTION, text);
      if (payload.runs.length > 1) continue;
      const numbers = text.match(NUMBER) ?? [];
      assert.deepEqual(numbers, [...new Set(numbers)], text);
    }
  });
}

test('at most 6 lines for a site of a recording', () => {
  const nodes = recordingNodes(FROZEN.recording!);
  const sites = nodeBlocks(nodes, STYLE).filter(([first = '']) => /^ {2}\d+ · /.test(first));
  assert.equal(sites.length, FROZEN.recording!.payloads.length);
  for (const lines of sites) assert.ok(lines.length <= 6, lines.join('\n'));
});
