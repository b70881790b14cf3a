// Runs of payloads against themselves and against larger ones, through the real sampling, guests, statistics and judgement.
import { GuestSlot } from '../../src/app/job/guest-slot.ts';
import { Job } from '../../src/app/job/job.ts';
import { sample } from '../../src/app/job/sample.ts';
import { contentionCounters, thisMachine } from '../../src/machine/machine.ts';
import type { Proof, Variant } from '../../src/model/wire/wire.ts';
import { findRuntimes } from '../../src/runtimes/find/find.ts';
import { judge } from '../../src/stats/race/judge.ts';
import { contentionBetween, lostShare } from '../../src/stats/race/noise.ts';
import { processDriver } from '../../test/support/runtimes.ts';
import { GROWTH } from './planted.ts';
import { type AaAsked, type AaPair, type AaResult, isRace, SAME } from './races.ts';

const { pairs, runs, budgetMs, seed } = JSON.parse(process.argv[2] ?? '{}') as AaAsked;
/** Beside larger ones, or, for several payloads, all equal. */
const planted =
  pairs.length > 1 ? SAME : Object.keys(GROWTH).map((remedy) => ({ remedy, plan: { path: '$' } }));
const proofs = planted.map((one): Proof => ({ ...one, equality: 'equal', losses: [], reason: null }));
const variants: Variant[] = [
  { id: 'floor', remedy: null, plan: null, mode: 'floor' },
  { id: 'original', remedy: null, plan: null, mode: 'original' },
  ...proofs.map(
    ({ remedy, plan }, i): Variant => ({ id: `${i}:${remedy}`, remedy, plan, mode: 'with-conversion' }),
  ),
];

async function once({ file, runtime }: AaPair, run: number): Promise<AaResult> {
  const runSeed = seed + run;
  const recipe = { id: 'rows', source: { file, export: null }, build: { form: 'json' as const, file } };
  const eligible = isRace(run) || pairs.length > 1 ? { eligible: variants.slice(2).map(({ id }) => id) } : {};
  const { found } = await findRuntimes([runtime], { cwd: process.cwd(), env: process.env });
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
    trials.map(({ remedy, plan, outcome, withConversion }) => [
      `${remedy}${plan.copy ?? ''}`,
      { outcome, ratio: withConversion?.ratio ?? null, ci: withConversion?.ci ?? null },
    ]),
  );
}

for (let run = 0; run < runs; run++)
  for (const pair of pairs) process.stdout.write(`${JSON.stringify(await once(pair, run))}\n`);
