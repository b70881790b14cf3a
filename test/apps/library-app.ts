/** The programs of fixtures/apps: what is recorded of them is compared with what they post. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { TASKS } from '../../fixtures/apps/tasks.mjs';
import type { LibraryName } from '../../src/model/names.ts';
import { endOf, ROOT, runProgram } from '../support/spawn-cli.ts';
import { type Agreement, recordedApp, sumOf } from './recorded-app.ts';

const APPS = join(ROOT, 'fixtures/apps');
const COUNTER = join(ROOT, 'test/apps/posted.cjs');

export const isInstalled = (library: LibraryName): boolean =>
  (createRequire(import.meta.url).resolve.paths(library) ?? []).some((one) => existsSync(join(one, library)));

/** By direction: the sizes of all messages that hold a task or a result. */
async function postedBy(command: readonly string[], folder: string): Promise<Record<string, number[]>> {
  const file = join(folder, 'posted.txt');
  const env = { ...process.env, NODE_OPTIONS: `--require ${JSON.stringify(COUNTER)}`, POSTED_FILE: file };
  await endOf(runProgram(command, { cwd: APPS, env }));
  const posted: Record<string, number[]> = { request: [], reply: [] };
  for (const line of readFileSync(file, 'utf8').trimEnd().split('\n')) {
    const [direction = '', size] = line.split(' ');
    posted[direction]?.push(Number(size));
  }
  rmSync(file);
  return posted;
}

/** @param folder an empty one */
export async function checkLibrary(library: LibraryName, folder: string): Promise<Agreement> {
  const command = ['node', `${library}.mjs`];
  const { messages, agreement } = await recordedApp({ name: library, command, cwd: APPS }, folder);
  const posted = await postedBy(command, folder);
  for (const direction of ['request', 'reply'] as const) {
    const sizes = posted[direction]!;
    const groups = messages.filter(
      ({ envelope }) => envelope?.library === library && envelope.direction === direction,
    );
    const what = `${library} ${direction}`;
    assert.equal(sizes.length, TASKS, what);
    assert.equal(
      sumOf(groups, ({ count }) => count),
      TASKS,
      what,
    );
    assert.ok(
      groups.every(({ site }) => site.library?.version),
      `${what}: its version is not known`,
    );
    const expected = sizes.reduce((sum, size) => sum + size, 0);
    const bytes = sumOf(groups, (group) => group.bytes?.total ?? 0);
    assert.ok(Math.abs(bytes / expected - 1) < 0.01, `${what}: ${bytes} bytes, and it posts ${expected}`);
  }
  return agreement;
}
