import assert from 'node:assert/strict';
import { test } from 'node:test';
import { besideFiles, outputsOf } from '../../src/cli/options/outputs.ts';
import { CHECK_FORMATS } from '../../src/model/gate/limits.ts';
import { REPORT_FORMATS } from '../../src/model/report/render-options.ts';

/** What `-f` and `-o` were given; where each format goes (`-`: stdout); the words that are payloads. */
const ROWS: [words: string, files: string, outputs: string, payloads?: string][] = [
  ['', '', 'terminal=-'],
  ['', '-', 'terminal=-'],
  ['json', '', 'json=-'],
  ['json', '-', 'json=-'],
  ['json=-', '', 'json=-'],
  ['', 'a.html', 'html=a.html'],
  ['', 'a.html b.md -', 'html=a.html markdown=b.md terminal=-'],
  ['json', 'a.log', 'json=a.log'],
  // One document and one file: -f decides.
  ['json', 'a.html', 'json=a.html'],
  ['markdown', 'a.txt', 'markdown=a.txt'],
  // A terminal is asked for beside a file of another kind.
  ['terminal', 'a.html', 'html=a.html terminal=-'],
  ['terminal', 'a.txt', 'terminal=a.txt'],
  ['terminal', 'a.log', 'terminal=a.log'],
  ['json', 'a.json b.html', 'json=a.json html=b.html'],
  ['json html', 'b.html a.json', 'html=b.html json=a.json'],
  ['html json', 'b.log a.html', 'json=b.log html=a.html'],
  ['json html', 'a.log b.log', 'json=a.log html=b.log'],
  ['terminal json=a.json', '', 'json=a.json terminal=-'],
  ['json=a.x', 'b.html', 'json=a.x html=b.html'],
  ['', 'a.bench.json', 'benchmark=a.bench.json'],
  ['', 'a.bench.json a.json', 'benchmark=a.bench.json json=a.json'],
  ['json json', 'a.json', 'json=a.json'],
  ['json p.json -', '', 'json=-', 'p.json -'],
  ['json dir/p', '', 'json=-', 'dir/p'],
];

const split = (text: string) => (text === '' ? [] : text.split(' '));

for (const [words, files, expected, payloads = ''] of ROWS) {
  test(`-f ${words} -o ${files}: ${expected}`, () => {
    const given = outputsOf(REPORT_FORMATS, { format: split(words), output: split(files) });
    const outputs = given.outputs.map(({ format, file }) => `${format}=${file ?? '-'}`);
    assert.deepEqual([outputs.join(' '), given.payloads.join(' ')], [expected, payloads]);
  });
}

for (const [words, files, isTold] of [
  ['', 'a.html', true],
  ['', 'a.json b.md', true],
  ['', 'a.html -', false],
  ['', 'a.txt', false],
  ['json', 'a.json', false],
  ['html=a.html', '', false],
] as const) {
  test(`-f ${words} -o ${files}: ${isTold ? 'the answers' : 'nothing else'} on stdout`, () => {
    const flags = { format: split(words), output: split(files) };
    const { outputs } = outputsOf(REPORT_FORMATS, flags);
    assert.deepEqual(besideFiles(outputs, flags), [
      ...outputs,
      ...(isTold ? [{ format: 'terminal', file: null }] : []),
    ]);
  });
}

const REFUSED: [words: string, files: string, says: RegExp][] = [
  ['json html', '', /json cannot share stdout/],
  ['terminal json', '', /json cannot share stdout/],
  ['', 'a.pdf', /the extension of 'a\.pdf' is not known/],
  ['', 'a', /the extension of 'a' is not known/],
  ['json', 'a.log b.log', /the extension of 'b\.log' is not known/],
  ['junit', '', /'junit' is unknown/],
  ['xml=a.json', '', /'xml' is unknown/],
];

for (const [words, files, says] of REFUSED) {
  test(`-f ${words} -o ${files} is refused`, () => {
    assert.throws(() => outputsOf(REPORT_FORMATS, { format: split(words), output: split(files) }), says);
  });
}

test('the lines of the terminal and of GitHub share stdout', () => {
  const { outputs } = outputsOf(CHECK_FORMATS, {
    format: ['terminal', 'github'],
    output: ['r.xml', 'r.sarif.json'],
  });
  assert.deepEqual(outputs, [
    { format: 'junit', file: 'r.xml' },
    { format: 'sarif', file: 'r.sarif.json' },
    { format: 'terminal', file: null },
    { format: 'github', file: null },
  ]);
});
