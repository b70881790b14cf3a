import { updatedBaseline } from '../../core/gate/baseline.ts';
import { factsOf } from '../../core/gate/baseline-facts.ts';
import type { Contract } from '../../core/gate/contract.ts';
import { comesFrom } from '../../core/gate/unmatched.ts';
import type { Baseline, BaselineFacts } from '../../model/documents/baseline.ts';
import type { BaseCommit, ComparedFacts, Comparison, LimitResult } from '../../model/documents/check.ts';
import type { Interval } from '../../model/documents/measurement.ts';
import { ToolError } from '../../model/errors.ts';
import type { CheckEntry, Limit, NewPolicy } from '../../model/gate/check.ts';
import type { Recipe } from '../../model/report/recipe.ts';
import type { MeasureTools } from '../tools.ts';
import { type GateRequest, type Gathered, gather } from './gather.ts';
import { GuestPool } from './guest-pool.ts';

/** The same entries in another commit. */
export interface BaseRequest extends BaseCommit {
  /** With the sources of that commit; modules run in its folders. */
  request: GateRequest;
  /** Where its files are for now: a reader knows them by their names in the repository. */
  folder: string;
  /** Why the commit does not have what is now in this file. */
  absence: (file: string) => Promise<Absence>;
  /** Are both built of equal bytes? False for modules: what they import may differ. */
  isSameFile: (now: Recipe, before: Recipe) => Promise<boolean>;
  /** What that commit demands, and the config of now does not. */
  contract: Contract;
  /** That commit's config names this entry. */
  isDemanded: (entry: CheckEntry) => boolean;
  /** As that commit's config says. */
  newPolicy: NewPolicy;
}

export const commitOf = ({ ref, commit }: BaseCommit): BaseCommit => ({ ref, commit });

export interface Absence {
  /** "it is a submodule" */
  reason: string;
  /** The commit has it, or may have it: it only cannot be read there. */
  unreadable: boolean;
}

/** The payloads of the other commit, by the names that they have now. */
export interface BasePayloads {
  gathered: Gathered[];
  facts: Baseline;
  /** The same payload on the same runtime in that commit. */
  twinOf: (one: Gathered) => Gathered | null;
  /** Why a payload of now has no facts there. */
  absenceOf: (one: Gathered) => Promise<Absence>;
  isSameFile: BaseRequest['isSameFile'];
  isDemanded: BaseRequest['isDemanded'];
}

export async function gatherBase(base: BaseRequest, tools: MeasureTools): Promise<BasePayloads> {
  const slots = new GuestPool(base.request, tools);
  // Its notes would be those of now, once more.
  const quiet: MeasureTools = { ...tools, emit: (event) => event.type === 'note' || tools.emit(event) };
  try {
    const { gathered, failures } = await gather(base.request, slots, quiet).catch((error: unknown) => {
      throw inCommit(error, base.ref);
    });
    const byPlace = new Map(gathered.map((one) => [runKey(one), one]));
    const recorded = gathered.flatMap(({ entry, key, run }) => {
      const facts = factsOf(run);
      return facts ? [{ id: entry.id, key, facts, sample: null }] : [];
    });
    return {
      gathered,
      facts: updatedBaseline(null, recorded),
      twinOf: (one) => byPlace.get(runKey(one)) ?? null,
      async absenceOf(one) {
        const failed = failures.find(
          ({ payload, code }) => code !== 'file-missing' && comesFrom(one.entry.id, payload),
        );
        const message = byPlace.get(runKey(one))?.run.error?.message ?? failed?.message;
        if (message === undefined) return base.absence(one.entry.input);
        const shown = message.replaceAll(`${base.folder}/`, '').replaceAll(base.folder, '.');
        return { reason: `in ${base.ref}: ${shown}`, unreadable: true };
      },
      isSameFile: base.isSameFile,
      isDemanded: base.isDemanded,
    };
  } finally {
    await slots.close();
  }
}

/** Errors in the base commit are notes: the user cannot fix them. */
const inCommit = (error: unknown, ref: string): unknown =>
  error instanceof ToolError
    ? new ToolError('base-unreadable', { value: ref, detail: error.message })
    : error;

/** Measured for the comparison; a result only where the config limits it. */
const TOLD_TIME: Limit = { level: 'warn', value: 0.1, against: 'baseline', text: '+10%', preset: true };

/** Its time is measured too, where its facts changed and the config does not say otherwise. */
export function toldTime(one: Gathered, was: BaselineFacts): Gathered {
  const { entry, run } = one;
  if (entry.limits.time || JSON.stringify(factsOf(run)) === JSON.stringify(was)) return one;
  return { ...one, entry: { ...entry, limits: { ...entry.limits, time: TOLD_TIME } } };
}

const runKey = ({ entry, key }: Gathered) => JSON.stringify([entry.id, key]);

/** Before and now, side by side: of what is checked now, and of what only the commit has. */
export function comparisonsOf(
  now: readonly Gathered[],
  before: BasePayloads,
  times: ReadonlyMap<Gathered, LimitResult>,
): Comparison[] {
  const places = new Set(now.map(runKey));
  const removed = before.gathered.filter((one) => !places.has(runKey(one)));
  return [
    ...now.map((one) => ({ ...compareWithBase(one, before.twinOf(one), one), ...timeOf(times.get(one)) })),
    ...removed.map((one) => compareWithBase(one, one, null)),
  ].filter((one) => one.before !== null || one.now !== null);
}

const timeOf = (result: LimitResult | undefined): Pick<Comparison, 'time'> =>
  result?.ci && result.change !== null ? { time: timeIn(result, result.change, result.ci) } : {};

const timeIn = ({ samples, processes }: LimitResult, change: number, ci: Interval) => ({
  change,
  ci,
  ...(samples === undefined ? {} : { samples }),
  ...(processes === undefined ? {} : { processes }),
});

function compareWithBase(
  { entry: { id, runtime }, run: { channel } }: Gathered,
  before: Gathered | null,
  now: Gathered | null,
): Comparison {
  return { payload: id, runtime, channel, before: comparedFacts(before), now: comparedFacts(now) };
}

function comparedFacts(one: Gathered | null): ComparedFacts | null {
  const facts = one && factsOf(one.run);
  if (facts === null) return null;
  const { class: name, path, bytes, nodes, depth } = facts;
  return { class: name, path, bytes, nodes, depth };
}
