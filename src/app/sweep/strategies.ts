import type { LeftOut } from '../../model/documents/sweep.ts';
import type { Plan } from '../../model/documents/trial.ts';
import { channelRow } from '../../model/names.ts';
import { RAW, STRATEGY_NAMES } from '../../model/vocabulary/sweep.ts';
import type { Proof, Variant } from '../../model/wire/wire.ts';
import { WHOLE } from '../../remedies/strategies.ts';
import { describeJob } from '../job/describe.ts';
import type { Job } from '../job/job.ts';
import { runError } from '../job/payloads.ts';
import { proposalsFor } from '../job/proposals.ts';
import { provePlans } from '../job/prove.ts';
import type { Preset } from './presets.ts';

/** Variants of the strategies other than `raw`. */
export type Strategies = { variants: Variant[]; leftOut: LeftOut[] };

/** Name of the strategy of a variant. */
export const strategyOf = ({ remedy }: Variant): string => remedy ?? RAW;

/** Maximum number of rewrites in addition to the three strategies. More would leave too little time for each. */
const MAX_REMEDIES = 3;

const variantOf = (remedy: string, plan: Plan): Variant => ({
  ...{ id: `${remedy}/with-conversion`, remedy, plan, mode: 'with-conversion' },
});

export const presetStrategies = ({ strategies }: Preset): Strategies => ({
  variants: strategies.map((strategy) => variantOf(strategy, WHOLE)),
  leftOut: [],
});

/** The three strategies and the rewrites that the findings call for, provided that they give back an equal payload. */
export async function provenStrategies(job: Job): Promise<Strategies> {
  const { recipe, channel, runtime } = job;
  const { name, version } = runtime;
  const leftOut = (strategy: string, reason: string) => ({ runtime: { name, version }, strategy, reason });
  try {
    await describeJob(job, { thorough: false });
    const isOther = (remedy: string) => remedy !== 'json-text';
    const { proposals, untried: schemaless } = await proposalsFor(job, 2 * MAX_REMEDIES, {}, isOther);
    // Keeps only the first plan of each remedy.
    const first = new Map([...proposals].reverse().map((proposal) => [proposal.remedy, proposal]));
    const remedies = [...first.values()].reverse().slice(0, MAX_REMEDIES);
    // A string cannot be stringified any further.
    const isText = recipe.scale?.path === '$' && recipe.scale.by === 'chars';
    const names = STRATEGY_NAMES.filter(
      (remedy) => remedy !== 'bytes-transferred' || channelRow(channel).moves === true,
    );
    const json = (isText ? [] : names).map((remedy) => ({ remedy, plan: WHOLE }));
    const { proofs, untried } = await provePlans(job, [...json, ...remedies]);
    return {
      variants: proofs
        .filter(({ equality }) => equality === 'equal')
        .map(({ remedy, plan }) => variantOf(remedy, plan)),
      leftOut: [
        ...proofs.filter(isWorthReporting).map((proof) => leftOut(proof.remedy, whyLeftOut(proof))),
        ...[...schemaless, ...untried].map(({ remedy, reason }) => leftOut(remedy, reason)),
      ],
    };
  } catch (error) {
    if (job.slot.isStopped) return { variants: [], leftOut: [] };
    return { variants: [], leftOut: [leftOut('everything but raw', runError(error).message)] };
  }
}

/** A rewrite that does not fit this payload is not reported, but a rewrite that would lose part of it is. */
const isWorthReporting = ({ remedy, equality }: Proof): boolean =>
  equality === 'lossy' || (equality !== 'equal' && STRATEGY_NAMES.some((name) => name === remedy));

function whyLeftOut({ reason, losses }: Proof): string {
  const [loss] = losses;
  return reason ?? (loss ? `${loss.path}: ${loss.what}` : 'not equal');
}
