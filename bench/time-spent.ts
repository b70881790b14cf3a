/**
 * What do the milliseconds of a default run go to? Whole runs of `analyze` with a driver that listens: the parts do not overlap,
 * except that memory is measured in two processes at a time. "In turns" are the round trips that count;
 * the share of the longest payloads must be 70 %. `SPENT_ONLY=emoji` takes the payloads with this in their names.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { analyze } from '../src/app/analyze/analyze.ts';
import { thisMachine } from '../src/machine/machine.ts';
import type { Recipe } from '../src/model/report/recipe.ts';
import { DEFAULTS, type RuntimeDriver } from '../src/model/run/runtime.ts';
import type { Measured } from '../src/model/wire/wire.ts';
import { findRuntimes } from '../src/runtimes/find/find.ts';
import { provision } from '../src/runtimes/provision/provision.ts';
import { processDriver } from '../test/support/runtimes.ts';
import { writeRealData } from './advice/real-data.ts';
import type { Row } from './table.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const { SPENT_ONLY = 'emoji', CLONE_PROF_SEED = '1' } = process.env;
/** Messages that take longer than this, ms: the promise is of these. */
const LONG_MS = 5;
const IN_TURNS = 0.7;

type Part = 'starts' | 'describe' | 'prove' | 'preparing' | 'in turns' | 'memory' | 'rest';

export async function timeSpent(): Promise<Row[]> {
  const files = Object.entries({
    ...(await writeRealData(join(root, '.cache', 'bench', 'spent'), 'held-out')),
    ...(await writeRealData(join(root, '.cache', 'bench', 'spent'), 'parsers')),
  }).filter(([name]) => name.includes(SPENT_ONLY));
  const rows: Row[] = [];
  for (const [name, file] of files)
    for (const runtime of ['node', (await provision('bun@1.4.5')).binary])
      rows.push(await spentOn(name, file, runtime));
  return rows;
}

async function spentOn(name: string, file: string, runtime: string): Promise<Row> {
  const spent: Record<Part, number> = {
    ...{ starts: 0, describe: 0, prove: 0, preparing: 0, 'in turns': 0, memory: 0, rest: 0 },
  };
  const now = () => performance.now();
  const tools = {
    ...{ driver: listening(spent), machine: thisMachine(), emit: () => undefined, now, version: 'bench' },
  };
  const cwd = root;
  const recipe: Recipe = { id: name, source: { file, export: null }, build: { form: 'json', file } };
  const runtimes = await findRuntimes([runtime], { cwd, env: process.env });
  const began = now();
  const report = await analyze(
    {
      ...{ sources: [{ kind: 'ready', recipe }], runtimes, cwd, seed: Number(CLONE_PROF_SEED) },
      ...{ budgetMs: DEFAULTS.budgetMs, timeoutMs: DEFAULTS.timeoutMs, channels: null },
      ...{ exports: null, via: [], measure: true },
    },
    tools,
  );
  const wholeMs = now() - began;
  spent.rest = wholeMs - Object.values(spent).reduce((sum, ms) => sum + ms, 0);
  const run = report.payloads[0]?.runs[0];
  const tripMs = (run?.measurement?.roundTrip.median ?? 0) / 1e6;
  const share = spent['in turns'] / wholeMs;
  const isLong = tripMs > LONG_MS;
  const parts = Object.entries(spent).map(([part, ms]) => `${part} ${Math.round(ms)}`);
  return {
    what: `${name} on ${run?.runtime.name}, ${tripMs.toFixed(1)} ms a message: share of the time in turns`,
    value: share,
    unit: 'of 1',
    budget: null,
    held: isLong ? share >= IN_TURNS : null,
    note: `${parts.join(', ')} ms of ${Math.round(wholeMs)}`,
    raw: spent,
  };
}

/** Adds what each request took to the parts. */
const listening = (spent: Record<Part, number>): RuntimeDriver => ({
  async start(runtime, options) {
    const began = performance.now();
    const guest = await processDriver.start(runtime, options);
    let type = 'starts';
    const add = (ms: number) => {
      if (type === 'measure') spent.preparing += ms;
      else if (type === 'memory') spent.memory += ms / 2;
      else if (type === 'prove' || type === 'schema') spent.prove += ms;
      else spent[type === 'starts' ? 'starts' : 'describe'] += ms;
    };
    const started = performance.now() - began;
    return {
      hello: guest.hello,
      get dead() {
        return guest.dead;
      },
      async ask(request, asked) {
        const from = performance.now();
        const answer = await guest.ask(request, asked);
        type = request.type;
        add(performance.now() - from);
        if (type !== 'measure') return answer;
        const turnsMs = turnsOf(answer as Measured);
        spent['in turns'] += turnsMs;
        spent.preparing -= turnsMs;
        return answer;
      },
      async close() {
        const from = performance.now();
        await guest.close();
        spent.starts += (started + performance.now() - from) / (type === 'memory' ? 2 : 1);
      },
    };
  },
});

const turnsOf = ({ sets }: Measured): number =>
  sets.reduce((sum, set) => sum + set.roundTrip.reduce((all, ns) => all + ns / 1e6, 0), 0);
