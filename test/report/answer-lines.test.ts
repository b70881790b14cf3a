/** Answers are short, and say each number once. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PayloadReport, Report, Run } from '../../src/model/documents/report.ts';
import type { Channel } from '../../src/model/names.ts';
import { joinBlocks } from '../../src/report/doc.ts';
import { answerNodes } from '../../src/report/print/answer.ts';
import { recordingNodes } from '../../src/report/print/recording.ts';
import { terminalStyle } from '../../src/report/terminal/layout.ts';
import { nodeBlocks } from '../../src/report/terminal/nodes.ts';
import * as make from '../make.ts';
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

for (const [name, report] of Object.entries(REPORTS)) {
  test(`${name}: at most 17 lines for one runtime, 25 for three`, () => {
    for (const payload of report.payloads) {
      const text = answerOf(payload);
      assert.ok(linesOf(text) <= mostLines(payload), `${linesOf(text)}\n${text}`);
    }
  });

  test(`${name}: no number stands twice, and no ratio in two notations`, () => {
    for (const payload of report.payloads) {
      const text = answerOf(payload);
      // Errors and names are those of the program.
      if (name === 'hostile') continue;
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

const overChannel = (channel: Channel, ns: number) =>
  make.run('node@24.21.0', { channel, measurement: make.measurement(ns) });

const CHANNELS: [name: string, runs: Run[], told: string[]][] = [
  [
    'four times the time',
    [overChannel('ipc-advanced', 4e6), overChannel('ipc-json', 1e6), overChannel('worker', 1.5e6)],
    ['node 24.21.0: ipc-advanced takes 4.0x as long as ipc-json.'],
  ],
  ['nearly as long', [overChannel('ipc-advanced', 1.9e6), overChannel('ipc-json', 1e6)], []],
  ['the same channel twice', [overChannel('worker', 4e6), overChannel('worker', 1e6)], []],
];

for (const [name, runs, told] of CHANNELS)
  test(`channels of one runtime: ${name}`, () => {
    const lines = answerOf(make.payload('orders', runs))
      .split('\n')
      .map((line) => line.trim());
    assert.deepEqual(
      lines.filter((line) => line.includes(' as long as ')),
      told,
    );
  });
