/**
 * What a command prints. A transcript keeps all of it in a file beside the tests, for what a person reads (UPDATE=1 writes
 * the files); a row names what must be in it.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type CliRun, type CliScenario, runCli } from '../support/run-cli.ts';

export interface Transcript {
  /** Of the file that holds what it prints. */
  name: string;
  args: string;
  scenario: CliScenario;
  /** Of a row: in this order. How lines are wrapped is left out. */
  says?: readonly string[] | undefined;
  /** Of a row; 0 without it. */
  code?: number | undefined;
}

type Printed = Pick<CliRun, 'stdout' | 'stderr'> & { code: number | null; files?: CliRun['files'] };

export function textOf(args: string, { code, stdout, stderr, files = {} }: Printed): string {
  const part = (title: string, text: string) =>
    text === '' ? '' : `${title}:\n\n\`\`\`\n${text.trimEnd()}\n\`\`\`\n\n`;
  const written = Object.entries(files).map(([name, text]) => part(name, text ?? '(not there)'));
  const printed = `${part('stdout', stdout)}${part('stderr', stderr)}${written.join('')}`;
  return `    $ clone-prof ${args}\n\n${printed}Exit code: ${code}\n`;
}

/** Compares with the file of this name. A missing file is a failure. */
export function assertTranscript(name: string, actual: string): void {
  const file = fileURLToPath(new URL(`transcripts/${name}.md`, import.meta.url));
  if (process.env.UPDATE) writeFileSync(file, actual);
  assert.ok(existsSync(file), `there is no test/cli/transcripts/${name}.md: run the test with UPDATE=1`);
  assert.equal(actual, readFileSync(file, 'utf8'));
}

/** @param actual of `textOf` */
export function assertPrints(
  { name, says, code = 0 }: Pick<Transcript, 'name' | 'says' | 'code'>,
  actual: string,
): void {
  if (says === undefined) {
    assertTranscript(name, actual);
    return;
  }
  let rest = actual.replace(/\s+/g, ' ');
  for (const part of [...says, `Exit code: ${code} `]) {
    assert.ok(rest.includes(part), `"${part}" is not in what is left of:\n${actual}`);
    rest = rest.slice(rest.indexOf(part) + part.length);
  }
}

/** @param clean takes out what a test is not about */
export function testTranscripts(
  transcripts: readonly Transcript[],
  clean: (text: string) => string = (text) => text,
): void {
  for (const transcript of transcripts) {
    const { name, args, scenario, says } = transcript;
    test(`${says ? 'prints' : 'transcript'}: ${name}`, async () => {
      const run = await runCli(args.split(' '), scenario);
      // Whatever makes the exit code other than 0 is said on stderr, and nothing else is said so.
      assert.equal(/^clone-prof: /m.test(run.stderr), run.code !== 0, run.stderr);
      const widest = Math.max(...run.stdout.split('\n').map((line) => [...line].length));
      if (scenario.columns !== undefined) assert.ok(widest <= scenario.columns, `${widest} columns`);
      assertPrints(transcript, clean(textOf(args, run)));
    });
  }
}
