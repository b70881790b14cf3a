/** A program as it runs bare, and as it runs and is told when it is recorded. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
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

/** Where two bare runs agree, the recorded one must too. */
export async function recordedApp(app: App, folder: string): Promise<Recording> {
  const file = join(folder, `${app.name}.cprof`);
  const cli = [process.execPath, join(ROOT, 'bin/clone-prof.js'), 'record', '-o', file, '--'];
  const run = (command: readonly string[]): Promise<Ended> =>
    endOf(
      runProgram(command, {
        cwd: app.cwd,
        env: { ...process.env, FORCE_COLOR: undefined, NO_COLOR: '1', ...app.env },
      }),
    );
  const [first, second] = [await run(app.command), await run(app.command)];
  const recorded = await run([...cli, ...app.command]);
  const normal = app.normal ?? ((printed) => printed);
  if (normal(first.stdout) === normal(second.stdout))
    assert.equal(normal(recorded.stdout), normal(first.stdout), `${app.name}: another stdout`);
  if (first.code === second.code)
    assert.equal(recorded.code, first.code, `${app.name}: another exit code\n${recorded.stderr}`);
  return parseRecording(readFileSync(file, 'utf8'), file);
}

export const sumOf = (groups: readonly RecordedMessages[], of: (group: RecordedMessages) => number): number =>
  groups.reduce((sum, group) => sum + of(group), 0);
