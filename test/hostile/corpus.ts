/**
 * Commands in folders that a stranger made, which need a process of their own; `test/cases/hostile` has the others. Every
 * case also checks what must hold always: nothing raw reaches the terminal or the CI runner, no secret of the environment
 * is written anywhere, no process and no file of the tool is left.
 */
import assert from 'node:assert/strict';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { stop } from 'esbuild';
import { marked, until } from '../support/child-processes.ts';
import { realCli, type Seen } from '../support/real-cli.ts';
import { type Ended, spawnCli } from '../support/spawn-cli.ts';
import { assertHarmless, assertKept, newSecret } from './harmless.ts';

/** What a case expects of its last command. */
export interface Expected {
  exit: number;
  /** The reason on stderr; null: stderr is empty. A list: each in a line of its own, in any order. */
  stderr: RegExp | readonly RegExp[] | null;
  stdout?: RegExp;
  /** Must not be in stdout, in stderr or in any file that the command wrote. */
  never?: RegExp;
  /** At most so many lines on stderr. Default: one for each reason. */
  mostLines?: number;
}

/** With the built program and real runtimes, in a process of its own. */
export interface HostileCase extends Expected {
  name: string;
  /** Below the folder of the case. A name that ends in `*` is executable (without the `*`). */
  files?: Record<string, string | Uint8Array>;
  /** Where the commands run, below the folder of the case. Default: its root. */
  cwd?: string;
  /** `<folder>`: the folder of the case. */
  args: readonly string[];
  /** Commands that run before, and must exit 0. */
  before?: readonly (readonly string[])[];
  /** `<folder>` as in `args`. */
  env?: Record<string, string>;
  /** Further checks: the folder is still there. */
  also?(ended: Ended, folder: string): void | Promise<void>;
}

/** Lines that a slow machine gets. */
const PROGRESS = /^.* · (?:measuring|proving rewrites|profiling|leaving out branches)\b.*\n/gm;

export const withoutProgress = (stderr: string): string => stderr.replace(PROGRESS, '');

function assertExpected(
  { code, stdout, stderr }: { code: number | null; stdout: string; stderr: string },
  expected: Expected,
): void {
  assert.equal(code, expected.exit, `exit code; stderr:\n${stderr}\nstdout:\n${stdout.slice(0, 2000)}`);
  const lines = withoutProgress(stderr).split('\n').filter(Boolean);
  if (code !== 0) assert.match(stderr, /^clone-prof: /m, 'it failed in silence');
  const reasons = expected.stderr === null ? [] : [expected.stderr].flat();
  for (const reason of reasons)
    assert.ok(
      lines.some((line) => reason.test(line)),
      `no ${reason} in:\n${stderr}`,
    );
  const most = expected.mostLines ?? reasons.length;
  assert.ok(lines.length <= most, `more than ${most} lines on stderr:\n${stderr}`);
  if (expected.stdout) assert.match(stdout, expected.stdout);
  for (const [name, text] of [
    ['stdout', stdout],
    ['stderr', stderr],
  ] as const) {
    assertHarmless(name, text);
    if (expected.never) assert.doesNotMatch(text, expected.never, name);
  }
}

function putFiles(folder: string, files: HostileCase['files'] = {}): void {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name.replace(/\*$/, ''));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    if (name.endsWith('*')) chmodSync(path, 0o755);
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

/** With the environment of the case, which guests get; what compiles modules ends too, as with the program. */
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
  const [folder, home, temp] = ['case', 'home', 'temp'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  for (const made of [folder, home, temp]) mkdirSync(made);
  try {
    putFiles(folder, one.files);
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
      const { code, stdout, stderr } = await spawnCli(args.map(filled), { cwd, env });
      assert.equal(code, 0, `before: ${args.join(' ')}: ${stderr}`);
      assertKept(secret, [['the output', stdout + stderr], ...filesBelow(root)]);
    }
    const ended = await spawnCli(one.args.map(filled), { cwd, env });
    assertExpected(ended, one);
    const written = filesBelow(root);
    assertKept(secret, [['the output', ended.stdout + ended.stderr], ...written]);
    for (const [name, content] of written) {
      const isOurs = given.get(name) !== content && !name.startsWith(NPM_CACHE);
      if (one.never && isOurs) assert.doesNotMatch(content, one.never, name);
    }
    await assertNothingLeft(temp, secret);
    await one.also?.(ended, folder);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** They wait more than they compute: for deadlines, budgets and processes to end. */
const AT_ONCE = 3;

export function testHostile(kind: string, cases: readonly HostileCase[], concurrency = AT_ONCE): void {
  describe(kind, { concurrency }, () => {
    for (const one of cases) test(`${kind}: ${one.name}`, () => runHostile(one));
  });
}
