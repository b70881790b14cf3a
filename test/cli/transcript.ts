/**
 * What a command on real runtimes prints. A transcript keeps all of it in a file beside the tests, for what a person reads
 * (UPDATE=1 writes the files); a row names what must be in it. With fake runtimes: test/cases.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export interface Transcript {
  /** Of the file that holds what it prints. */
  name: string;
  /** Of a row: in this order. How lines are wrapped is left out. */
  says?: readonly string[] | undefined;
  /** Of a row; 0 without it. */
  code?: number | undefined;
}

export function textOf(
  args: string,
  { code, stdout, stderr }: { code: number | null; stdout: string; stderr: string },
): string {
  const part = (title: string, text: string) =>
    text === '' ? '' : `${title}:\n\n\`\`\`\n${text.trimEnd()}\n\`\`\`\n\n`;
  return `    $ clone-prof ${args}\n\n${part('stdout', stdout)}${part('stderr', stderr)}Exit code: ${code}\n`;
}

/** Compares with the file of this name. A missing file is a failure. */
export function assertTranscript(name: string, actual: string): void {
  const file = fileURLToPath(new URL(`transcripts/${name}.md`, import.meta.url));
  if (process.env.UPDATE) writeFileSync(file, actual);
  assert.ok(existsSync(file), `there is no test/cli/transcripts/${name}.md: run the test with UPDATE=1`);
  assert.equal(actual, readFileSync(file, 'utf8'));
}

/** @param actual of `textOf` */
export function assertPrints({ name, says, code = 0 }: Transcript, actual: string): void {
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
