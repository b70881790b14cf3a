/** `check --history` in a repository, and what `report` draws of it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runGit } from '../support/git-repository.ts';
import { type CliScenario, runCli } from '../support/run-cli.ts';

const CONFIG = 'clone-prof.config.json';
const HISTORY = 'h.ndjson';
const limits = { class: 'in-memory', maxBytes: 'off' };
const scenario = (more: CliScenario = {}): CliScenario => ({
  ...more,
  files: {
    'rows.json': '[{"id":1},{"id":2}]',
    [CONFIG]: JSON.stringify({ runtimes: ['bun@1.4.5'], payloads: [{ input: 'rows.json', limits }] }),
    ...more.files,
  },
  runtimes: ['bun@1.4.5'],
  env: { PATH: process.env.PATH ?? '' },
  setUp: (cwd) => {
    for (const args of [
      ['init', '-q'],
      ['add', '.'],
      ['commit', '-qm', 'first'],
    ])
      runGit(cwd, ...args);
  },
  shows: [HISTORY],
});

const linesOf = (text: string | null | undefined) =>
  (text ?? '')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

test('the facts of a commit are kept, also where the gate fails, and checked again they take its place', async () => {
  const check = ['check', '--history', HISTORY];
  const ran = await runCli(check, scenario({ before: [check], changed: { 'rows.json': '[{"a":{"b":1}}]' } }));
  assert.equal(ran.code, 1, ran.stderr);
  assert.match(ran.stderr, /^wrote h\.ndjson: [0-9a-f]{12}$/m);
  const [line, ...more] = linesOf(ran.files[HISTORY]);
  assert.deepEqual(more, []);
  assert.match(line.commit, /^[0-9a-f]{40}$/);
  assert.match(line.time, /^20\d\d-/);
  const [{ payload, runtime, channel, class: name, bytes }] = line.payloads;
  assert.deepEqual([payload, runtime, channel, name], ['rows', 'bun@1.4.5', 'worker', 'serialized']);
  assert.equal(typeof bytes, 'number');
});

test('report draws it', async () => {
  const before = [['check', '--history', HISTORY]];
  const { code, stdout } = await runCli(['report', HISTORY], scenario({ before }));
  assert.equal(code, 0);
  assert.match(
    stdout,
    /^1 commit\n.*\n\nrows\n {2}commit {2,}day .*\n {2}[0-9a-f]{7} .*bun@1\.4\.5 {2}in-memory/,
  );
  const page = await runCli(['report', HISTORY, '-f', 'html'], scenario({ before }));
  assert.match(page.stdout, /<figcaption>Class<\/figcaption>/);
  const markdown = await runCli(['report', HISTORY, '-f', 'markdown'], scenario({ before }));
  assert.match(markdown.stderr, /a history cannot be drawn as markdown/);
});

for (const [what, args, files, says] of [
  ['a line that is none', [], { [HISTORY]: '{}\n' }, /h\.ndjson: .*line 1: /],
  ['a shard', ['--shard', '1/2'], {}, /--history cannot be combined with --shard/],
] as const)
  test(`it is refused before anything is checked: ${what}`, async () => {
    const ran = await runCli(['check', '--history', HISTORY, ...args], scenario({ files }));
    assert.equal(ran.code, 2);
    assert.match(ran.stderr, says);
    assert.equal(ran.stdout, '');
  });
