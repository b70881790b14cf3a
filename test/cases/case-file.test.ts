/** A wrong answer is found, also next to what an excerpt leaves out. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CliRun } from '../support/run-cli.ts';
import { type Expectation, linesOf, readCases } from './case-file.ts';

const CASE = `# title
\`\`\`console
$ clone-prof check
  first
…
  kept (…)
…
  last
! …
!1 clone-prof: the reason
$ cat a.md
…
$ cat none.md
! No such file
\`\`\`
`;

const RIGHT: CliRun = {
  code: 1,
  stdout: '  first\n  any\n  kept (of node 20)\n  any\n\n  last\n',
  stderr: 'note: any\nclone-prof: the reason\n',
  files: { 'a.md': 'any\n', 'none.md': null },
};

const WRONG: [title: string, run: Partial<CliRun>][] = [
  ['an exit code', { code: 3 }],
  ['success instead of a failure', { code: 0 }],
  ['the first line', { stdout: RIGHT.stdout.replace('first', 'other') }],
  ['a line before the first', { stdout: `any\n${RIGHT.stdout}` }],
  ['a line after the last', { stdout: `${RIGHT.stdout}any\n` }],
  ['a line between what is left out', { stdout: RIGHT.stdout.replace('kept', 'lost') }],
  ['the order of lines', { stdout: '  first\n  last\n  kept (of node 20)\n' }],
  ['a reason', { stderr: RIGHT.stderr.replace('reason', 'other') }],
  ['nothing on stdout', { stdout: '' }],
  ['a file without content', { files: { ...RIGHT.files, 'a.md': '' } }],
  ['a file that is missing', { files: { ...RIGHT.files, 'a.md': null } }],
  ['a file that should not be there', { files: { ...RIGHT.files, 'none.md': 'any\n' } }],
];

function expectedOf(text: string): Expectation {
  const step = readCases(text)[0]!.steps.at(-1);
  assert.ok(step && 'expected' in step);
  return step.expected;
}

const TABLE = `# title
- \`a.json\`: \`1\`
\`\`\`console
$ clone-prof baseline
$ clone-prof check
\`\`\`

| what | files | answer |
| --- | --- | --- |
| one | \`b.json\`: \`2\`, \`c.json\` is empty | \`first\` \`kept (…)\` \`? never /b.json/\` \`!1 clone-prof: the reason\` \`$ cat a.md\` \`$ cat none.md\` \`! No such file\` |
| two | | \`\`a \`code\` \\| b\`\` |
`;

const MALFORMED: [title: string, from: string | RegExp, to: string][] = [
  ['it has no rows', /\| one .*\n.*\n/, ''],
  ['it has no line below its head', '| --- | --- | --- |\n', ''],
  ['a column is not known', '| files |', '| file |'],
  ['it has no answers', '| what | files | answer |', '| what | files |'],
  ['a row is shorter', '| two | |', '| two |'],
  ['a row does not end', /\|\n$/, '\n'],
  ['a row has no title', '| two |', '| |'],
  ['a cell of files has other words', 'is empty', 'is nothing'],
  ['a cell of lines has other words', 'first` `kept', 'first`, `kept'],
  ['a cell of lines does not end', 'the reason`', 'the reason'],
  ['a row has no answer', / `first.*(?= \|)/, ''],
  ['there is no command', '$ clone-prof baseline\n$ clone-prof check\n', ''],
  ['something follows it', /$/, '- `a.json`: `1`\n'],
  ['a line of it is indented', '| two', ' | two'],
];

describe('an answer of a case', () => {
  const expected = expectedOf(CASE);
  test('that is right', () => assert.deepEqual(linesOf(RIGHT, expected), expected.lines));
  for (const [title, run] of WRONG)
    test(`that is wrong: ${title}`, () =>
      assert.notDeepEqual(linesOf({ ...RIGHT, ...run }, expected), expected.lines));
  test('of which nothing is shown, and something is printed', () => {
    const silent = expectedOf('# title\n```console\n$ clone-prof check\n…\n```\n');
    assert.notDeepEqual(linesOf({ code: 0, stdout: '', stderr: '', files: {} }, silent), silent.lines);
  });
});

describe('a row of a table', () => {
  const expected = expectedOf(TABLE);
  const linesIn = (run: Partial<CliRun>) => linesOf({ ...RIGHT, ...run }, expected);
  test('is a case with what stands above the table', () => {
    const [one, two] = readCases(TABLE);
    assert.deepEqual([one!.name, two!.name], ['title: one', 'title: two']);
    const shown = one!.steps.map((step) => ('files' in step ? step.files : 'line' in step && step.line));
    assert.deepEqual(shown, [{ 'a.json': '1' }, 'baseline', { 'b.json': '2' }, { 'c.json': '' }, 'check']);
    const { expected } = two!.steps.at(-1) as { expected: Expectation };
    assert.deepEqual(expected.lines, ['a `code` | b']);
  });
  test('may have commands, between files', () => {
    const text = `# title

| what | files | $ clone-prof | files | $ clone-prof | files | answer |
| --- | --- | --- | --- | --- | --- | --- |
| one | \`a.json\`: \`1\` | \`-v\` \`baseline\` | \`a.json\` is removed | \`check a\` | \`b.json\`: \`1\` | \`first\` |
`;
    const shown = readCases(text)[0]!.steps.map((step) =>
      'line' in step ? [step.line, ...step.expected.lines] : step,
    );
    const files = (content: string | null) => ({ files: { 'a.json': content } });
    const after = { files: { 'b.json': '1' } };
    assert.deepEqual(shown, [files('1'), ['-v'], ['baseline'], files(null), ['check a', 'first'], after]);
  });
  test('with an answer that is right', () => assert.equal(linesIn({}), expected.lines));
  const found = WRONG.filter(([title]) => !/a line|the order|nothing|a file without/.test(title));
  const others: typeof WRONG = [
    ['a line that is missing', { stdout: '  first\n  last\n' }],
    ['the order', { stdout: '  kept (of node 20)\n  first\n' }],
  ];
  for (const [title, run] of [...found, ...others])
    test(`with an answer that is wrong: ${title}`, () => assert.notDeepEqual(linesIn(run), expected.lines));
  test('with a failure that it does not name', () => {
    const { expected } = readCases(TABLE)[1]!.steps.at(-1) as { expected: Expectation };
    const run = { ...RIGHT, stdout: 'a `code` | b\n', files: {} };
    assert.equal(linesOf({ ...run, code: 0 }, expected), expected.lines);
    assert.notDeepEqual(linesOf(run, expected), expected.lines);
    assert.notDeepEqual(linesOf({ ...run, stderr: '' }, expected), expected.lines);
    assert.notDeepEqual(linesOf({ ...run, code: 0, files: { a: null } }, expected), expected.lines);
  });
  for (const [title, from, to] of MALFORMED)
    test(`is not read: ${title}`, () => {
      assert.notEqual(TABLE.replace(from, to), TABLE);
      assert.throws(() => readCases(TABLE.replace(from, to)), /^Error: line \d+: /);
    });
});
