/** The composite action: what its step runs for which inputs, what it tells, and that no text of others is read as a command. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { checkReport } from '../../src/gate/compare/check-report.ts';
import { toolVersion } from '../../src/machine/folders.ts';
import type { CheckReport } from '../../src/model/documents/check.ts';
import { partOf, resultWith } from '../gate/compare/runs.ts';
import { putFiles } from '../support/git-repository.ts';
import { missing } from '../support/runtimes.ts';
import { ROOT } from '../support/spawn-cli.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { parsedYaml } from '../support/yaml.ts';

type Step = Partial<Record<'id' | 'if' | 'uses' | 'run', string>> & {
  env?: Record<string, string>;
  'continue-on-error'?: boolean;
};

interface Action {
  inputs: Record<string, { description: string; default: string }>;
  outputs: Record<string, { description: string }>;
  runs: { using: string; steps: Step[] };
}

const skip = missing('bun@1.4.5') || process.platform === 'win32';
const TEXT = readFileSync(join(ROOT, 'action.yml'), 'utf8');

const NONE = { runs: { steps: [] } } as unknown as Action;
const { inputs, outputs, runs } = skip ? NONE : (parsedYaml([TEXT])[0] as Action);

/** What it writes, and how it ends. */
interface Fake {
  report?: CheckReport;
  markdown?: string;
  code?: number;
}

/** Writes what it is called with, and the files that it is asked for. */
const NPX = `#!/bin/sh
for word in "$@"; do
  printf "%s\\0" "$word"
  case "$word" in
    json=*) [ -f report.json ] && cp report.json "\${word#json=}" ;;
    markdown=*) [ -f report.md ] && cp report.md "\${word#markdown=}" ;;
  esac
done
exit "$FAKE_CODE"
`;

/** The step that checks, with a fake of npx. */
function run(given: Record<string, string>, { report, markdown, code = 0 }: Fake = {}) {
  const folder = tempFolder('action');
  const step = runs.steps.find(({ id }) => id === 'check')!;
  const values = Object.entries(step.env ?? {}).map(([name, value]) => {
    const input = /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(value)?.[1] ?? '';
    return [name, given[input] ?? inputs[input]?.default ?? ''];
  });
  const [bin, temp] = [join(folder, 'bin'), join(folder, 'temp')];
  mkdirSync(temp);
  putFiles(folder, {
    'bin/npx*': NPX,
    ...(report && { 'report.json': JSON.stringify(report) }),
    ...(markdown && { 'report.md': markdown }),
  });
  const told = join(folder, 'output');
  const env = {
    ...Object.fromEntries(values),
    ...{ PATH: `${bin}:${process.env.PATH}`, RUNNER_TEMP: temp, GITHUB_OUTPUT: told, FAKE_CODE: `${code}` },
  };
  const args = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run ?? ''];
  const ran = spawnSync('bash', args, { cwd: folder, env, encoding: 'utf8' });
  const lines = readFileSync(told, 'utf8').split('\n').filter(Boolean);
  const output = Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2)));
  return {
    words: ran.stdout
      .split('\0')
      .slice(0, -1)
      .map((word) => word.replace(/=.*\/clone-prof-\w{6}\//, '=')),
    code: ran.status,
    stderr: ran.stderr,
    lines,
    output,
    comment: output.comment ? readFileSync(output.comment, 'utf8') : null,
  };
}

const EVIL = '--accept; $(touch evil) `touch evil`';
const FORMATS = ['--format', 'terminal', 'github', 'json=check.json', 'markdown=check.md'];

test('action.yml: the command for its inputs', { skip }, () => {
  assert.equal(runs.using, 'composite');
  const rows: [given: Record<string, string>, words: string[]][] = [
    [{}, [`clone-prof@${toolVersion()}`, 'check', '--base=HEAD^1', ...FORMATS]],
    [
      { base: 'origin/main', version: '1.2.3', args: '--shard 1/4\n--budget 2s', runtimes: 'node bun@1.4' },
      [
        ...['clone-prof@1.2.3', 'check', '--base=origin/main', ...FORMATS],
        ...['--shard', '1/4', '--budget', '2s', '--runtime', 'node', 'bun@1.4'],
      ],
    ],
    [
      { base: EVIL, args: '* $(touch evil) ; touch evil', version: '"; touch evil; "' },
      [
        ...['clone-prof@"; touch evil; "', 'check', `--base=${EVIL}`, ...FORMATS],
        ...['*', '$(touch', 'evil)', ';', 'touch', 'evil'],
      ],
    ],
  ];
  for (const [given, words] of rows) {
    const [yes, prefix, folder = '', ...others] = run(given).words;
    assert.deepEqual([yes, prefix, ...others], ['--yes', '--prefix', ...words]);
    assert.match(folder, /\/temp\/clone-prof-\w+$/);
  }
});

const LIMITS = ['failed', 'passed', 'unsure'] as const;
const NASTY = 'x\npassed=true\n::set-output name=passed::true\n$(touch evil)';
const failing = checkReport(
  partOf(
    LIMITS.map((outcome, i) => resultWith({ outcome, payload: `${NASTY}${i}` })),
    { failures: [{ payload: NASTY, file: NASTY, code: 'file-missing', message: NASTY }] },
  ),
);
const kept = checkReport(partOf([resultWith({ outcome: 'passed' })]));

test('action.yml: outputs and the exit code', { skip }, () => {
  const rows: [what: string, fake: Fake, output: Record<string, string>][] = [
    ['kept', { report: kept, markdown: '# kept\n' }, { passed: 'true', failed: '0' }],
    ['broken', { report: failing, markdown: '# broken\n', code: 1 }, { passed: 'false', failed: '3' }],
    ['kept, and not all could be written', { report: kept, code: 3 }, { passed: 'false', failed: '0' }],
    ['ended before there was a report', { code: 2 }, { passed: 'false' }],
  ];
  for (const [what, fake, expected] of rows) {
    const { code, output, lines, comment, stderr } = run({}, fake);
    assert.equal(code, fake.code ?? 0, `${what}: ${stderr}`);
    const { report, comment: file, ...others } = output;
    assert.deepEqual(others, expected, what);
    assert.equal(lines.length, Object.keys(output).length, what);
    assert.match(report ?? '', fake.report ? /\/temp\/clone-prof-\w{6}\/check\.json$/ : /^$/);
    assert.equal(comment, fake.markdown ?? null, what);
  }
});

test('action.yml: a comment that is too long is cut at a line', { skip }, () => {
  const line = `| ${'é'.repeat(90)} |\n`;
  const { comment } = run({}, { report: kept, markdown: line.repeat(1000) });
  assert.ok(comment!.length < 61_000);
  assert.ok(comment!.startsWith(line.repeat(600)));
  assert.match(comment!, /\|\n\nAnd more: the job summary has all\.\n$/);
});

test('action.yml: no input or text of others is written into a script, and all are described', {
  skip,
}, () => {
  for (const step of runs.steps) assert.doesNotMatch(step.run ?? '', /\$\{\{/);
  const names = ['base', 'args', 'runtimes', 'version', 'working-directory', 'cache', 'comment', 'token'];
  assert.deepEqual(Object.keys(inputs), names);
  assert.deepEqual(Object.keys(outputs), ['passed', 'failed', 'report']);
  for (const { description } of [...Object.values(inputs), ...Object.values(outputs)])
    assert.ok(description.length > 20);
  // Of the event only where a pull request comes from, which GitHub compares itself.
  const asked = TEXT.match(/github\.event\.[\w.]+/g);
  assert.deepEqual(asked, ['github.event.pull_request.head.repo.full_name']);
});

test('action.yml: actions of others are named by commits, and only one gets the token', { skip }, () => {
  const used = runs.steps.filter(({ uses }) => uses !== undefined);
  assert.equal(used.length, 2);
  for (const { uses } of used) assert.match(TEXT, new RegExp(`${uses} # v\\d+\\.\\d+\\.\\d+\\n`));
  for (const { uses } of used) assert.match(uses!, /^[\w-]+\/[\w-]+@[0-9a-f]{40}$/);
  const withToken = runs.steps.filter((step) => JSON.stringify(step).includes('inputs.token'));
  assert.deepEqual(
    withToken.map(({ uses }) => uses?.split('@')[0]),
    ['marocchino/sticky-pull-request-comment'],
  );
  const [comment] = withToken;
  assert.equal(comment!['continue-on-error'], true);
  assert.match(
    comment!.if!,
    /inputs\.comment == 'true' .*github\.event_name == 'pull_request' .*== github\.repository$/s,
  );
});
