/** Other side of a comparison: the facts of a baseline, or the facts of the same payloads in another commit. */
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describeJob } from '../../app/job/describe.ts';
import { Job } from '../../app/job/job.ts';
import type { MeasureTools } from '../../app/job/tools.ts';
import { factsIn, factsOf, type RecordedFacts, sampleIn, updatedBaseline } from '../../core/gate/baseline.ts';
import { uncheckedOf } from '../../core/gate/check-report.ts';
import { checkAbsoluteFacts, type LimitCheck, softly } from '../../core/gate/limits.ts';
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
import { editedIn, readBaseline } from '../../store/baseline-file.ts';
import type { Work } from '../services.ts';
import type { Gate } from './gate-request.ts';
import { type GateJob, Guests, gather } from './gather.ts';

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

/** Reason why a side does not have a payload. */
export interface Absence {
  /**
   * `new`: the payload is newer than the commit. `lacking`: the commit demands a file that is not in git, or the
   * baseline is older. `unread`: the commit has or may have the payload, but it cannot be read there.
   */
  kind: 'new' | 'lacking' | 'unread';
  /** "it is a submodule" */
  reason?: string;
}

/** Reads the baseline of the config, and warns of parts that were edited. @throws ToolError 'baseline-missing', ... */
export async function baselineOf(gate: Gate, { emit }: Work) {
  const { baselinePath, baselineFile: file } = gate;
  const baseline = await readBaseline(baselinePath, file, gate);
  const edited = baseline === null ? [] : editedIn(baseline);
  if (edited.length > 0) {
    const text = `${file} is not as clone-prof baseline wrote it: ${edited.join(', ')}`;
    emit({ type: 'warning', text });
  }
  if (baseline !== null || !gate.config.needsBaseline) return baseline;
  throw new ToolError('baseline-missing', { file });
}

/** Side of a baseline, which holds copies of small payloads if it was written with --samples. */
export const baselineSide = ({ workdir }: Gate, baseline: Baseline | null): Side => ({
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
    return { recipe: await keptSample(recipe, before, workdir) };
  },
});

export const runKey = ({ id, key }: GateJob) => JSON.stringify([id, key]);

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

export const UNCHANGED: LimitCheck = { outcome: 'passed', actual: 1, change: 1, path: null };

/** Maximum bytes of a kept payload: the baseline is read in code reviews. */
const MAX_BYTES = 64 * 1024;

const isSmallJson = ({ shape }: Run): boolean =>
  shape?.jsonSafe === true && (shape.jsonBytes ?? MAX_BYTES + 1) <= MAX_BYTES;

/** The payload as JSON text; null if it is too large, or if JSON cannot express it. */
async function sampleOf({ recipe, run, slot }: GateJob): Promise<string | null> {
  if (!isSmallJson(run)) return null;
  const plain = { ...recipe, via: null };
  return (await slot.ask({ type: 'sample', recipe: plain, mostBytes: MAX_BYTES })).json;
}

/** The payload kept in the baseline, in a file that guests can read, in the same envelope as the current one. */
async function keptSample({ id, source, via }: Recipe, json: string, workdir: string): Promise<Recipe> {
  const file = join(workdir, `${randomUUID()}.json`);
  await writeFile(file, json);
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

/** Copies of payloads in a baseline: unchanged, or with masked texts. Null: facts only. */
type KeptSamples = 'plain' | 'masked' | null;

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
  gate: Gate,
  samples: KeptSamples,
  tools: MeasureTools,
): Promise<MovedBaseline> {
  const guests = new Guests(gate, tools);
  try {
    const { gathered, failures } = await gather(guests);
    const recorded: RecordedFacts[] = [];
    const unclassified: CheckFailure[] = [];
    for (const one of gathered) {
      const { id, key, facts, entry, run } = one;
      if (facts) recorded.push({ id, key, facts, sample: await provenSample(one, samples, gate) });
      else {
        const { code, message } = run.error ?? { code: 'internal', message: 'no verdict' };
        const said = `on ${entry.runtime}: ${message}`;
        unclassified.push({ payload: entry.id, file: entry.input, code, message: said });
      }
    }
    const unchecked = uncheckedOf(old, gathered, failures, gate.selected);
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
  samples: KeptSamples,
  { workdir }: Gate,
): Promise<RecordedFacts['sample']> {
  const { recipe, entry } = one;
  if (samples === null || entry.transfer.length > 0) return null;
  const text = await sampleOf(one);
  if (text === null) return null;
  const json: unknown = samples === 'masked' ? masked(JSON.parse(text)) : JSON.parse(text);
  const said = samples === 'masked' ? { json, masked: true as const } : { json };
  if (recipe.build.form === 'json' && samples === 'plain') return { ...said, faithful: true };
  const copy = await keptSample(recipe, JSON.stringify(json), workdir);
  const again = await describeJob(new Job({ ...one.terms, recipe: copy }), { thorough: true });
  return { ...said, faithful: JSON.stringify(factsOf(again)) === JSON.stringify(one.facts) };
}
