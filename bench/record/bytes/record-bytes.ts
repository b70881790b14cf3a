/**
 * Bytes that a recording tells, beside those that were posted: programs that post dictionaries, lists, envelopes and mixtures of
 * sizes. `RECORD_BYTES_ONLY=dictionary` takes the programs with this in their names, `RECORD_BYTES_RUNTIMES=node,bun` further runtimes.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RecordedMessages } from '../../../src/model/documents/recorded/recording.ts';
import { readThreads } from '../../../src/record/files/recording-files.ts';
import { prepareRecording } from '../../../src/record/program/recorder.ts';
import { sampleBytes } from '../../../src/record/threads/sample-bytes.ts';
import { provision } from '../../../src/runtimes/provision/provision.ts';
import { countedIn } from '../../../test/support/count-bytes.ts';
import { merged } from '../../../test/support/merged.ts';
import { medianOf } from '../../interleave.ts';
import type { Row } from '../../table.ts';
import { recordedInPage } from './in-page.ts';
import { names } from './programs.mjs';

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const ONLY = process.env.RECORD_BYTES_ONLY ?? '';
const RUNTIMES = (process.env.RECORD_BYTES_RUNTIMES ?? 'node').split(',');

interface Program {
  name: string;
  /** Bytes of each message. */
  sizes: number[];
  /** What the recording tells of all messages of the program's one line. */
  groups: RecordedMessages[];
}

/** Of a program: whether the interval holds, and how wide it is. */
interface Judged {
  name: string;
  told: [low: number, total: number, high: number];
  truth: number;
  isHeld: boolean;
  width: number;
  isCounted: boolean;
  /** No size is told: what was looked at says nothing of the rest. */
  isUnknown: boolean;
}

const sum = (all: readonly number[]): number => all.reduce((total, one) => total + one, 0);

function printed(binary: string, words: readonly string[], env: NodeJS.ProcessEnv = process.env): string {
  const { status, stdout, stderr } = spawnSync(binary, [...words], { env, encoding: 'utf8', maxBuffer: 1e8 });
  if (status !== 0) throw new Error(`${words.join(' ')}: exit ${status}\n${stderr}`);
  return stdout;
}

const runs = (name: string, file: string): string[] => [
  ...(name.startsWith('deno') ? ['run', '-A'] : []),
  here(file),
];

async function recordedIn(runtime: string, binary: string, name: string): Promise<RecordedMessages[]> {
  const folder = mkdtempSync(join(tmpdir(), 'clone-prof-bench-bytes-'));
  try {
    const variables = await prepareRecording(folder, {
      values: 'none' as const,
      doctor: false,
    });
    printed(binary, [...runs(runtime, 'post.mjs'), name], { ...process.env, ...variables });
    const { threads } = readThreads(folder);
    const bytesOf = await sampleBytes(threads, countedIn(folder, runtime.startsWith('bun') ? binary : null));
    return merged(threads, here('.'), bytesOf).messages;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const isTheLine = ({ api, from }: RecordedMessages): boolean =>
  api === 'Worker.postMessage' && from !== 'worker';

async function programs(runtime: string): Promise<Program[]> {
  const isPage = runtime === 'chromium';
  const binary =
    isPage || runtime === 'node' ? process.execPath : (await provision(runtime, { offline: true })).binary;
  const all: Program[] = [];
  for (const name of names.filter((one) => one.includes(ONLY))) {
    const sizes = JSON.parse(printed(binary, [...runs(runtime, 'truth.mjs'), name])) as number[];
    const messages = isPage ? await recordedInPage(name) : await recordedIn(runtime, binary, name);
    all.push({ name, sizes, groups: messages.filter(isTheLine) });
  }
  return all;
}

/** Counts are whole messages, and rounding is no error. */
const ROUNDING = 1e-4;

function judged({ name, sizes, groups }: Program): Judged {
  const truth = sum(sizes);
  const end = (of: (bytes: NonNullable<RecordedMessages['bytes']>) => number) =>
    sum(groups.map(({ bytes }) => (bytes === null ? 0 : of(bytes))));
  const told: Judged['told'] = [end(({ ci }) => ci[0]), end(({ total }) => total), end(({ ci }) => ci[1])];
  const isHeld = told[0] * (1 - ROUNDING) <= truth && truth <= told[2] * (1 + ROUNDING);
  const isCounted = sum(groups.map(({ count }) => count)) === sizes.length;
  const isUnknown = groups.every(({ bytes }) => bytes === null);
  return { name, told, truth, isHeld, width: told[2] / Math.max(1, told[0]), isCounted, isUnknown };
}

function line({ name, told, truth, isHeld, width, isCounted, isUnknown }: Judged): string {
  const bytes = (value: number) => `${(value / 1000).toPrecision(4)} kB`.padStart(12);
  const words = `${isUnknown ? 'none  ' : isHeld ? 'held  ' : 'MISSED'} ${name.padEnd(48)} true ${bytes(truth)}  told ${told.map(bytes).join('')}`;
  return `${words}  ${width.toFixed(2)}x${isCounted ? '' : '  OTHER COUNT'}`;
}

async function rowsOf(runtime: string): Promise<Row[]> {
  const all = (await programs(runtime)).map(judged);
  console.log(`${runtime}: bytes that were posted, and low end, middle and high end of those told`);
  for (const one of all) console.log(line(one));
  const sized = all.filter(({ isUnknown }) => !isUnknown);
  const share = (that: (one: Judged) => boolean) => sized.filter(that).length / Math.max(1, sized.length);
  const missed = 100 * share(({ isHeld }) => !isHeld);
  const width = medianOf(sized.map((one) => one.width));
  const counts = all.filter(({ isCounted }) => !isCounted).length;
  const off = medianOf(sized.map(({ told, truth }) => Math.abs(Math.log(Math.max(1, told[1]) / truth))));
  const row = (what: string, value: number, unit: string, budget: number | null): Row => ({
    ...{ what: `${runtime}: ${what}`, value, unit, budget },
    held: budget === null ? null : value <= budget,
  });
  return [
    { ...row(`intervals of bytes that miss, of ${sized.length} programs`, missed, '%', 5), raw: all },
    row('median width of the interval', width, 'x', 1.4),
    row('median error of the middle', 100 * (Math.exp(off) - 1), '%', null),
    row('programs with another count', counts, 'programs', 0),
    // That of cycles.
    row('programs without a size', all.length - sized.length, 'programs', 1),
  ];
}

export async function recordBytes(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const runtime of RUNTIMES) rows.push(...(await rowsOf(runtime)));
  return rows;
}
