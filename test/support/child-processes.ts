import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { processIds, statOf } from '../../src/machine/machine.ts';
import { orElse } from '../../src/model/or-else.ts';

/** A process that was killed takes a moment to be gone, longer on a busy machine. */
const PATIENCE_MS = 60_000;

/** The service of esbuild, as a child of this process, lives as long as this one does. */
const OWN_SERVICE = new RegExp(`^\\s*\\d+ +${process.pid} .*\\besbuild --service=`);

export interface BrowserProcess {
  pid: number;
  parent: number;
  group: number;
  /** Its program and arguments. */
  command: string;
  /** Time of the processor, in ticks. */
  ticks: number;
}

/** Linux: all others that have not ended. */
const processes = (): (BrowserProcess & { environment: string })[] =>
  processIds().flatMap((pid) => {
    const [state, parent, group, ...fields] = statOf(pid);
    if (state === undefined || state === 'Z' || pid === process.pid) return [];
    const read = (name: string) =>
      orElse(() => readFileSync(`/proc/${pid}/${name}`, 'latin1'), '').replaceAll('\0', ' ');
    const ticks = Number(fields[8]) + Number(fields[9]);
    const texts = { command: read('cmdline'), environment: read('environ') };
    return [{ pid, parent: Number(parent), group: Number(group), ticks, ...texts }];
  });

/**
 * Processes that carry `mark` in their environment or, where that cannot be read, in their command line: number, number of
 * the parent and command of each.
 */
export function marked(mark: string): string[] {
  const isLinux = process.platform === 'linux';
  const lines = isLinux
    ? processes().map((one) => `${one.pid} ${one.parent} ${one.command}\0${one.environment}`)
    : execFileSync('ps', ['-Aww', '-E', '-o', 'pid=,ppid=,command='], { encoding: 'utf8' }).split('\n');
  return lines
    .filter((line) => line.includes(mark, isLinux ? line.indexOf('\0') : 0))
    .map((line) => line.replace(/\0.*/s, ''))
    .filter((line) => !OWN_SERVICE.test(line) && !line.trim().startsWith(`${process.pid} `));
}

/** Linux: all processes of browsers whose environment holds `mark`, with those of their groups. */
export function browserProcesses(mark: string): BrowserProcess[] {
  const all = processes();
  const groups = new Set(
    all.filter(({ environment }) => environment.includes(mark)).map(({ group }) => group),
  );
  return all.filter(({ group }) => groups.has(group));
}

/** Processes of pages, as the browsers call them. */
export const isOfPage = ({ command }: BrowserProcess): boolean =>
  /--type=renderer|-isForBrowser|WebKitWebProcess/.test(command);

/** One for all files of this process: what one file leaves behind fails the next that looks. */
const MARK = `clone-prof-test-${process.pid}-${process.hrtime.bigint()}`;

/** Marks every process that this one starts from here on. The result asserts that all of them, and theirs, have ended. */
export function trackChildProcesses(): () => Promise<void> {
  process.env.CLONE_PROF_TEST_MARK = MARK;
  return async () => {
    for (let waited = 0; waited < PATIENCE_MS && marked(MARK).length > 0; waited += 50) await pause(50);
    assert.deepEqual(marked(MARK), [], 'processes are still running');
  };
}

/** Polls until `condition` holds, and fails after a minute with this text, or what it says then. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  text: string | (() => string),
): Promise<void> {
  // To look at all processes takes a while: what takes longer is not looked at more often for it.
  let pauseMs = 20;
  for (let waited = 0; !(await condition()); waited += pauseMs) {
    assert.ok(waited < PATIENCE_MS, typeof text === 'string' ? text : text());
    pauseMs = Math.min(100, pauseMs * 1.2);
    await pause(pauseMs);
  }
}
