// Runs of a payload against itself and against larger ones, through the real sampling, guests, statistics and judgement.
import { GuestSlot, Job } from '../../src/app/job/job.ts';
import { sample } from '../../src/app/job/sample.ts';
import { judge } from '../../src/core/measure/judge.ts';
import { contentionBetween, lostShare } from '../../src/core/measure/noise.ts';
import { contentionCounters, thisMachine } from '../../src/machine/machine.ts';
import type { Proof, Variant } from '../../src/model/wire/wire.ts';
import { findRuntimes } from '../../src/runtimes/find/find.ts';
import { processDriver } from '../../src/runtimes/process/driver.ts';
import { GROWTH } from './planted.ts';
import { type AaResult, isRace } from './races.ts';

const { file, runs, budgetMs, seed } = JSON.parse(process.argv[2] ?? '{}') as {
  file: string;
  runs: number;
  budgetMs: number;
  seed: number;
};
const recipe = { id: 'rows', source: { file, export: null }, build: { form: 'json' as const, file } };
const proofs = Object.keys(GROWTH).map(
  (remedy): Proof => ({ remedy, plan: { path: '$' }, equality: 'equal', losses: [], reason: null }),
);
const variants: Variant[] = [
  { id: 'floor', remedy: null, plan: null, mode: 'floor' },
  { id: 'original', remedy: null, plan: null, mode: 'original' },
  ...proofs.map(
    ({ remedy, plan }, i): Variant => ({ id: `${i}:${remedy}`, remedy, plan, mode: 'with-conversion' }),
  ),
];

async function once(run: number): Promise<AaResult> {
  const runSeed = seed + run;
  const eligible = isRace(run) ? { eligible: variants.slice(2).map(({ id }) => id) } : {};
  const { found } = await findRuntimes(['node'], { cwd: process.cwd(), env: process.env });
  const [began, before] = [performance.now(), contentionCounters()];
  const now = () => performance.now();
  const tools = { driver: processDriver, machine: thisMachine(), emit: () => undefined, now };
  const slot = new GuestSlot(tools, found[0]!, { timeoutMs: 30_000, cwd: process.cwd() });
  const job = new Job({ recipe, slot, channel: 'worker', tools, seed: runSeed });
  const sampled = await sample(job, { budgetMs, variants, ...eligible });
  if (sampled.results.length === 0) throw sampled.error;
  const lost = lostShare(contentionBetween(before, contentionCounters(), performance.now() - began));
  const { trials } = judge(sampled.results, variants, proofs, {
    seed: runSeed,
    lost,
    dropped: sampled.dropped,
    looks: sampled.looks,
  });
  return Object.fromEntries(
    trials.map(({ remedy, outcome, withConversion }) => [
      remedy,
      { outcome, ratio: withConversion?.ratio ?? null, ci: withConversion?.ci ?? null },
    ]),
  );
}

for (let run = 0; run < runs; run++) process.stdout.write(`${JSON.stringify(await once(run))}\n`);
