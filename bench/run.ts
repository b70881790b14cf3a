// Measures every claim about speed and memory: `npm run bench`, or `npm run bench -- budgets aa`.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { aa } from './aa.ts';
import { advice } from './advice/advice.ts';
import { adviceBusy } from './advice/busy.ts';
import { commandBudgets } from './budgets.ts';
import { codecs } from './codecs/codecs.ts';
import { codecCosts } from './codecs/costs.ts';
import { describing } from './describe.ts';
import { extension } from './extension/extension.ts';
import { footprint } from './footprint.ts';
import { gate } from './gate.ts';
import { gateBusy } from './gate-busy.ts';
import { harness } from './harness.ts';
import { knownCosts } from './known-costs/known-costs.ts';
import { launches } from './launches.ts';
import { pages } from './pages.ts';
import { patches } from './patches.ts';
import { patience } from './patience.ts';
import { peers } from './peers/peers.ts';
import { recordBytes } from './record/bytes/record-bytes.ts';
import { record } from './record/record.ts';
import { statistics } from './statistics.ts';
import { studies } from './studies/studies.ts';
import { type Row, table } from './table.ts';
import { timeSpent } from './time-spent.ts';

const BENCHES = {
  budgets: commandBudgets,
  patience,
  footprint,
  describe: describing,
  harness,
  aa,
  advice,
  'advice-busy': adviceBusy,
  'time-spent': timeSpent,
  codecs,
  'codec-costs': codecCosts,
  patches,
  peers,
  statistics,
  gate,
  'gate-busy': gateBusy,
  launches,
  record,
  'record-bytes': recordBytes,
  pages,
  studies,
  extension,
  'known-costs': knownCosts,
} satisfies Record<string, () => Promise<Row[]>>;

export type BenchName = keyof typeof BENCHES;

/** The result of one bench; `.cache/bench.json` keeps the last of each. */
interface Result {
  machine: string;
  /** Load average of the last minute, before and after: above the number of cores, times are noisy. */
  load: [number, number];
  rows: Row[];
}

const file = process.env.BENCH_RESULTS ?? fileURLToPath(new URL('../.cache/bench.json', import.meta.url));
const machine = `node ${process.version}, ${cpus().length} x ${cpus()[0]?.model}, ${Math.round(totalmem() / 2 ** 30)} GiB`;
const load = () => Math.round((loadavg()[0] ?? 0) * 10) / 10;

const wanted = process.argv.slice(2);
/** Also where nothing was measured. */
const isMissed = ({ held, value }: Row) => held === false || !Number.isFinite(value);
const isKnown = (name: string): name is BenchName => Object.hasOwn(BENCHES, name);
const unknown = wanted.filter((name) => !isKnown(name));
if (unknown.length > 0) {
  console.error(`unknown bench: ${unknown.join(', ')}. Known: ${Object.keys(BENCHES).join(', ')}`);
  process.exitCode = 2;
} else {
  mkdirSync(dirname(file), { recursive: true });
  console.log(`${machine}\n`);
  for (const name of (wanted.length > 0 ? wanted : Object.keys(BENCHES)).filter(isKnown)) {
    const before = load();
    const rows: Row[] = await BENCHES[name]();
    const result: Result = { machine, load: [before, load()], rows };
    console.log(`${name} (load ${result.load.join(' -> ')})\n${table(rows)}\n`);
    keep(name, result);
    if (rows.length === 0 || rows.some(isMissed)) process.exitCode = 1;
  }
}

/** Written after each bench, so that a later failure loses nothing. */
function keep(name: string, result: Result): void {
  const all = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, Result>) : {};
  writeFileSync(file, JSON.stringify({ ...all, [name]: result }));
}
