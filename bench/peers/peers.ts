/**
 * Generated codecs beside what an expert would reach for: JSON text, msgpackr, cbor-x, avsc, protobufjs and, for tables,
 * Apache Arrow. Each payload of `bench/advice` goes through a worker that reads it and answers with a value of its own,
 * encoded the same way; conversion is charged on both sides, buffers are moved. All take turns in random orders in one
 * plain program (inside/program.ts), in several processes. What arrives is compared once, before anything is timed.
 *
 * `PEERS_GROUP=held-out`, `PEERS_ONLY=cldr`, `PEERS_RUNTIMES=node,bun`, `PEERS_PROCESSES=3`, `PEERS_MS=1000` (in each).
 */
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { provision } from '../../src/runtimes/provision/provision.ts';
import { groupsOf, writeRealData } from '../advice/real-data.ts';
import type { Row } from '../table.ts';
import { bundle } from './bundle.ts';
import { codecFile } from './codec-file.ts';
import { type Contest, contest, type Runtime } from './contest.ts';
import { PEERS } from './inside/peers.ts';
import { contestRow, summaryRows } from './summary.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(root, '.cache', 'bench', 'peers');
const { PEERS_GROUP, PEERS_ONLY = '', PEERS_RUNTIMES = 'node,bun,deno' } = process.env;
const { PEERS_PROCESSES, PEERS_MS, CLONE_PROF_SEED } = process.env;
const PROCESSES = Number(PEERS_PROCESSES ?? 3);
const MS = Number(PEERS_MS ?? 1000);
const SEED = Number(CLONE_PROF_SEED ?? 1);

/** Larger payloads are posted in shorter blocks, so that everyone gets his turns in the time. */
const LARGE = 300_000;
const blockOf = (file: string) => (statSync(file).size > LARGE ? 2 : 4);

const RUNTIMES: Record<string, () => Promise<Runtime>> = {
  node: async () => ({ name: 'node', binary: process.execPath, args: [] }),
  bun: async () => ({ name: 'bun', binary: (await provision('bun@1.4.5')).binary, args: [] }),
  deno: async () => ({
    name: 'deno',
    binary: (await provision('deno@2.9.6')).binary,
    args: ['run', '-A', '--no-config'],
  }),
};

export async function peers(): Promise<Row[]> {
  mkdirSync(folder, { recursive: true });
  const program = await bundle(root, folder);
  const files = await payloadFiles();
  const rows: Row[] = [];
  const summaries: Row[] = [];
  const noted = new Set<string>();
  for (const name of PEERS_RUNTIMES.split(',')) {
    const runtime = await RUNTIMES[name]?.();
    if (!runtime) throw new Error(`unknown runtime: ${name}. Known: ${Object.keys(RUNTIMES).join(', ')}`);
    const contests: Contest[] = [];
    for (const [payload, file] of files) {
      const codec = await codecFile(root, folder, file, runtime.name);
      if (codec.why !== null && !noted.has(codec.why)) console.error(`${payload}, no codec: ${codec.why}`);
      noted.add(codec.why ?? '');
      const ask = { file, codec: codec.file, seed: SEED, block: blockOf(file), ms: MS };
      contests.push(await contest(program, payload, runtime, PROCESSES, ask));
    }
    rows.push(...contests.map(contestRow));
    summaries.push(...summaryRows(runtime.name, contests, Object.keys(PEERS)));
  }
  return [...rows, ...summaries];
}

async function payloadFiles(): Promise<[payload: string, file: string][]> {
  const files: [string, string][] = [];
  for (const group of groupsOf(PEERS_GROUP))
    files.push(...Object.entries(await writeRealData(join(folder, 'payloads'), group)));
  return files.filter(([name]) => name.includes(PEERS_ONLY));
}
