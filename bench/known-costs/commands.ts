import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Report, Run } from '../../src/model/documents/report.ts';
import type { SweepPoint, SweepReport } from '../../src/model/documents/sweep.ts';
import { type Row, ratioRow } from '../table.ts';
import { folder, runtimeOf } from './guests.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Exit code. */
const UNDECIDED = 3;

/** The JSON that the program prints. */
async function printed<T>(...args: string[]): Promise<T> {
  const command = [join(root, 'bin/clone-prof.js'), ...args, '-f', 'json'];
  const run = promisify(execFile)(process.execPath, command, { cwd: root, maxBuffer: 2 ** 26 });
  // What was not decided in its time is a row without a number.
  const { stdout } = await run.catch((error: { code: number; stdout: string }) => {
    if (error.code !== UNDECIDED) throw error;
    return error;
  });
  return JSON.parse(stdout) as T;
}

const binary = async (spec: string) => (await runtimeOf(spec)).binary;

export async function knownAdvice(): Promise<Row[]> {
  const runOf = (report: Report, id: string): Run | undefined =>
    report.payloads.find((one) => one.id === id)?.runs[0];
  const cliff = await printed<Report>(
    'analyze',
    'fixtures/cliff.mjs',
    '-r',
    await binary('bun@1.4.5'),
    '-b',
    '3s',
  );
  const wrapped = runOf(cliff, 'cliff#wrapped');
  const arrays = await printed<Report>('analyze', 'fixtures/preallocated.mjs', '-r', 'node', '-b', '3s');
  const rewrites = (runOf(arrays, 'preallocated#preallocated')?.trials ?? []).filter(
    ({ remedy, outcome }) => outcome === 'faster' && ['repack', 'typed-array'].includes(remedy),
  );
  const text = folder.file('text.mjs', `export const text = 'x'.repeat(200_000);`);
  const alone = runOf(await printed<Report>('analyze', text, '-r', 'node', '-b', '1s'), 'text#text');
  const faster = (alone?.trials ?? []).filter(({ outcome }) => outcome === 'faster').length;
  const gain = wrapped?.advice?.action === 'apply' ? (wrapped.advice.gain?.ratio ?? 1) : 1;
  return [
    ratioRow(
      'bun@1.4.5: time with the advice for a string one level deep, both beyond an empty message',
      beyondFloor(gain, wrapped?.measurement?.overFloor?.ratio ?? Number.NaN),
      0.1,
    ),
    ratioRow(
      'node: time of new Array(n) repacked, where it is called faster',
      Math.min(1, ...rewrites.map(({ withConversion }) => withConversion?.ratio ?? 1)),
      0.95,
    ),
    { ...ratioRow('node: rewrites of a single text called faster', faster, 0), unit: '' },
  ];
}

/**
 * A share of the round trip without the empty message in both, which no rewrite can beat: a sleeping worker wakes in 10 µs
 * or in 100, which tells of the machine and not of the clone.
 *
 * @param overFloor round trip of the original over that of an empty message
 */
const beyondFloor = (share: number, overFloor: number) => (share - 1 / overFloor) / (1 - 1 / overFloor);

export async function knownSweeps(): Promise<Row[]> {
  const runtimes = [await binary('bun@1.2.20'), await binary('bun@1.2.21')];
  const strings = await printed<SweepReport>(
    'sweep',
    '--preset',
    'bun-strings',
    '-r',
    ...runtimes,
    '-b',
    '3s',
  );
  const keys = await printed<SweepReport>('sweep', '--preset', 'blog-keys', '-r', 'node', '-b', '5s');
  const bytes = keys.standings.find(({ strategy }) => strategy === 'bytes-transferred');
  return [
    ...stringRows(strings),
    ratioRow(
      'node: sizes at which transferred bytes win / lose against raw objects',
      (bytes?.faster.length ?? 0) / (bytes?.slower.length ?? 0),
      0.99,
    ),
    ...(await scaledRows()),
  ];
}

function stringRows({ points }: SweepReport): Row[] {
  const at = (version: string, size: number, of: (point: SweepPoint) => number | undefined) => {
    const found = points.find((point) => point.runtime.version === version && point.size === size);
    return (found && of(found)) ?? Number.NaN;
  };
  const [shortest, longest] = [11, 3_670_016];
  const ratio = (of: (version: string) => number) => of('1.2.21') / of('1.2.20');
  const grown = (of: (point: SweepPoint) => number | undefined) =>
    ratio((version) => at(version, longest, of) - at(version, shortest, of));
  const send = (point: SweepPoint) => point.send?.median;
  const longer = Math.max(at('1.2.20', shortest, send), at('1.2.21', shortest, send));
  return [
    ratioRow(
      'send of 3.6 million characters beyond that of eleven, bun@1.2.21 / bun@1.2.20',
      grown(send),
      0.01,
    ),
    ratioRow(
      'round trip of the same',
      grown((point) => point.roundTrip?.median),
      0.1,
    ),
    ratioRow(
      'memory of the 3.6 million',
      ratio((version) => at(version, longest, (point) => point.peakMemory?.perMessage)),
      0.25,
    ),
    { ...ratioRow('send of eleven characters', longer / 1000, 20), unit: 'us' },
  ];
}

async function scaledRows(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const spec of ['bun@1.4.5', 'deno@2.9.6']) {
    const args = ['fixtures/orders.json', '--scale', '2..200', '--steps', '2', '-b', '5s'];
    const { points } = await printed<SweepReport>('sweep', ...args, '-r', await binary(spec));
    const [small, large] = points.filter(({ strategy }) => strategy === 'raw');
    const ratio = (small?.roundTrip?.median ?? Number.NaN) / (large?.roundTrip?.median ?? Number.NaN);
    rows.push(ratioRow(`${spec}: round trip of 2 orders / of 200`, ratio, 0.25));
  }
  return rows;
}
