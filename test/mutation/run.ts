/**
 * Plants known faults in src, one at a time, and reports which of them the tests of their subject catch. A fault that no
 * test catches, or whose place in the code is gone, makes the exit code 1.
 *
 * usage: npm run mutate -- [subject...] [--only <part of a name>] [--tree <folder>] [--jobs <n>]
 *   --tree   the checkout to mutate, with its node_modules: another commit of the project (default: this one)
 */
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, symlink } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { globSync } from 'tinyglobby';
import { type Mutant, SUBJECTS, type Subject } from './mutants.ts';

interface Verdict {
  subject: string;
  mutant: Mutant;
  /** Names of the tests that failed; null if the place of the fault is not in the code exactly once. */
  failures: string[] | null;
}

const ROOT = resolve(import.meta.dirname, '../..');
const REPORTER = join(import.meta.dirname, 'failures-reporter.mjs');
/** Folders and files that no test needs a copy of. */
const LEFT_OUT = new Set(['node_modules', '.git', '.cache', '.github', 'docs']);

/** A copy of the checkout, in which one fault after the other is planted. */
async function copyOf(tree: string): Promise<string> {
  await mkdir(join(tree, '.cache'), { recursive: true });
  const copy = await mkdtemp(join(tree, '.cache', 'mutants-'));
  for (const name of await readdir(tree))
    if (!LEFT_OUT.has(name)) await cp(join(tree, name), join(copy, name), { recursive: true });
  for (const name of ['node_modules', 'docs']) await symlink(join(tree, name), join(copy, name));
  return copy;
}

/** The only file of src that holds the text exactly once, with all places of the text in src. */
function placeOf(tree: string, text: string): string | null {
  const files = globSync('src/**/*.ts', { cwd: tree });
  const places = files.filter((file) => readFileSync(join(tree, file), 'utf8').includes(text));
  const [file] = places;
  if (places.length !== 1 || file === undefined) return null;
  return readFileSync(join(tree, file), 'utf8').split(text).length === 2 ? file : null;
}

/** Runs the tests. @returns names of those that failed; one that says so if the runner itself failed. */
function failuresIn(copy: string, { tests, isReal }: Omit<Subject, 'mutants'>): Promise<string[]> {
  const speed = isReal === true ? [] : ['--fast'];
  const flags = [...speed, `--test-reporter=${REPORTER}`, '--test-reporter-destination=stdout'];
  // What runs in real runtimes is in bundles.
  const env = { ...process.env, ...(isReal === true && { CLONE_PROF_NO_BUILD: '' }) };
  const child = spawn(process.execPath, ['scripts/test.mjs', ...flags, ...tests], { cwd: copy, env });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  return new Promise((done) =>
    child.on('close', (code) => {
      const names = output.stdout.split('\n').filter((line) => line.startsWith('failed: '));
      const broken = code !== 0 && names.length === 0 ? [`failed: ${output.stderr.trim().slice(-300)}`] : [];
      done([...names, ...broken].map((line) => line.slice('failed: '.length)));
    }),
  );
}

async function judge(copy: string, subject: string, mutant: Mutant): Promise<Verdict> {
  const { tests, isReal } = SUBJECTS[subject]!;
  const file = placeOf(copy, mutant.find);
  if (file === null) return { subject, mutant, failures: null };
  const path = join(copy, file);
  const before = readFileSync(path, 'utf8');
  // A replacement is text, not a pattern: no `$&` in it.
  writeFileSync(
    path,
    before.replace(mutant.find, () => mutant.replace),
  );
  try {
    return { subject, mutant, failures: await failuresIn(copy, { tests: mutant.tests ?? tests, isReal }) };
  } finally {
    writeFileSync(path, before);
    if (isReal) execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: copy, stdio: 'inherit' });
  }
}

const textOf = ({ subject, mutant, failures }: Verdict): string => {
  const name = `${subject}: ${mutant.name}`;
  if (failures === null) return `STALE   ${name}: its text is not in src exactly once`;
  if (failures.length === 0) return `MISSED  ${name}`;
  return `caught  ${name}: by ${failures.length}, such as "${failures[0]}"`;
};

/** @throws Error if the tests fail without any fault */
async function assertGreen(copy: string, names: readonly string[]): Promise<void> {
  const tests = [...new Set(names.flatMap((name) => SUBJECTS[name]!.tests))];
  const failures = await failuresIn(copy, { tests, isReal: names.some((name) => SUBJECTS[name]!.isReal) });
  if (failures.length > 0) throw new Error(`these tests fail without a fault: ${failures.join('; ')}`);
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', default: '' },
    tree: { type: 'string', default: ROOT },
    jobs: { type: 'string', default: String(availableParallelism()) },
  },
});
const unknown = positionals.find((name) => SUBJECTS[name] === undefined);
if (unknown !== undefined) {
  console.error(`no subject ${unknown}: ${Object.keys(SUBJECTS).join(', ')}`);
  process.exit(2);
}
const names = positionals.length > 0 ? positionals : Object.keys(SUBJECTS);
const queue = names.flatMap((subject) =>
  SUBJECTS[subject]!.mutants.filter(({ name }) => name.includes(values.only)).map((mutant) => ({
    subject,
    mutant,
  })),
);
const tree = resolve(values.tree);
execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: tree, stdio: 'inherit' });
const copies = await Promise.all(Array.from({ length: Number(values.jobs) }, () => copyOf(tree)));
process.on('exit', () => {
  for (const copy of copies) rmSync(copy, { recursive: true, force: true });
});
process.on('SIGINT', () => process.exit(130));
// The bundles of dist are those of the code without a fault, unless a subject's tests run in real runtimes.
process.env.CLONE_PROF_NO_BUILD = '1';
await assertGreen(copies[0]!, names);
const verdicts: Verdict[] = [];
await Promise.all(
  copies.map(async (copy) => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const verdict = await judge(copy, next.subject, next.mutant);
      verdicts.push(verdict);
      console.log(textOf(verdict));
    }
  }),
);
const caught = verdicts.filter(({ failures }) => failures !== null && failures.length > 0);
const once = caught.filter(({ failures }) => failures?.length === 1);
console.log(`${caught.length} of ${verdicts.length} caught, ${once.length} of them by exactly one test`);
process.exit(caught.length === verdicts.length ? 0 : 1);
