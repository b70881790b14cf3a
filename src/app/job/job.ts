import type { Run, RunError } from '../../model/documents/report.ts';
import type { Untried } from '../../model/documents/trial.ts';
import { ToolError } from '../../model/errors.ts';
import type { Channel, Sender } from '../../model/names.ts';
import type { Recipe } from '../../model/report/recipe.ts';
import { emptyRun } from '../../model/report/runs.ts';
import type { StepName } from '../../model/run/events.ts';
import type { ContentionCounters, FoundRuntime } from '../../model/run/runtime.ts';
import type { AnswerTo, Described, GuestRequest, Measured, Proof } from '../../model/wire/wire.ts';
import { MAX_LOOKS } from '../../stats/intervals/intervals.ts';
import type { MemoryUses } from '../../stats/race/judge.ts';
import type { GuestSlot } from './guest-slot.ts';
import type { MeasureTools } from './tools.ts';

export interface Proven {
  proofs: readonly Proof[];
  untried: Untried[];
}

/** Before any rewrite is proven; a new object each time, because proofs are replaced. */
export const nothingProven = (): Proven => ({ proofs: [], untried: [] });

export interface JobSamples {
  results: readonly Measured[];
  dropped: readonly string[];
  looks: number;
  /** Error of the last process that failed; null if none failed. */
  error: unknown;
  failures: number;
  /** Time spent in ms, including the starts of processes. */
  spentMs: number;
}

export const NOT_SAMPLED: JobSamples = {
  results: [],
  dropped: [],
  looks: MAX_LOOKS,
  error: null,
  failures: 0,
  spentMs: 0,
};

export interface JobTerms {
  recipe: Recipe;
  slot: GuestSlot;
  channel: Channel;
  tools: MeasureTools;
  seed: number;
  /** Id of the payload for steps and messages; default: the id of the recipe. */
  id?: string;
  /** All payloads of the same schema, the recipe included; default: the recipe alone. */
  samples?: readonly Recipe[] | undefined;
  transferring?: boolean | undefined;
  sender?: Sender | null | undefined;
}

export function runError(error: unknown): RunError {
  if (!(error instanceof ToolError)) {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { code: 'internal', message };
  }
  const { code, message, facts } = error;
  return { code, message, ...(facts.path === undefined ? {} : { path: facts.path }) };
}

/** A run in progress: one payload on one runtime over one channel, with the results of each phase. */
export class Job {
  readonly terms: JobTerms;
  readonly recipe: Recipe;
  readonly slot: GuestSlot;
  readonly channel: Channel;
  readonly tools: MeasureTools;
  run: Run;
  described: Described | null = null;
  proven: Proven | null = null;
  sampled = NOT_SAMPLED;
  memory: MemoryUses | null = null;
  /** Start of sampling, and the counters of the machine at that time. */
  began: { ms: number; counters: ContentionCounters | null } | null = null;

  constructor(terms: JobTerms) {
    this.terms = terms;
    ({ recipe: this.recipe, slot: this.slot, channel: this.channel, tools: this.tools } = terms);
    const { runtime } = this.slot;
    const spec = runtime.from === 'cache' ? { spec: runtime.spec } : {};
    this.run = { ...emptyRun(runtime, terms.channel), ...spec };
  }

  get runtime(): FoundRuntime {
    return this.slot.runtime;
  }

  get id(): string {
    return this.terms.id ?? this.recipe.id;
  }

  get name(): string {
    return `${this.id} on ${this.runtime.spec}`;
  }

  askFresh<A extends GuestRequest>(request: A, ownMs = 0): Promise<AnswerTo<A['type']>> {
    return this.slot.askFresh(request, ownMs, this.terms.sender ?? undefined);
  }

  /** Reports the progress of a step. If `of` is 1, the step cannot be divided. */
  step(step: StepName, done = 0, of = 1, gain: number | null = null): void {
    const at = { payload: this.id, runtime: this.runtime.spec, channel: this.channel };
    this.tools.emit({ type: 'step', ...at, step, done, of, ...(gain !== null && { gain }) });
  }
}
