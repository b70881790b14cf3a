/** What is left of browsers after many runs of the program: Linux, where processes can be told apart. `LAUNCHES=50`. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { randomBelow, seeded } from '../src/core/stats/random.ts';
import { browserProcesses } from '../test/support/browser-processes.ts';
import { TEST_BROWSERS } from '../test/support/fetch-browsers.ts';
import { missing } from '../test/support/runtimes.ts';
import type { Row } from './table.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const LAUNCHES = Number(process.env.LAUNCHES ?? 50);
/** Of so many runs one is killed, at any time of its life. */
const KILLED = 5;
const LIFE_MS = 4000;
/** The orphan reaper looks once a second. */
const PATIENCE_MS = 20_000;

function run(browser: string, temp: string, killAfter: number | null): Promise<void> {
  const args = ['bin/clone-prof.js', 'analyze', 'fixtures/orders.json', '--no-measure', '-r', browser];
  const env = { ...process.env, TMPDIR: temp };
  const tool = spawn(process.execPath, args, { cwd: root, env, stdio: 'ignore' });
  const timer = killAfter === null ? undefined : setTimeout(() => tool.kill('SIGKILL'), killAfter);
  return new Promise((resolve) =>
    tool.on('exit', () => {
      clearTimeout(timer);
      resolve();
    }),
  );
}

const locks = () => readdirSync('/tmp').filter((name) => /^\.X\d+-lock$/.test(name));

function leftIn(temp: string, before: readonly string[]): string[] {
  const folders = readdirSync(temp).filter((name) => name.startsWith('clone-prof-browser-'));
  const processes = browserProcesses(temp).map(({ command }) => command);
  return [...processes, ...folders, ...locks().filter((lock) => !before.includes(lock))];
}

async function launched(browser: string): Promise<Row> {
  const temp = mkdtempSync(join(tmpdir(), 'clone-prof-launches-'));
  const before = locks();
  const random = seeded(1);
  for (let i = 0; i < LAUNCHES; i++)
    await run(browser, temp, i % KILLED === KILLED - 1 ? randomBelow(LIFE_MS, random) : null);
  let left = leftIn(temp, before);
  for (const until = Date.now() + PATIENCE_MS; left.length > 0 && Date.now() < until; ) {
    await new Promise((resolve) => setTimeout(resolve, 500));
    left = leftIn(temp, before);
  }
  if (left.length === 0) rmSync(temp, { recursive: true });
  const what = `${browser}: processes, profiles and locks left after ${LAUNCHES} runs, every fifth of them killed`;
  return { what, value: left.length, unit: '', budget: 0, held: left.length === 0, raw: left };
}

export async function launches(): Promise<Row[]> {
  const rows: Row[] = [];
  if (process.platform !== 'linux') return rows;
  for (const browser of TEST_BROWSERS) if (!missing(browser)) rows.push(await launched(browser));
  return rows;
}
