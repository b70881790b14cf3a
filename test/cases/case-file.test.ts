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
  const [step] = readCases(text)[0]!.steps;
  assert.ok(step && 'expected' in step);
  return step.expected;
}

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
