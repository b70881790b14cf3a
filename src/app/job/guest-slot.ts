import type { Plan } from '../../model/documents/trial.ts';
import { ToolError } from '../../model/errors.ts';
import { type Channel, extensionChannel, mayHave, type Sender } from '../../model/names.ts';
import { isModule, type Recipe } from '../../model/report/recipe.ts';
import { triedIn } from '../../model/rules/remedy.ts';
import type { Emit } from '../../model/run/events.ts';
import {
  type FoundRuntime,
  FROM_LINK,
  type Guest,
  type RuntimeDriver,
  type StartOptions,
} from '../../model/run/runtime.ts';
import type { AnswerTo, GuestRequest } from '../../model/wire/wire.ts';

/** True if the request runs the user's code. Guests for data do not read anything of the project. */
const isForModules = (request: GuestRequest): boolean =>
  ('recipe' in request && isModule(request.recipe)) ||
  ('recipes' in request && request.recipes.some(isModule)) ||
  plansIn(request).some((plan) => triedIn(plan) !== null);

function plansIn(request: GuestRequest): (Plan | null)[] {
  if (request.type === 'memory') return [request.variant.plan];
  if (request.type === 'measure') return request.variants.map(({ plan }) => plan);
  return request.type === 'prove' ? [request.plan] : [];
}

/** null if the channel is not of an extension. A guest itself reports that its runtime lacks the channel. */
const extensionFor = ({ name, from }: FoundRuntime, channel: Channel | undefined) =>
  channel !== undefined && mayHave(name, channel) && from !== FROM_LINK ? extensionChannel(channel) : null;

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
  readonly #driver: RuntimeDriver;
  #options: StartOptions;
  #guest: Guest | null = null;
  readonly #built = new Set<string>();

  /** @param options `channels` of the coming requests: the first guest, which opens modules, is one of the first channel */
  constructor(
    { driver, emit }: { driver: RuntimeDriver; emit?: Emit },
    runtime: FoundRuntime,
    options: Omit<StartOptions, 'sender'> & { channels?: readonly Channel[] | null | undefined },
  ) {
    this.#driver = driver;
    this.runtime = runtime;
    const { timeoutMs, cwd, signal, elsewhere, moved, channels } = options;
    this.timeoutMs = timeoutMs;
    const onNote = (text: string) => emit?.({ type: 'note', text });
    const extension = extensionFor(runtime, channels?.[0]);
    this.#options = { timeoutMs, cwd, signal, elsewhere, moved, onNote, extension, forModules: false };
  }

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
    const { forModules, extension } = this.#options;
    const options = this.#optionsFor(request, extension);
    if (forModules !== options.forModules || extension !== options.extension) await this.close();
    this.#options = options;
    if (!this.#guest || this.#guest.dead) {
      this.#built.clear();
      this.#guest = await this.#driver.start(this.runtime, options);
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
   * @param ownMs duration of the request itself, added to the guest's usual time limit
   */
  async askFresh<A extends GuestRequest>(
    request: A,
    ownMs: number,
    sender: Sender | undefined,
  ): Promise<AnswerTo<A['type']>> {
    const { elsewhere: _, ...options } = this.#optionsFor(request, null);
    const guest = await this.#driver.start(this.runtime, { ...options, sender });
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

  /** @param extension of a guest for a request without a channel */
  #optionsFor(request: GuestRequest, extension: StartOptions['extension']): StartOptions {
    const channel = 'channel' in request ? request.channel : undefined;
    const ofChannel = channel === undefined ? extension : extensionFor(this.runtime, channel);
    return { ...this.#options, forModules: isForModules(request), extension: ofChannel };
  }
}
