/** Runs the files of cases of a folder. `UPDATE=1` rewrites what they expect. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { assertNothingLeft, inThisProcess, withoutProgress } from '../hostile/corpus.ts';
import { assertHarmless, assertKept, newSecret } from '../hostile/harmless.ts';
import { type CliFolder, type CliRun, inCliFolder } from '../support/run-cli.ts';
import { missing } from '../support/runtimes.ts';
import { onlyInWhole } from '../support/whole.ts';
import { type Case, type CommandStep, type Expectation, linesOf, readCases } from './case-file.ts';

/** An expectation, and the lines to put in its place. */
type Correction = [old: Expectation, lines: string[]];

function assertSound(run: CliRun, args: string[], { columns = Number.POSITIVE_INFINITY }: Case['settings']) {
  // Each failure has its reason on stderr, and nothing else begins like one.
  assert.equal(/^clone-prof: /m.test(run.stderr), run.code !== 0, run.stderr);
  assertHarmless('stdout', run.stdout, args.includes('github'));
  assertHarmless('stderr', run.stderr);
  const widest = Math.max(...run.stdout.split('\n').map((line) => [...line].length));
  assert.ok(widest <= columns, `${widest} columns`);
}

function assertNever({ stdout, stderr, files }: CliRun, { never }: Expectation): void {
  for (const [name, text] of Object.entries({ stdout, stderr, ...files }))
    for (const words of never) assert.doesNotMatch(text ?? '', words, name);
}

/** Runs a command; throws if it does something else than it should. */
async function runCommand(step: CommandStep, folder: CliFolder) {
  const ended = await folder.run(step.args);
  const files: CliRun['files'] = {};
  for (const name of step.expected.shows) files[name] = await folder.read(name);
  return { ...ended, files };
}

/** Versions and commits are those of the machine and the test. */
const withoutMachine = (text: string, cwd: string): string =>
  text
    .replaceAll(cwd, '<cwd>')
    .replace(/\b(node|bun|deno)( |@|&#64;&#8203;)\d+\.\d+\.\d+/g, '$1$2<version>')
    .replace(/, commit [0-9a-f]+/g, ', commit <id>');

/** The program with real runtimes; no process and no file of it may be left. */
async function runReal(
  args: string[],
  { env = {} }: Case['settings'],
  cwd: string,
): Promise<Omit<CliRun, 'files'>> {
  const temp = mkdtempSync(join(tmpdir(), 'case-'));
  try {
    const own = Object.entries(env).map(([name, value]) => [name, value.replaceAll('<cwd>', cwd)]);
    const whole = { ...process.env, TMPDIR: temp, ...Object.fromEntries(own) };
    const { code, stdout, stderr } = await inThisProcess(args, { cwd, env: whole });
    await assertNothingLeft(temp, env.SECRET_ENV!);
    const [shown, said] = [stdout, withoutProgress(stderr)].map((text) => withoutMachine(text, cwd));
    return { code: code ?? -1, stdout: shown!, stderr: said! };
  } finally {
    rmSync(temp, { recursive: true, force: true });
  }
}

async function runCase({ steps, settings }: Case, isReal: boolean): Promise<Correction[]> {
  const secret = newSecret();
  const corrections: Correction[] = [];
  const scenario = { ...settings, env: { ...settings.env, SECRET_ENV: secret } };
  const work = async (folder: CliFolder) => {
    for (const [index, step] of steps.entries()) {
      if ('files' in step) {
        await folder.put(step.files);
        continue;
      }
      if ('code' in step) {
        step.code(folder.path);
        continue;
      }
      const { line, args, expected } = step;
      const run = await runCommand(step, folder);
      assertKept(secret, [['the output', run.stdout + run.stderr], ...Object.entries(run.files)]);
      if (expected.lines.length === 0 && index < steps.length - 1) {
        assert.equal(run.code, 0, `clone-prof ${line}: ${run.stderr}`);
        continue;
      }
      assertSound(run, args, settings);
      assertNever(run, expected);
      const lines = linesOf(run, expected);
      const hint = expected.isRow ? ' (UPDATE=1 does not rewrite rows)' : '';
      if (process.env.UPDATE && !expected.isRow) corrections.push([expected, lines]);
      else assert.equal(lines.join('\n'), expected.lines.join('\n'), `clone-prof ${line}${hint}`);
    }
  };
  await inCliFolder(scenario, work, isReal ? runReal : undefined);
  return corrections;
}

function correct(file: string, corrections: readonly Correction[]): void {
  const lines = readFileSync(file, 'utf8').split('\n');
  // Sections share the answers of the section above them.
  for (const [old, now] of [...new Map(corrections)].sort(([a], [b]) => b.from - a.from))
    lines.splice(old.from, old.lines.length, ...now);
  writeFileSync(file, lines.join('\n'));
}

const HERE = fileURLToPath(new URL('.', import.meta.url));

/** A runtime that is missing, or a case of the whole suite alone. */
const skipOf = ({ skip = false, needs = [], whole }: Case['settings']) =>
  skip || missing(...needs) || (whole ? onlyInWhole : false);

function testFile(subject: string, name: string): void {
  const file = join(HERE, subject, name);
  describe(`cases/${subject}/${name}`, () => {
    const corrections: Correction[] = [];
    for (const section of readCases(readFileSync(file, 'utf8')))
      test(section.name, { skip: skipOf(section.settings) }, async () => {
        corrections.push(...(await runCase(section, REAL.includes(subject))));
      });
    if (process.env.UPDATE) after(() => correct(file, corrections));
  });
}

/** Subjects of a test file each, the others' of one more: cases of the gate are half of all, and real ones wait. */
const OWN = { gate: ['check', 'gate'], real: ['real'], guests: ['guests'], hostile: ['hostile'] };
/** Run on real runtimes. */
const REAL = [...OWN.real, ...OWN.guests, ...OWN.hostile];

/** @param own the subjects of these; without it, all others */
export function testCases(own?: keyof typeof OWN): void {
  const folders = readdirSync(HERE, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const others = folders.map(({ name }) => name).filter((name) => !Object.values(OWN).flat().includes(name));
  for (const subject of own ? OWN[own] : others)
    for (const name of readdirSync(join(HERE, subject)).sort()) testFile(subject, name);
}
