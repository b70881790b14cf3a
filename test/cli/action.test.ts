/** The composite action: what its step runs for which inputs, and that inputs are never read as commands. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { toolVersion } from '../../src/machine/package-file.ts';
import { missing, runtime } from '../support/runtimes.ts';
import { ROOT } from '../support/spawn-cli.ts';

interface Action {
  inputs: Record<string, { description: string; default: string }>;
  runs: {
    using: string;
    steps: { shell: string; run: string; env: Record<string, string>; 'working-directory': string }[];
  };
}

function parsedAction(): Action {
  const script = 'console.log(JSON.stringify(Bun.YAML.parse(await Bun.stdin.text())))';
  const input = readFileSync(join(ROOT, 'action.yml'));
  return JSON.parse(
    execFileSync(runtime('bun@1.4.5').binary, ['-e', script], { input, encoding: 'utf8' }),
  ) as Action;
}

/** What `npx` is called with. */
function wordsFor({ inputs, runs }: Action, given: Record<string, string>): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'clone-prof-action-'));
  try {
    const npx = join(folder, 'npx');
    writeFileSync(npx, '#!/bin/sh\nfor word in "$@"; do printf "%s\\0" "$word"; done\n');
    chmodSync(npx, 0o755);
    const [step] = runs.steps;
    assert.ok(step);
    const values = Object.entries(step.env).map(([name, value]) => {
      const input = /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(value)?.[1] ?? '';
      return [name, given[input] ?? inputs[input]?.default ?? ''];
    });
    const env = { ...Object.fromEntries(values), PATH: `${folder}:${process.env.PATH}` };
    const printed = execFileSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run], {
      cwd: folder,
      env,
      encoding: 'utf8',
    });
    return printed.split('\0').slice(0, -1);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const skip = missing('bun@1.4.5') || process.platform === 'win32';
const FORMATS = ['--format', 'terminal', 'github'];

test('action.yml: the command for its inputs', { skip }, () => {
  const action = parsedAction();
  assert.equal(action.runs.using, 'composite');
  const rows: [given: Record<string, string>, words: string[]][] = [
    [{}, [`clone-prof@${toolVersion()}`, 'check', '--base=HEAD^1', ...FORMATS]],
    [
      { base: 'origin/main', version: '1.2.3', args: '--shard 1/4\n--budget 2s', runtimes: 'node bun@1.4' },
      [
        'clone-prof@1.2.3',
        'check',
        '--base=origin/main',
        ...FORMATS,
        '--shard',
        '1/4',
        '--budget',
        '2s',
        '--runtime',
        'node',
        'bun@1.4',
      ],
    ],
    [
      {
        base: '--accept; $(touch evil) `touch evil`',
        args: '* $(touch evil) ; touch evil',
        version: '"; touch evil; "',
      },
      [
        'clone-prof@"; touch evil; "',
        'check',
        '--base=--accept; $(touch evil) `touch evil`',
        ...FORMATS,
        ...['*', '$(touch', 'evil)', ';', 'touch', 'evil'],
      ],
    ],
  ];
  for (const [given, words] of rows) assert.deepEqual(wordsFor(action, given), ['--yes', ...words]);
});

test('action.yml: no input is written into the script, and all are described', { skip }, () => {
  const { inputs, runs } = parsedAction();
  for (const step of runs.steps) assert.doesNotMatch(step.run, /\$\{\{/);
  assert.deepEqual(Object.keys(inputs), ['base', 'args', 'runtimes', 'version', 'working-directory']);
  for (const { description } of Object.values(inputs)) assert.ok(description.length > 20);
});
