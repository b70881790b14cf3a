/** A program as it runs bare, and as it runs and is told when it is recorded. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RecordedMessages, Recording } from '../../src/model/documents/recording.ts';
import { parseRecording } from '../../src/store/recording-file.ts';
import { type Ended, endOf, ROOT, runProgram } from '../support/spawn-cli.ts';

export interface App {
  name: string;
  command: readonly string[];
  cwd: string;
  env?: NodeJS.ProcessEnv;
  /** Of what it prints, without what differs from run to run. */
  normal?: (printed: string) => string;
}

/** 'varies': two bare runs differ in their output or files, so that those of the recorded one say nothing. */
export type Agreement = 'same' | 'varies';

/** Hash of the names and contents of all files below the folder; installed packages and recordings are left out. */
function filesHash(folder: string): string {
  const hash = createHash('sha256');
  const visit = (below: string): void => {
    const entries = readdirSync(below, { withFileTypes: true });
    entries.sort((one, other) => (one.name < other.name ? -1 : 1));
    for (const entry of entries) {
      const path = join(below, entry.name);
      if (entry.name === 'node_modules' || entry.name.endsWith('.cprof')) continue;
      if (entry.isDirectory()) visit(path);
      else if (entry.isFile()) hash.update(`${path}\0`).update(readFileSync(path)).update('\0');
    }
  };
  visit(folder);
  return hash.digest('hex');
}

/** Where two bare runs agree, the recorded one must too. */
export async function recordedApp(app: App, folder: string): Promise<Recording & { agreement: Agreement }> {
  const file = join(folder, `${app.name}.cprof`);
  const cli = [process.execPath, join(ROOT, 'bin/clone-prof.js'), 'record', '-o', file, '--'];
  const run = async (command: readonly string[]): Promise<Ended & { files: string }> => {
    const ended = await endOf(
      runProgram(command, {
        cwd: app.cwd,
        env: { ...process.env, FORCE_COLOR: undefined, NO_COLOR: '1', ...app.env },
      }),
    );
    return { ...ended, files: filesHash(app.cwd) };
  };
  const [first, second] = [await run(app.command), await run(app.command)];
  const recorded = await run([...cli, ...app.command]);
  const normal = app.normal ?? ((printed) => printed);
  const isSameText = normal(first.stdout) === normal(second.stdout);
  const isSameCode = first.code === second.code;
  const areSameFiles = first.files === second.files;
  if (isSameText) assert.equal(normal(recorded.stdout), normal(first.stdout), `${app.name}: another stdout`);
  if (areSameFiles) assert.equal(recorded.files, first.files, `${app.name}: other files`);
  if (isSameCode)
    assert.equal(recorded.code, first.code, `${app.name}: another exit code\n${recorded.stderr}`);
  const agreement = isSameText && isSameCode && areSameFiles ? 'same' : 'varies';
  return { ...parseRecording(readFileSync(file, 'utf8'), file), agreement };
}

export const sumOf = (groups: readonly RecordedMessages[], of: (group: RecordedMessages) => number): number =>
  groups.reduce((sum, group) => sum + of(group), 0);
