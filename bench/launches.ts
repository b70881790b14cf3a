/**
 * What is left of browsers after many runs of the program, several at once, of which each is killed at some moment, or a
 * process of its browser is: Linux, where processes can be told apart. `LAUNCHES=100`, `LAUNCHES_SEED=1`,
 * `LAUNCHES_BROWSERS=firefox,webkit`.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { randomBelow, seeded } from '../src/stats/intervals/random.ts';
import { type BrowserProcess, browserProcesses } from '../test/support/child-processes.ts';
import { TEST_BROWSERS } from '../test/support/fetched.ts';
import { envWith, missing, runtime } from '../test/support/runtimes.ts';
import type { Row } from './table.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const LAUNCHES = Number(process.env.LAUNCHES ?? 100);
const SEED = Number(process.env.LAUNCHES_SEED ?? 1);
const BROWSERS = process.env.LAUNCHES_BROWSERS?.split(',') ?? TEST_BROWSERS;
const AT_ONCE = 3;
/** The orphan reaper looks once a second. */
const PATIENCE_MS = 20_000;
const HANGS_MS = 180_000;

/** All that a run ends with: the report, a failed run, an interruption, an internal error, our signal. */
interface End {
  what: string;
  ms: number;
  stderr: string;
}

type Random = () => number;
type Runtime = (typeof TEST_BROWSERS)[number];

/** The orphan reaper, and what it waits with: without it only its own next kill would tell. */
function withoutReaper(all: readonly BrowserProcess[]): BrowserProcess[] {
  const reapers = all.filter(({ command }) => command.includes('while read -r event'));
  return all.filter(({ group }) => reapers.every((one) => one.group !== group));
}

/** Kills the tool, or any process of its browser. */
function killOne(tool: BrowserProcess['pid'], all: readonly BrowserProcess[], random: Random): string {
  const signals = ['SIGKILL', 'SIGTERM', 'SIGINT'] as const;
  const others = all.filter(({ pid }) => pid !== tool);
  const isTool = others.length === 0 || random() < 1 / 3;
  const { pid, command } = isTool ? { pid: tool, command: '' } : others[randomBelow(others.length, random)]!;
  const signal = isTool ? signals[randomBelow(signals.length, random)]! : 'SIGKILL';
  try {
    process.kill(pid, signal);
  } catch {
    return 'nothing: it had ended';
  }
  return isTool ? `the tool by ${signal}` : nameOf(command);
}

/** `headless-shell --type=renderer`, `Xvfb` */
function nameOf(command: string): string {
  const [, program = ''] = /([^/ ]*)( |$)/.exec(command.slice(0, command.indexOf(' '))) ?? [];
  const [type = ''] = /--type=[\w-]+|-isForBrowser/.exec(command) ?? [];
  return `${program} ${type}`.trim();
}

/** @param temp its temporary folder, which is in the environment of all that it starts */
async function run(browser: Runtime, temp: string, killAfter: number, random: Random): Promise<End> {
  mkdirSync(temp, { recursive: true });
  const args = ['bin/clone-prof.js', 'analyze', 'fixtures/orders.json', '--no-measure', '-r', browser];
  const env = { ...envWith(runtime(browser)), TMPDIR: temp };
  const began = performance.now();
  // In a group of its own: what is in the groups of its processes is killed.
  const tool = spawn(process.execPath, args, {
    ...{ cwd: root, env, detached: true },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  tool.stderr.on('data', (piece) => (stderr += piece));
  const ended = new Promise<string>((resolve) =>
    tool.on('exit', (code, signal) => resolve(String(signal ?? code))),
  );
  let killed = '';
  const timer = setTimeout(() => {
    killed = killOne(tool.pid!, withoutReaper(browserProcesses(temp)), random);
  }, killAfter);
  const hangs = setTimeout(() => tool.kill('SIGKILL'), HANGS_MS);
  const by = await ended;
  for (const one of [timer, hangs]) clearTimeout(one);
  const ms = performance.now() - began;
  const what = ms >= HANGS_MS ? `hung: killed ${killed}` : `killed ${killed || 'nothing'}: ended with ${by}`;
  return { what, ms, stderr };
}

/** Of displays: locks, sockets, and keyboards that were compiled. */
const displays = () =>
  ['/tmp', '/tmp/.X11-unix', '/var/lib/xkb'].flatMap((folder) => {
    try {
      const names = readdirSync(folder).filter((name) => /^\.X\d+-lock$|^X\d+$|^server-\d+\.xkm$/.test(name));
      return names.map((name) => join(folder, name));
    } catch {
      return [];
    }
  });

function leftIn(temp: string, before: readonly string[]): string[] {
  const folders = readdirSync(temp).flatMap((slot) => readdirSync(join(temp, slot)));
  const processes = browserProcesses(temp).map(({ command }) => command);
  return [...processes, ...folders, ...displays().filter((one) => !before.includes(one))];
}

async function launched(browser: Runtime): Promise<Row> {
  const temp = mkdtempSync(join(tmpdir(), 'clone-prof-launches-'));
  const before = displays();
  const random = seeded(SEED);
  const ends = [await run(browser, join(temp, 'first'), HANGS_MS, random)];
  // Beside others it takes longer.
  const lifeMs = Math.round(ends[0]!.ms * 2);
  const slot = async (name: string) => {
    while (ends.length < LAUNCHES)
      ends.push(await run(browser, join(temp, name), randomBelow(lifeMs, random), random));
    // What a killed run left of its work is removed by the next one.
    ends.push(await run(browser, join(temp, name), HANGS_MS, random));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, (_, at) => slot(`${at}`)));
  let left = leftIn(temp, before);
  for (const until = Date.now() + PATIENCE_MS; left.length > 0 && Date.now() < until; ) {
    await pause(500);
    left = leftIn(temp, before);
  }
  if (left.length === 0) rmSync(temp, { recursive: true });
  report(browser, ends);
  const hung = ends.filter(({ what }) => what.startsWith('hung'));
  const what = `${browser}: processes, folders and locks left after ${ends.length} runs, ${AT_ONCE} at once, each killed at a random moment; runs that hung`;
  const raw = [...left, ...hung.map((one) => one.what)];
  return { what, value: raw.length, unit: '', budget: 0, held: raw.length === 0, raw };
}

/** How they ended, the longest, and what they said of browsers that were started once more. */
function report(browser: string, ends: readonly End[]): void {
  const counts = new Map<string, number>();
  for (const { what } of ends) counts.set(what, (counts.get(what) ?? 0) + 1);
  console.log(browser);
  for (const [what, count] of [...counts].sort(([, a], [, b]) => b - a)) console.log(`  ${count} × ${what}`);
  const told = ({ what, ms, stderr }: End) => `  ${Math.round(ms)} ms, ${what}: ${stderr.trim()}`;
  for (const one of ends) if (/once more/.test(one.stderr)) console.log(told(one));
  const [longest] = ends.toSorted((a, b) => b.ms - a.ms);
  if (longest) console.log(`  the longest:\n${told(longest)}`);
}

export async function launches(): Promise<Row[]> {
  const rows: Row[] = [];
  if (process.platform !== 'linux') return rows;
  for (const browser of TEST_BROWSERS)
    if (BROWSERS.includes(browser) && !missing(browser)) rows.push(await launched(browser));
  return rows;
}
