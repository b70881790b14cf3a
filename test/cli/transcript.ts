/** What a command prints, kept in a file beside the tests. UPDATE=1 rewrites the files; a missing file fails. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Played, play, type Stage } from './stage.ts';

export interface Transcript {
  /** Of the file that holds what it prints. */
  name: string;
  args: string;
  stage: Stage;
}

function textOf(args: string, { code, stdout, stderr, files }: Played): string {
  const part = (title: string, text: string) =>
    text === '' ? '' : `${title}:\n\n\`\`\`\n${text.trimEnd()}\n\`\`\`\n\n`;
  const written = Object.entries(files).map(([name, text]) => part(name, text ?? '(not there)'));
  const said = `${part('stdout', stdout)}${part('stderr', stderr)}${written.join('')}`;
  return `    $ clone-prof ${args}\n\n${said}Exit code: ${code}\n`;
}

export function tellTranscripts(transcripts: readonly Transcript[]): void {
  for (const { name, args, stage } of transcripts) {
    test(`transcript: ${name}`, async () => {
      const file = fileURLToPath(new URL(`transcripts/${name}.md`, import.meta.url));
      const seen = textOf(args, await play(args.split(' '), stage));
      if (process.env.UPDATE) writeFileSync(file, seen);
      assert.equal(seen, readFileSync(file, 'utf8'));
    });
  }
}
