import type { MemoryUses } from '../../core/measure/memory.ts';
import { MAX_LOOKS } from '../../core/stats/intervals.ts';
import type { ContentionCounters } from '../../model/cpu-contention.ts';
import type { RuntimeId } from '../../model/documents/names.ts';
import type { Run } from '../../model/documents/report.ts';
import type { Plan, Untried } from '../../model/documents/trial.ts';
import { ToolError } from '../../model/errors.ts';
import {
  type Channel,
  type ExtensionChannel,
  extensionChannel,
  mayHave,
  type Sender,
} from '../../model/names.ts';
import { isModule, type Recipe } from '../../model/report/recipe.ts';
import { triedIn } from '../../model/rules/tried.ts';
import type { Emit, StepName } from '../../model/run/events.ts';
import {
  type FoundRuntime,
  FROM_LINK,
  type Guest,
  type RuntimeDriver,
  type StartOptions,
} from '../../model/run/runtime.ts';
import type { AnswerTo, Described, GuestRequest, Measured, Proof } from '../../model/wire/wire.ts';
import type { MeasureTools } from './tools.ts';

export interface Proven {
  proofs: readonly Proof[];
  /** Plans without a proof, each with the reason. */
  untried: Untried[];
}

export interface JobSamples {
  results: readonly Measured[];
  /** Ids of the candidates that were eliminated from the race. */
  dropped: readonly string[];
  /** See `SamplingStep`. */
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

export function emptyRun({ name, brand, version, engine }: RuntimeId, channel: Channel): Run {
  return {
    runtime: { name, ...(brand && { brand }), version, engine },
    channel,
    status: 'failed',
    error: null,
    shape: null,
    verdict: null,
    findings: [],
    measurement: null,
    trials: [],
    advice: null,
  };
}

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
  /** True if the message was posted with a transfer list. */
  transferring?: boolean | undefined;
  /** Thread of a page that posts; default: the main thread. */
  sender?: Sender | null | undefined;
}

/** A run in progress: one payload on one runtime over one channel, with the results of each phase. */
export class Job {
  readonly terms: JobTerms;
  /** The result so far. */
  run: Run;
  described: Described | null = null;
  proven: Proven | null = null;
  sampled = NOT_SAMPLED;
  memory: MemoryUses | null = null;
  /** Start of sampling, and the counters of the machine at that time. */
  began: { ms: number; counters: ContentionCounters | null } | null = null;

  constructor(terms: JobTerms) {
    this.terms = terms;
    this.run = emptyRun(terms.slot.runtime, terms.channel);
  }

  get recipe(): Recipe {
    return this.terms.recipe;
  }

  get slot(): GuestSlot {
    return this.terms.slot;
  }

  get channel(): Channel {
    return this.terms.channel;
  }

  get tools(): MeasureTools {
    return this.terms.tools;
  }

  get runtime(): FoundRuntime {
    return this.slot.runtime;
  }

  get id(): string {
    return this.terms.id ?? this.recipe.id;
  }

  /** Name of the payload and the runtime, for messages. */
  get name(): string {
    return `${this.id} on ${this.runtime.spec}`;
  }

  /** Sends a request to a guest that is started for this request; see `GuestSlot`. */
  askFresh<A extends GuestRequest>(request: A, ownMs = 0): Promise<AnswerTo<A['type']>> {
    return this.slot.askFresh(request, ownMs, this.terms.sender ?? undefined);
  }

  /** Reports the progress of a step. If `of` is 1, the step cannot be divided. */
  step(step: StepName, done = 0, of = 1, gain: number | null = null): void {
    const at = { payload: this.id, runtime: this.runtime.spec, channel: this.channel };
    this.tools.emit({ type: 'step', ...at, step, done, of, ...(gain !== null && { gain }) });
  }
}

/** Tools to start a guest. If `emit` is missing, notes of the start are dropped. */
interface StartTools {
  driver: RuntimeDriver;
  emit?: Emit;
}

/** True if the request runs the user's code. Guests for data do not read anything of the project. */
const isForModules = (request: GuestRequest): boolean =>
  ('recipe' in request && isModule(request.recipe)) ||
  ('recipes' in request && request.recipes.some(isModule)) ||
  plansIn(request).some((plan) => triedIn(plan) !== null);

function plansIn(request: GuestRequest): (Plan | null)[] {
  if (request.type === 'memory') return [request.variant.plan];
  if (request.type === 'measure') return request.variants.map(({ plan }) => plan);
  return request.type === 'prove' ? request.plans.map(({ plan }) => plan) : [];
}

/**
 * Extension messages travel between the extension's own page and its service worker. For all other runtimes the guest
 * itself reports that the channel does not exist.
 */
const extensionFor = ({ name, from }: FoundRuntime, channel: Channel | undefined): ExtensionChannel | null =>
  channel !== undefined && mayHave(name, channel) && from !== FROM_LINK ? extensionChannel(channel) : null;

const channelIn = (request: GuestRequest) => ('channel' in request ? request.channel : undefined);

/** Name of the input, for errors of the guest. */
function fileIn(request: GuestRequest): string {
  if ('recipe' in request) return request.recipe.source.file;
  return 'recipes' in request ? (request.recipes[0]?.source.file ?? '') : '';
}

/**
 * Slot for one guest of one runtime. The guest is started on first use, kept for the next request, and replaced if it
 * died, so that a payload that kills its guest affects only itself. Data and modules get separate guests.
 */
export class GuestSlot {
  readonly runtime: FoundRuntime;
  /** Maximum time for an answer, ms. */
  readonly timeoutMs: number;
  readonly #tools: StartTools;
  readonly #options: StartOptions;
  #guest: Guest | null = null;
  #forModules = false;
  #extension: ExtensionChannel | null;
  /** Ids of the recipes that the guest has built. */
  readonly #built = new Set<string>();

  /** @param options `channels`: the channels of the coming requests, in their order */
  constructor(
    tools: StartTools,
    runtime: FoundRuntime,
    options: Omit<StartOptions, 'sender'> & { channels?: readonly Channel[] | null | undefined },
  ) {
    this.#tools = tools;
    this.runtime = runtime;
    const { timeoutMs, cwd, signal, elsewhere, channels } = options;
    this.timeoutMs = timeoutMs;
    this.#extension = extensionFor(runtime, channels?.[0]);
    this.#options = { timeoutMs, cwd, signal, elsewhere };
  }

  /** True if no more requests should be sent. */
  get isStopped(): boolean {
    return this.#options.signal?.aborted === true;
  }

  /** True if the guest has built a different payload, so that its engine may have learned from it. */
  hasBuiltOther({ id }: Recipe): boolean {
    return this.#built.size > (this.#built.has(id) ? 1 : 0);
  }

  /** @param terms `file`: added to errors of the guest, which does not know it */
  async ask<A extends GuestRequest>(
    request: A,
    { file = fileIn(request), deadlineMs = this.timeoutMs }: { file?: string; deadlineMs?: number } = {},
  ): Promise<AnswerTo<A['type']>> {
    const channel = channelIn(request);
    const extension = channel === undefined ? this.#extension : extensionFor(this.runtime, channel);
    if (this.#forModules !== isForModules(request) || this.#extension !== extension) {
      await this.close();
      this.#forModules = isForModules(request);
      this.#extension = extension;
    }
    if (!this.#guest || this.#guest.dead) {
      this.#built.clear();
      const forModules = this.#forModules;
      this.#guest = await this.#startWith({ ...this.#options, forModules, extension });
    }
    if ('recipe' in request) this.#built.add(request.recipe.id);
    try {
      return await this.#guest.ask(request, { deadlineMs });
    } catch (error) {
      throw error instanceof ToolError && !error.facts.file
        ? ToolError.again(error.code, { ...error.facts, file }, { cause: error })
        : error;
    }
  }

  /**
   * Starts a guest for one request and closes it, so that state left by an earlier request cannot influence the answer.
   *
   * @param ownMs duration of the request itself, added to the guest's usual time limit
   */
  async askFresh<A extends GuestRequest>(
    request: A,
    ownMs: number,
    sender: Sender | undefined,
  ): Promise<AnswerTo<A['type']>> {
    const forModules = isForModules(request);
    const extension = extensionFor(this.runtime, channelIn(request));
    const { elsewhere: _, ...options } = this.#options;
    const guest = await this.#startWith({ ...options, forModules, sender, extension });
    try {
      return await guest.ask(request, { deadlineMs: ownMs + this.timeoutMs });
    } finally {
      await guest.close();
    }
  }

  async close(): Promise<void> {
    const guest = this.#guest;
    this.#guest = null;
    await guest?.close();
  }

  #startWith(options: StartOptions): Promise<Guest> {
    const { driver, emit } = this.#tools;
    return driver.start(this.runtime, { ...options, onNote: (text) => emit?.({ type: 'note', text }) });
  }
}
