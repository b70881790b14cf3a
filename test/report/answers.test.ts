import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PayloadReport, Report, Run } from '../../src/model/documents/report.ts';
import { joinBlocks } from '../../src/report/doc.ts';
import { adviceNodes } from '../../src/report/print/advice.ts';
import { answerNodes } from '../../src/report/print/answer.ts';
import { timesChart } from '../../src/report/print/details.ts';
import { recordingNodes } from '../../src/report/print/recording.ts';
import { headline } from '../../src/report/print/report.ts';
import { adviceShort, isOpen, runsTable } from '../../src/report/print/texts.ts';
import { nodeBlocks, terminalStyle } from '../../src/report/terminal/nodes.ts';
import { code } from '../../src/report/words.ts';
import { advice, estimate, payload, run } from '../make.ts';
import { fiftyPayloads, sixRuns } from './frozen/large.ts';
import { nodeTexts } from './node-texts.ts';
import { FROZEN, frozen, PLAIN } from './render.ts';

const gain = { ratio: 0.4, ci: [0.35, 0.5] as [number, number] };

test('a gain in place alone is none, and remains open', () => {
  const inPlace = advice('unsure', { remedy: 'columns', gain: estimate(0.2), ownsBothForms: true });
  const one = run('node@24.21.0', { advice: inPlace });
  assert.deepEqual([adviceShort(one), isOpen(one)], ['unsure', true]);
  assert.equal(timesChart([one])!.rows[0]!.best, null);
});

test('every payload and run of a report has a row, and a payload without runs has one too', () => {
  for (const { payloads } of Object.values<Report>(FROZEN)) {
    const names = runsTable('', payloads, true)?.columns[0]?.cells ?? [];
    assert.deepEqual(
      names,
      payloads.flatMap(({ id, runs }) => Array.from({ length: Math.max(1, runs.length) }, () => code(id))),
    );
  }
});

const VIA = { library: 'comlink', path: '$', transfers: true, shape: null } as const;
const COMMANDS: [id: string, source: PayloadReport['source'], named: string, more?: Partial<Run>][] = [
  ['a#b#x', { file: 'a#b.ndjson', export: null, line: 1 }, "'a#b.ndjson#x'"],
  [
    'log#order via comlink',
    { file: 'log.ndjson', export: null, line: 4 },
    "'log.ndjson#order' --via comlink",
    { via: VIA },
  ],
  ['msg#job', { file: 'msg.ts', export: 'job' }, 'msg.ts -e job'],
];

for (const [id, source, named, more] of COMMANDS)
  test(`the command that writes the code of ${id} reads this payload alone`, () => {
    const advised = run('node@24.21.0', {
      advice: advice('apply', { remedy: 'compiled', gain, module: 'export {};' }),
      ...more,
    });
    const texts = nodeTexts(adviceNodes(payload(id, [advised], { source }), advised));
    assert.ok(
      texts.some((text) => text.startsWith(`npx clone-prof analyze ${named} --emit`)),
      texts.join('\n'),
    );
  });

test('the rate that matters is said from two messages a second on', () => {
  const saves = { ns: 6e6, mattersFromPerSecond: 0 };
  const advised = run('node@24.21.0', { advice: advice('apply', { remedy: 'compiled', gain, saves }) });
  const texts = nodeTexts(adviceNodes(payload('rows', [advised]), advised));
  const rates = texts.flatMap((text) => /^(.* messages a second) that is/.exec(text)?.[1] ?? []);
  assert.deepEqual(rates, ['Below about 2 messages a second']);
});

const NOISE = { floor: null, strain: null, beyond: ['modes' as const], widened: 0.1 };

for (const [name, advised, isSaid] of [
  ['a gain whose size is known', advice('apply', { remedy: 'columns', gain: estimate(0.4) }), false],
  ['a gain of unknown size', advice('apply', { gain: { ...estimate(0.4), samples: 1 } }), true],
  ['no rewrite is faster', advice('nothing'), false],
] as const)
  test(`on a busy machine, a longer run is asked for unless the answer is decided: ${name}`, () => {
    const busy = run('node@24.21.0', { advice: advised, noise: NOISE });
    const texts = JSON.stringify(adviceNodes(payload('a', [busy]), busy));
    assert.equal(texts.includes('Busy machine: a longer run (-b) is surer.'), isSaid, texts);
  });

test('the headline says that nothing is decided if a single run of the payloads is open', () => {
  const all = [...frozen('advice').payloads, ...frozen('failures').payloads];
  const payloads = all.filter(({ id }) => ['log-line', 'rows', 'frames'].includes(id));
  const text = 'Not decided whether anything makes 3 payloads faster';
  assert.equal(headline({ ...frozen('advice'), payloads }), text);
});

// Answers are short, and say each number once.

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
