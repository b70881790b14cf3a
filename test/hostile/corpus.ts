/**
 * Commands in folders that a stranger made, which need a process of their own; `test/cases/hostile` has the others. Every
 * case also checks what must hold always: nothing raw reaches the terminal or the CI runner, no secret of the environment
 * is written anywhere, no process and no file of the tool is left.
 */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { stop } from 'esbuild';
import { marked, until } from '../support/child-processes.ts';
import { putFiles } from '../support/git-repository.ts';
import { realCli, type Seen } from '../support/real-cli.ts';
import { type Ended, spawnCli } from '../support/spawn-cli.ts';
import { assertHarmless, assertKept, newSecret } from './harmless.ts';

/** With the built program and real runtimes, in a process of its own. */
export interface HostileCase {
  name: string;
  /** Below the folder of the case. A name that ends in `*` is executable (without the `*`). */
  files?: Record<string, string>;
  /** Where the commands run, below the folder of the case. Default: its root. */
  cwd?: string;
  args: readonly string[];
  /** Commands that run before, and must exit 0. */
  before?: readonly (readonly string[])[];
  /** `<folder>`: the folder of the case. */
  env?: Record<string, string>;
  exit: number;
  /** A reason on stderr. */
  stderr?: RegExp;
  stdout?: RegExp;
  /** Must not be in stdout, in stderr or in any file that the command wrote. */
  never?: RegExp;
  /** At most so many lines on stderr. Default: 1. */
  mostLines?: number;
  /** Further checks: the folder is still there. */
  also?(folder: string): void | Promise<void>;
}

/** Lines that a slow machine gets. */
const PROGRESS = /^.* · (?:measuring|proving rewrites|profiling|leaving out branches)\b.*\n/gm;

export const withoutProgress = (stderr: string): string => stderr.replace(PROGRESS, '');

function assertExpected({ code, stdout, stderr }: Ended, expected: HostileCase): void {
  assert.equal(code, expected.exit, `exit code; stderr:\n${stderr}\nstdout:\n${stdout.slice(0, 2000)}`);
  const lines = withoutProgress(stderr).split('\n').filter(Boolean);
  if (code !== 0) assert.match(stderr, /^clone-prof: /m, 'it failed in silence');
  const { stderr: reason = /^/, stdout: shown = /^/, never, mostLines = 1 } = expected;
  assert.ok(
    lines.some((line) => reason.test(line)),
    `no ${reason} in:\n${stderr}`,
  );
  assert.ok(lines.length <= mostLines, `more than ${mostLines} lines on stderr:\n${stderr}`);
  assert.match(stdout, shown);
  for (const [name, text] of Object.entries({ stdout, stderr })) {
    assertHarmless(name, text);
    if (never) assert.doesNotMatch(text, never, name);
  }
}

/** Every file below, with its content; links are not followed. */
function filesBelow(folder: string): [name: string, content: string][] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .map((file) => [file.slice(folder.length + 1), readFileSync(file, 'latin1')]);
}

/** Holds what npm's user told npm: the address of a registry. */
const NPM_CACHE = join('home', '.npm');

/** Guests get the environment; what compiles modules ends too, as with the program. */
export const inThisProcess = async (
  args: readonly string[],
  { cwd, env }: Required<Pick<Seen, 'cwd' | 'env'>>,
): Promise<Ended> => {
  const own = { ...process.env };
  Object.assign(process.env, env);
  try {
    return await realCli(args, { cwd, env });
  } finally {
    for (const name of Object.keys(env)) delete process.env[name];
    Object.assign(process.env, own);
    await stop();
  }
};

/** @param secret of the environment, by which the processes that were started are known */
export async function assertNothingLeft(temp: string, secret: string): Promise<void> {
  assert.deepEqual(readdirSync(temp), [], 'files of the tool are left');
  await until(
    () => marked(secret).length === 0,
    () => `processes are left: ${marked(secret).join('\n')}`,
  );
}

async function runHostile(one: HostileCase): Promise<void> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'hostile-')));
  const [folder, home, temp] = [join(root, 'case'), join(root, 'home'), join(root, 'temp')];
  for (const made of [folder, home, temp]) mkdirSync(made);
  putFiles(folder, one.files ?? {});
  const cwd = join(folder, one.cwd ?? '.');
  mkdirSync(cwd, { recursive: true });
  const given = new Map(filesBelow(root));
  const secret = newSecret();
  const filled = (arg: string) => arg.replaceAll('<folder>', folder);
  const env = {
    ...process.env,
    ...{ COLUMNS: '80', NO_COLOR: '1', HOME: home, XDG_CACHE_HOME: join(home, '.cache'), TMPDIR: temp },
    ...Object.fromEntries(Object.entries(one.env ?? {}).map(([name, value]) => [name, filled(value)])),
    SECRET_ENV: secret,
  };
  for (const args of one.before ?? []) {
    const { code, stdout, stderr } = await spawnCli(args, { cwd, env });
    assert.equal(code, 0, `before: ${args.join(' ')}: ${stderr}`);
    assertKept(secret, [['the output', stdout + stderr], ...filesBelow(root)]);
  }
  const ended = await spawnCli(one.args, { cwd, env });
  assertExpected(ended, one);
  const written = filesBelow(root);
  assertKept(secret, [['the output', ended.stdout + ended.stderr], ...written]);
  for (const [name, content] of written) {
    const isOurs = given.get(name) !== content && !name.startsWith(NPM_CACHE);
    if (one.never && isOurs) assert.doesNotMatch(content, one.never, name);
  }
  await assertNothingLeft(temp, secret);
  await one.also?.(folder);
}

/** @param concurrency they wait more than they compute: for deadlines, budgets and processes to end */
export function testHostile(kind: string, cases: readonly HostileCase[], concurrency = 3): void {
  describe(kind, { concurrency }, () => {
    for (const one of cases) test(`${kind}: ${one.name}`, () => runHostile(one));
  });
}
