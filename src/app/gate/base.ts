/** The other side of a check: the baseline, or the same payloads in another commit. */
import { factsIn, updatedBaseline } from '../../core/gate/baseline.ts';
import { factsOf } from '../../core/gate/baseline-facts.ts';
import { type AdditionTerms, comesFrom } from '../../core/gate/unmatched.ts';
import type { Baseline, BaselineFacts } from '../../model/documents/baseline.ts';
import type { ComparedFacts, Comparison, LimitResult, Unchecked } from '../../model/documents/check.ts';
import { ToolError } from '../../model/errors.ts';
import type { MeasureTools } from '../job/tools.ts';
import { type GateJob, Guests, gather } from './gather.ts';
import type { Absence, BaseRequest } from './request.ts';

/** What the payloads of now are compared with. */
export interface Reference extends Omit<AdditionTerms, 'baseline'> {
  baseline: Baseline | null;
  /** Set when `baseline` holds the facts of another commit. */
  before: BasePayloads | null;
  /** What of the baseline is not compared. */
  unchecked: readonly Unchecked[];
}

/** The payloads of the other commit, by the names that they have now. */
export interface BasePayloads extends Pick<BaseRequest, 'isSameFile' | 'isDemanded'> {
  gathered: GateJob[];
  facts: Baseline;
  /** The same payload on the same runtime in that commit. */
  twinOf: (one: GateJob) => GateJob | null;
  /** Why a payload of now has no facts there. */
  absenceOf: (one: GateJob) => Promise<Absence>;
}

export async function gatherBase(base: BaseRequest, tools: MeasureTools): Promise<BasePayloads> {
  // The notes of the other commit would repeat those of now.
  const quiet: MeasureTools = { ...tools, emit: (event) => event.type === 'note' || tools.emit(event) };
  const guests = new Guests(base.request, quiet);
  const { isSameFile, isDemanded } = base;
  try {
    const { gathered, failures } = await gather(guests).catch((error: unknown) => {
      throw inCommit(error, base.ref);
    });
    const byPlace = new Map(gathered.map((one) => [runKey(one), one]));
    const recorded = gathered.flatMap(({ entry, key, run }) => {
      const facts = factsOf(run);
      return facts ? [{ id: entry.id, key, facts, sample: null }] : [];
    });
    const twinOf = (one: GateJob) => byPlace.get(runKey(one)) ?? null;
    return {
      ...{ gathered, facts: updatedBaseline(null, recorded), twinOf, isSameFile, isDemanded },
      async absenceOf(one) {
        const failed = failures.find(
          ({ payload, code }) => code !== 'file-missing' && comesFrom(one.entry.id, payload),
        );
        const message = twinOf(one)?.run.error?.message ?? failed?.message;
        if (message === undefined) return base.absence(one.entry.input);
        const shown = message.replaceAll(`${base.folder}/`, '').replaceAll(base.folder, '.');
        return { reason: `in ${base.ref}: ${shown}`, unreadable: true };
      },
    };
  } finally {
    await guests.close();
  }
}

/** Errors in the base commit are notes: the user cannot fix them. */
const inCommit = (error: unknown, ref: string): unknown =>
  error instanceof ToolError
    ? new ToolError('base-unreadable', { value: ref, detail: error.message })
    : error;

const runKey = ({ entry, key }: GateJob) => JSON.stringify([entry.id, key]);

/** Before and now, side by side: of what is checked now, and of what only the commit has. */
export function comparisonsOf(
  now: readonly GateJob[],
  before: BasePayloads,
  times: ReadonlyMap<GateJob, LimitResult>,
): Comparison[] {
  const places = new Set(now.map(runKey));
  const removed = before.gathered.filter((one) => !places.has(runKey(one)));
  return [
    ...now.map((one) => ({ ...compare(one, before.twinOf(one), one), ...timeOf(times.get(one)) })),
    ...removed.map((one) => compare(one, one, null)),
  ].filter((one) => one.before !== null || one.now !== null);
}

/** The facts of now beside those of the baseline. */
export const factsBeside = (
  now: readonly GateJob[],
  baseline: Baseline | null,
  times: ReadonlyMap<GateJob, LimitResult>,
): Comparison[] =>
  now
    .map((one) => {
      const was = factsIn(baseline, one.entry.id, one.key);
      return { ...compare(one, null, one), before: was && told(was), ...timeOf(times.get(one)) };
    })
    .filter((one) => one.now !== null);

function timeOf(result: LimitResult | undefined): Pick<Comparison, 'time'> {
  if (!result?.ci || result.change === null) return {};
  const { change, ci, samples, processes } = result;
  const sampled = {
    ...(samples !== undefined && { samples }),
    ...(processes !== undefined && { processes }),
  };
  return { time: { change, ci, ...sampled } };
}

const compare = (
  { entry: { id, runtime }, run: { channel } }: GateJob,
  before: GateJob | null,
  now: GateJob | null,
): Comparison => ({ payload: id, runtime, channel, before: comparedFacts(before), now: comparedFacts(now) });

function comparedFacts(one: GateJob | null): ComparedFacts | null {
  const facts = one && factsOf(one.run);
  return facts && told(facts);
}

const told = ({ class: name, path, bytes, nodes, depth }: BaselineFacts): ComparedFacts => ({
  ...{ class: name, path, bytes, nodes, depth },
});
