/**
 * Generated codecs beside what an expert would reach for: JSON text, msgpackr, cbor-x, avsc, protobufjs and, for tables,
 * Apache Arrow. Each payload of `bench/advice` goes through a worker that reads it and answers with a value of its own,
 * encoded the same way; conversion is charged on both sides, buffers are moved. All take turns in random orders in one
 * plain program (inside/program.ts), in several processes. What arrives is compared once, before anything is timed.
 *
 * In pages of browsers that are here, ten of the payloads: avsc is not for pages.
 *
 * `PEERS_GROUP=held-out`, `PEERS_ONLY=cldr`, `PEERS_RUNTIMES=node,chromium`, `PEERS_PROCESSES=2`, `PEERS_MS=4000` (in each).
 */
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { groupsOf, writeRealData } from '../advice/real-data.ts';
import type { Row } from '../table.ts';
import { bundle } from './bundle.ts';
import { codecFile } from './codec-file.ts';
import { type Contest, contest } from './contest.ts';
import { PEERS } from './inside/peers.ts';
import { RUNTIMES } from './runtimes.ts';
import { contestRow, summaryRows } from './summary.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(root, '.cache', 'bench', 'peers');
const { PEERS_GROUP, PEERS_ONLY = '', PEERS_RUNTIMES = Object.keys(RUNTIMES).join(',') } = process.env;
const { PEERS_PROCESSES, PEERS_MS, CLONE_PROF_SEED } = process.env;
const PROCESSES = Number(PEERS_PROCESSES ?? 2);
const MS = Number(PEERS_MS ?? 4000);
const SEED = Number(CLONE_PROF_SEED ?? 1);

/** Larger payloads are posted in shorter blocks, so that everyone gets his turns in the time. */
const LARGE = 300_000;
const blockOf = (file: string) => (statSync(file).size > LARGE ? 2 : 4);

/** In browsers, which take seconds to start, these alone. */
const IN_PAGES = [
  'geojson-canada',
  'mesh',
  'topology',
  'tweets',
  'builds',
  'users',
  'country-borders',
  'mdn-browsers',
  'languages',
  'syntax-tree',
];

export async function peers(): Promise<Row[]> {
  mkdirSync(folder, { recursive: true });
  await bundle(root, folder);
  const files = await payloadFiles();
  const rows: Row[] = [];
  const summaries: Row[] = [];
  for (const name of PEERS_RUNTIMES.split(',')) {
    const contests = await contestsOn(name, files);
    rows.push(...contests.map(contestRow));
    summaries.push(...summaryRows(name, contests, Object.keys(PEERS)));
  }
  return [...rows, ...summaries];
}

type Files = [payload: string, file: string][];

async function payloadFiles(): Promise<Files> {
  const files: Files = [];
  for (const group of groupsOf(PEERS_GROUP))
    files.push(...Object.entries(await writeRealData(join(folder, 'payloads'), group)));
  return files.filter(([name]) => name.includes(PEERS_ONLY));
}

const noted = new Set<string>();

/** Once for each reason. */
function note(what: string, why: string): void {
  if (!noted.has(why)) console.error(`${what}: ${why}`);
  noted.add(why);
}

/** None where the runtime is not here. */
async function contestsOn(name: string, files: Files): Promise<Contest[]> {
  const open = RUNTIMES[name];
  if (!open) throw new Error(`unknown runtime: ${name}. Known: ${Object.keys(RUNTIMES).join(', ')}`);
  const runtime = await open(folder);
  if (runtime === null) {
    note(name, 'not here, so left out');
    return [];
  }
  const contests: Contest[] = [];
  for (const [payload, file] of files) {
    if (runtime.isBrowser && !IN_PAGES.includes(payload)) continue;
    const codec = await codecFile(root, folder, file, name);
    if (codec.why !== null) note(`${payload}, no codec`, codec.why);
    const ask = { payload: file, codec: codec.file, seed: SEED, block: blockOf(file), ms: MS };
    contests.push(await contest(payload, runtime, PROCESSES, ask));
  }
  return contests;
}
