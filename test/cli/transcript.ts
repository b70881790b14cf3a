/** What a command prints, kept in a file beside the tests. UPDATE=1 writes the files. */
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
}

function textOf(args: string, { code, stdout, stderr, files }: CliRun): string {
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

/** @param clean takes out what a test is not about */
export function testTranscripts(
  transcripts: readonly Transcript[],
  clean: (text: string) => string = (text) => text,
): void {
  for (const { name, args, scenario } of transcripts) {
    test(`transcript: ${name}`, async () => {
      const run = await runCli(args.split(' '), scenario);
      // Whatever makes the exit code other than 0 is said on stderr, and nothing else is said so.
      assert.equal(/^clone-prof: /m.test(run.stderr), run.code !== 0, run.stderr);
      assertTranscript(name, clean(textOf(args, run)));
    });
  }
}
