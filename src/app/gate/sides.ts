/** Other side of a comparison: the facts of a baseline, or the facts of the same payloads in another commit. */
import { factsIn, factsOf, type RecordedFacts, sampleIn, updatedBaseline } from '../../core/gate/baseline.ts';
import { comesFrom, uncheckedOf } from '../../core/gate/check-report.ts';
import { checkAbsoluteFacts, type LimitCheck, softly, unmeasured } from '../../core/gate/limits.ts';
import { valueFacts } from '../../core/gate/value-facts.ts';
import { masked } from '../../core/masking.ts';
import type { Baseline, BaselineFacts, Limit } from '../../model/documents/baseline.ts';
import type {
  BaseCommit,
  CheckFailure,
  ComparedFacts,
  Comparison,
  LimitResult,
} from '../../model/documents/check.ts';
import type { Run } from '../../model/documents/report.ts';
import { ToolError } from '../../model/errors.ts';
import { isModule, type Recipe } from '../../model/report/recipe.ts';
import { describeJob } from '../job/describe.ts';
import { Job } from '../job/job.ts';
import type { MeasureTools } from '../job/tools.ts';
import {
  type Absence,
  type BaselineRequest,
  type BaseRequest,
  type CheckRequest,
  type GateJob,
  Guests,
  gather,
} from './gather.ts';

/** Earlier payload to measure against, or a result that is known without measuring. */
type Earlier = { recipe: Recipe } | { judged: LimitCheck };

export interface Side {
  /** Commit of this side; absent for a baseline. */
  base?: BaseCommit;
  /** Null without a baseline: payloads are not compared. */
  facts: Baseline | null;
  /** Payloads of the commit under their current names; empty for a baseline. */
  payloads: readonly GateJob[];
  /** Finds the earlier payload that a current payload is measured against. */
  earlier: (one: GateJob, was: BaselineFacts, limit: Limit) => Promise<Earlier>;
  absence: (one: GateJob) => Promise<Absence>;
}

/** Side of a baseline, which holds copies of small payloads if it was written with --samples. */
export const baselineSide = ({ baseline, keepSample }: CheckRequest): Side => ({
  ...{ facts: baseline, payloads: [], absence: async () => ({ kind: 'lacking' }) },
  async earlier(one, was, limit) {
    const { recipe, key } = one;
    const kept = sampleIn(baseline, one.id);
    const canBeKept = isSmallJson(one.run) && one.entry.transfer.length === 0;
    if (kept === null) return { judged: softly(limit, canBeKept ? NO_SAMPLE : NO_SAMPLE_POSSIBLE) };
    if (kept.notFor?.includes(key)) return { judged: softly(limit, UNLIKE) };
    const before = JSON.stringify(kept.json);
    const now = await sampleOf(one);
    const shown = now !== null && kept.masked ? JSON.stringify(masked(JSON.parse(now))) : now;
    // The same payload with the same facts cannot have another time or memory.
    if (shown === before && one.hasFacts(was)) return { judged: UNCHANGED };
    return { recipe: sampleRecipe(recipe, await keepSample(before)) };
  },
});

export async function commitSide(base: BaseRequest, tools: MeasureTools): Promise<Side> {
  // Notes about the other commit would repeat the notes about the current payloads.
  const quiet: MeasureTools = { ...tools, emit: (event) => event.type === 'note' || tools.emit(event) };
  const guests = new Guests(base.request, quiet);
  try {
    const { gathered, failures } = await gather(guests).catch((error: unknown) => {
      // The user cannot fix it there.
      if (!(error instanceof ToolError)) throw error;
      throw new ToolError('base-unreadable', { value: base.ref, detail: error.message });
    });
    const twins = new Map(gathered.map((one) => [runKey(one), one]));
    const recorded = gathered.flatMap(({ id, key, facts }) =>
      facts ? { id, key, facts, sample: null } : [],
    );
    return {
      base: { ref: base.ref, commit: base.commit },
      facts: updatedBaseline(null, recorded),
      payloads: gathered,
      async earlier(one, was) {
        const twin = twins.get(runKey(one));
        if (twin === undefined) return { judged: unmeasured('it is not in the other commit') };
        const isSame = one.hasFacts(was) && (await base.isSameFile(one.recipe, twin.recipe));
        return isSame ? { judged: UNCHANGED } : { recipe: withFacts(twin) };
      },
      async absence(one) {
        const failed = failures.find(
          ({ payload, code }) => code !== 'file-missing' && comesFrom(one.id, payload),
        );
        const message = twins.get(runKey(one))?.run.error?.message ?? failed?.message;
        if (message === undefined) return base.absence(one.unit.entry, one.entry.input);
        const shown = message.replaceAll(`${base.folder}/`, '').replaceAll(base.folder, '.');
        return { kind: 'unread', reason: `in ${base.ref}: ${shown}` };
      },
    };
  } finally {
    await guests.close();
  }
}

const runKey = ({ id, key }: GateJob) => JSON.stringify([id, key]);

/** Both sides are timed in one process in the current folder: facts ensure that a module makes its value there. */
export function withFacts({ recipe, run: { via, shape } }: Pick<GateJob, 'recipe' | 'run'>): Recipe {
  const own = via?.shape ?? shape;
  return isModule(recipe) && own ? { ...recipe, facts: valueFacts(own) } : recipe;
}

const NO_SAMPLE =
  'it needs a copy of the payload in the baseline to measure against. Keep one: clone-prof baseline --samples';
const NO_SAMPLE_POSSIBLE =
  'the baseline can hold no copy of it to measure against: only what JSON can express, up to 64 kB, nothing transferred';
const UNLIKE =
  'the copy in the baseline takes another path there than the payload did: JSON keeps no holes, deletes or classes';

const UNCHANGED: LimitCheck = { outcome: 'passed', actual: 1, change: 1, path: null };

/** Maximum bytes of a kept payload: the baseline is read in code reviews. */
const MAX_BYTES = 64 * 1024;

const isSmallJson = ({ shape }: Run): boolean =>
  shape?.jsonSafe === true && (shape.jsonBytes ?? MAX_BYTES + 1) <= MAX_BYTES;

/** The payload as JSON text; null if it is too large, or if JSON cannot express it. */
export async function sampleOf({ recipe, run, slot }: GateJob): Promise<string | null> {
  if (!isSmallJson(run)) return null;
  const plain = { ...recipe, via: null };
  return (await slot.ask({ type: 'sample', recipe: plain, mostBytes: MAX_BYTES })).json;
}

/** The payload kept in the baseline, in the same envelope as the current one. */
export function sampleRecipe({ id, source, via }: Recipe, file: string): Recipe {
  return { id: `${id} (baseline)`, source, build: { form: 'json', file }, via: via ?? null };
}

/** Facts before and now, for the payloads that are checked now and for payloads that only the commit has. */
export function compared(now: readonly GateJob[], { base, facts, payloads }: Side): Comparison[] {
  const places = new Set(now.map(runKey));
  const gone = payloads.filter((one) => !places.has(runKey(one)));
  const compare = ({ id, key, place, timed }: GateJob, is: BaselineFacts | null): Comparison[] => {
    const was = factsIn(facts, id, key);
    if (is === null && (was === null || !base)) return [];
    return [{ ...place, before: was && told(was), now: is && told(is), ...(timed && { time: timed }) }];
  };
  return [...now.flatMap((one) => compare(one, one.facts)), ...gone.flatMap((one) => compare(one, null))];
}

const told = ({ class: name, path, bytes, nodes, depth }: BaselineFacts): ComparedFacts => ({
  ...{ class: name, path, bytes, nodes, depth },
});

interface MovedBaseline {
  /** New baseline; the demands of the config are not in it yet. */
  baseline: Baseline;
  failures: CheckFailure[];
  /** Broken limits that do not depend on the baseline. */
  unmet: LimitResult[];
  /** Copied bytes of a post, by input. */
  copied: ReadonlyMap<string, number>;
}

/**
 * Makes the current baseline. A payload that failed keeps its old facts and is reported; a requested payload that is
 * gone is removed.
 */
export async function moveBaseline(
  old: Baseline | null,
  request: BaselineRequest,
  tools: MeasureTools,
): Promise<MovedBaseline> {
  const guests = new Guests(request, tools);
  try {
    const { gathered, failures } = await gather(guests);
    const recorded: RecordedFacts[] = [];
    const unclassified: CheckFailure[] = [];
    for (const one of gathered) {
      const { id, key, facts, entry, run } = one;
      if (facts) recorded.push({ id, key, facts, sample: await provenSample(one, request) });
      else {
        const { code, message } = run.error ?? { code: 'internal', message: 'no verdict' };
        const said = `on ${entry.runtime}: ${message}`;
        unclassified.push({ payload: entry.id, file: entry.input, code, message: said });
      }
    }
    const unchecked = uncheckedOf(old, gathered, failures, request.selected);
    const removed = unchecked.filter(({ selected }) => selected);
    const results = gathered.flatMap(({ entry, run }) => checkAbsoluteFacts(entry, run));
    return {
      baseline: updatedBaseline(old, recorded, removed),
      failures: [...failures, ...unclassified],
      unmet: results.filter(({ outcome, level }) => outcome === 'failed' && level === 'error'),
      copied: new Map(
        gathered.flatMap(({ entry, run }) => (run.bytes ? [[entry.input, run.bytes.copied]] : [])),
      ),
    };
  } finally {
    await guests.close();
  }
}

/** A sample may replace its payload only if its facts are equal: JSON keeps no holes, deletions or private fields. */
async function provenSample(
  one: GateJob,
  { samples, keepSample }: BaselineRequest,
): Promise<RecordedFacts['sample']> {
  const { recipe, entry } = one;
  if (samples === null || entry.transfer.length > 0) return null;
  const text = await sampleOf(one);
  if (text === null) return null;
  const json: unknown = samples === 'masked' ? masked(JSON.parse(text)) : JSON.parse(text);
  const said = samples === 'masked' ? { json, masked: true as const } : { json };
  if (recipe.build.form === 'json' && samples === 'plain') return { ...said, faithful: true };
  const copy = sampleRecipe(recipe, await keepSample(JSON.stringify(json)));
  const again = await describeJob(new Job({ ...one.terms, recipe: copy }), { thorough: true });
  return { ...said, faithful: JSON.stringify(factsOf(again)) === JSON.stringify(one.facts) };
}
