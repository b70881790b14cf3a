import type { Plan } from '../../model/documents/trial.ts';
import { ToolError } from '../../model/errors.ts';
import type { FileContent } from '../../model/names.ts';
import { orElse } from '../../model/or-else.ts';
import type { Recipe } from '../../model/report/recipe.ts';
import { RemedyRefused, triedIn } from '../../model/rules/remedy.ts';
import type { Variant } from '../../model/wire/wire.ts';
import { type Envelope, type EnvelopeSide, envelopeFor } from '../../record/envelopes/envelopes.ts';
import { without } from '../../stats/branches/branches.ts';
import { flatMap, map } from '../../value/read/lists.ts';
import { EMPTY } from '../channel/channel.ts';
import {
  assertFacts,
  buildPayload,
  buildSequence,
  copied,
  laterBuild,
  nextIn,
} from '../payload/materialize.ts';
import { type Built, readTransferList, type TransferList } from '../payload/module.ts';
import { measureStep, now } from '../platform/common/clock.ts';
import { currentPlatform, type Outlet } from '../platform/common/platform.ts';
import { contentOf, loadTried, type Rewrite, rewriteFor } from '../prove/prove-rewrites.ts';
import { thrownMessage } from '../user-code/user-code.ts';

/**
 * Builds the values of one payload for the variants. Posting changes a value in ways that only the engine sees: the
 * first post flattens a rope; in Bun the serializer turns a string into an atom, which from then on is copied instead
 * of shared. Therefore each variant gets a separate value. The exception is a value that V8 has parsed, which holds no
 * rope and does not change when posted: variants that only post it share one value. Reading is different: optimized
 * code that reads an array can turn it holey (seen on Node 26 and Deno 2.9), so remedies read a second value.
 */
export class ValueSource {
  readonly envelope: Envelope;
  readonly #recipe: Recipe;
  /** Absent if this side builds its values, null if it cannot have the payload. */
  readonly #handed: { value: unknown } | null | undefined;
  #builds = 0;
  readonly #shared: { posted: Built | null; read: Built | null } = { posted: null, read: null };

  constructor(recipe: Recipe, side: EnvelopeSide, handed?: { value: unknown } | null) {
    this.envelope = envelopeFor(recipe.via, side);
    this.#recipe = recipe;
    this.#handed = handed;
  }

  get isNewEachTime(): boolean {
    return this.#recipe.isNewEachTime === true;
  }

  get isMissing(): boolean {
    return this.#handed === null;
  }

  /** A value that nothing else uses: it may be detached. */
  async unshared(): Promise<Built> {
    if (this.#handed) return { value: structuredClone(this.#handed.value), how: 'built' };
    const built = await (this.#builds === 0 ? laterBuild : buildPayload)(this.#recipe, buildPayload);
    // Only the first values of a factory that is called for each message are checked.
    if (this.#builds++ < 3) await assertFacts(this.#recipe, built.value);
    return built;
  }

  /** Lists what a message of the payload itself transfers; null if it transfers nothing. */
  async transferList(): Promise<TransferList | null> {
    if (!this.envelope.transfers) return null;
    const list = await readTransferList(this.#recipe);
    return list !== null && list((await this.unshared()).value).length > 0 ? list : null;
  }

  async sequence(): Promise<unknown[]> {
    return this.#handed ? [this.#handed.value] : buildSequence(this.#recipe);
  }

  async sharedFor(use: 'posted' | 'read'): Promise<Built> {
    const built = this.#shared[use] ?? (await this.unshared());
    if (built.how === 'parsed' && !currentPlatform().postingChangesValues) this.#shared[use] = built;
    return built;
  }
}

/** Messages of one variant. Each is in the envelope of its library, the empty one too: no rewrite can avoid it. */
export class MessageFactory {
  /** `fill` has to make the next message: the last one transferred its buffers, or values are new each time. */
  consumed = false;
  readonly converts: boolean;
  isAnsweredEmpty = false;
  readonly #variant: Variant;
  readonly #source: ValueSource;
  readonly #plan: Plan;
  #remedy: Rewrite | null = null;
  #value: { value: unknown } | null = null;
  /** Payloads that are posted in turn, for a rewrite that sends changes. */
  #sequence: unknown[] = [];
  #nth = 0;
  /** Never posted; copied for each message if a new value would need another evaluation of the user module. */
  #template: { value: unknown } | null = null;
  #message: unknown = EMPTY;
  #buffers: Transferable[] = [];
  #list: TransferList | null = null;
  #transfers = false;
  #transferDetachesValue = false;

  constructor(variant: Variant, source: ValueSource) {
    this.#variant = variant;
    this.converts = variant.mode === 'with-conversion';
    this.#source = source;
    this.#plan = variant.plan ?? { path: '$' };
  }

  get content(): FileContent {
    return contentOf(this.#remedy, this.#plan);
  }

  /** Builds the first value. @throws what building or `apply` throws, Error for an unknown remedy */
  async prepare(mayTransfer: boolean): Promise<void> {
    const { remedy, mode } = this.#variant;
    this.#remedy = remedy === null ? null : await rewriteFor(remedy, this.#plan);
    if (this.#remedy?.compile) await currentPlatform().compiling(() => this.#remedy?.compile?.(this.#plan));
    if (this.#source.isMissing) return;
    if (this.#remedy?.ofSequence) this.#sequence = await this.#source.sequence();
    // First: the steps below run the same code, and cold code takes them several times as long.
    if (this.converts && this.#remedy?.warmUp) {
      this.#value = await this.#freshValue();
      warmUp(() => this.#remedy?.warmUp?.(this.#convertedValue(), this.#plan));
    }
    if (mayTransfer && this.#source.envelope.transfers && this.#remedy?.transfer)
      await this.#tryTransfer(this.#remedy);
    if (mayTransfer && mode === 'original') {
      this.#list = await this.#source.transferList();
      this.#transfers = this.#transferDetachesValue = this.#list !== null;
    }
    if (mode === 'after-receiving' && !this.#isEmpty) structuredClone((await this.#source.unshared()).value);
    await this.fill();
  }

  /** Makes the next message, or the value that it is converted from. This is not timed. */
  async fill(): Promise<void> {
    if (this.consumed && this.#isNewEachTime) this.#value = null;
    this.consumed = false;
    if (this.#isEmpty) return;
    this.#value ??= await this.#freshValue();
    const { value } = this.#value;
    if (this.converts) return;
    this.#message =
      this.#variant.mode === 'without' ? without(value, this.#plan.path) : this.#rewritten(value);
    if (this.#transfers) this.#buffers = this.#buffersIn(this.#message);
    else this.#value = null;
  }

  /** States that are posted in turn are never new: the codec has the one before. */
  get #isNewEachTime(): boolean {
    return this.#source.isNewEachTime && !this.#isEmpty && this.#sequence.length === 0;
  }

  get #isEmpty(): boolean {
    return this.#variant.mode === 'floor' || this.#source.isMissing;
  }

  get isAwaited(): boolean {
    return this.converts && this.#remedy?.isAwaited === true;
  }

  #convertedValue(): unknown {
    if (this.#sequence.length === 0) return this.#value?.value;
    const { index, at } = nextIn(this.#sequence.length, this.#nth);
    this.#nth = at;
    return this.#sequence[index];
  }

  #rewritten(value: unknown): unknown {
    return this.#remedy ? this.#remedy.apply(value, this.#plan) : value;
  }

  /** Timed as a whole: all that keeps the sender's thread busy. */
  post(endpoint: Outlet): void {
    const { envelope } = this.#source;
    const message = this.converts && !this.#isEmpty ? this.#rewritten(this.#convertedValue()) : this.#message;
    this.consumed = this.consumesValue || this.#isNewEachTime;
    if (!this.#transfers) {
      endpoint.post(envelope.wrap(message, []));
      return;
    }
    const buffers = this.converts ? this.#buffersIn(message) : this.#buffers;
    if (this.#transferDetachesValue) this.#value = null;
    endpoint.post(envelope.wrap(message, buffers), buffers);
  }

  get consumesValue(): boolean {
    return this.#transfers && (this.#transferDetachesValue || !this.converts);
  }

  /** Restores a message. This is timed on the receiver. Data that is restored in place stays in its new form. */
  restore(message: unknown): unknown {
    if (this.isAnsweredEmpty) return message;
    const received = this.#source.envelope.unwrap(message);
    if (!this.converts || this.#remedy === null) return received;
    const { receive, restore } = this.#remedy;
    return (receive ?? restore)(received, this.#plan);
  }

  async #freshValue(): Promise<{ value: unknown }> {
    // Changes that a user's module makes to its input must not reach the values of others.
    if (triedIn(this.#plan) && !this.#transferDetachesValue) return this.#source.unshared();
    if (!this.#transferDetachesValue) return this.#source.sharedFor(this.#remedy ? 'read' : 'posted');
    if (this.#template) return { value: copied(this.#template.value) };
    const built = await this.#source.unshared();
    if (built.how === 'built' || built.how === 'parsed') return built;
    this.#template = built;
    return { value: copied(built.value) };
  }

  #buffersIn(message: unknown): Transferable[] {
    const objects = this.#remedy?.transfer?.(message, this.#plan) as Transferable[] | undefined;
    return objects ?? this.#list?.(message) ?? [];
  }

  /** A remedy that packs rows into new arrays leaves the value; one that lists the payload's buffers detaches it. */
  async #tryTransfer(remedy: Rewrite): Promise<void> {
    const { value } = await this.#source.unshared();
    const message = remedy.apply(value, this.#plan);
    const buffers = this.#buffersIn(message);
    this.#transfers = buffers.length > 0;
    if (!this.#transfers) return;
    const sizes = byteLengths(buffers);
    structuredClone(message, { transfer: buffers });
    const isChanged = () => {
      const again = remedy.apply(value, this.#plan);
      const list = this.#buffersIn(again);
      // Node 20 transfers a detached buffer again without an error: its size shows it. A port shows nothing.
      if (byteLengths(list) !== sizes) return true;
      structuredClone(again, { transfer: list });
      return false;
    };
    this.#transferDetachesValue = orElse(isChanged, true);
    if (this.#transferDetachesValue) this.#value = null;
  }
}

const byteLengths = (buffers: readonly Transferable[]) =>
  map(buffers, (one) => (one as ArrayBuffer).byteLength).join();

const MS = 1e6;
const MAX_WARM_MS = 200;
/** Code that has not become faster in this time is compiled. */
const STEADY_MS = 30;
const MIN_GAIN = 0.05;

/** Maximum factor by which a busy machine may make this longer than on free cores. */
const MAX_WAIT = 4;

/**
 * Generated code takes three times as long until an engine has compiled it, which happens in several steps. On a busy
 * machine, compiling waits for a core as well, so the time on cores counts.
 */
function warmUp(round: () => void): void {
  const spent = currentPlatform().processorNs ?? now;
  const [began, beganSpent] = [now(), spent()];
  let fastest = Number.POSITIVE_INFINITY;
  for (let at = began, used = beganSpent, faster = used; used - faster < STEADY_MS * MS; ) {
    if (used - beganSpent >= MAX_WARM_MS * MS || at - began >= MAX_WAIT * MAX_WARM_MS * MS) return;
    round();
    const ended = now();
    used = spent();
    if (ended - at < (1 - MIN_GAIN) * fastest) [fastest, faster] = [ended - at, used];
    at = ended;
  }
}

/** A sample of this many steps of the clock is known to within 5 %. */
const MIN_STEPS = 20;
/** Minimum factor by which a block that is too short grows. */
const GROWTH = 1.25;
const MAX_MESSAGES = 16_384;

/** Number of messages of one variant that make a sample: one, unless the clock is too coarse for it (pages). */
export class BlockLength {
  messages = 1;
  readonly #stepNs: number;
  readonly #most: number;

  /** `stepNs`: step of the clock; 0 if it is fine. `most`: maximum messages of a block, all in flight together. */
  constructor(stepNs: number, most = MAX_MESSAGES) {
    this.#stepNs = stepNs;
    this.#most = most;
  }

  isLongEnough(ns: number): boolean {
    return ns >= MIN_STEPS * this.#stepNs;
  }

  /**
   * True if a block with this time, ns, must go on, because it might take no step of the clock; it is longer now. The
   * limit is half the time of the next blocks, so that a block's own time seldom decides its end.
   */
  mustGoOn(ns: number): boolean {
    if (this.messages >= this.#most || this.isLongEnough(2 * ns)) return false;
    this.took(ns);
    return true;
  }

  took(ns: number): void {
    if (this.isLongEnough(ns)) return;
    const factor = Math.max(GROWTH, (MIN_STEPS * this.#stepNs) / Math.max(ns, this.#stepNs));
    this.messages = Math.min(this.#most, Math.ceil(this.messages * factor));
  }
}

const MAX_IN_FLIGHT = 512;

/** Samples of one variant, in ns a message, in the order of recording. Engines keep such lists without boxes. */
export class VariantSamples {
  readonly roundTrip: number[] = [];
  readonly send: number[] = [];
  readonly receive: number[] = [];
  /** Times of writing to a store that is waited for: see localLoop. */
  readonly written: number[] = [];
  readonly result: number[] = [];
  /** Time in which the two threads of each round trip had a core; empty if it is not known. */
  readonly onCore: number[] = [];
  readonly trips = new BlockLength(measureStep());
  readonly bursts = new BlockLength(measureStep(), MAX_IN_FLIGHT);
  fastest = Number.POSITIVE_INFINITY;
  cold: number | null = null;
  error: string | null = null;
}

export interface PreparedVariant {
  readonly factory: MessageFactory;
  readonly samples: VariantSamples;
}

/** The payload, then that of each variant with a recipe of its own; null if no copies can be made: see `withHandedValues`. */
export type HandedValues = readonly unknown[] | null;

/** A remedy that refuses the payload is the error of its variant. @throws ToolError if the payload itself cannot be built */
export async function prepareVariants(
  variants: readonly Variant[],
  recipe: Recipe,
  mayTransfer: boolean,
  side: EnvelopeSide,
  handed?: HandedValues,
): Promise<PreparedVariant[]> {
  const handedAt = (at: number) => handed && { value: handed[at] };
  const source = new ValueSource(recipe, side, handedAt(0));
  const prepared: PreparedVariant[] = [];
  // An error that escapes a user's module must not end the import of the next module.
  for (const { plan } of variants) {
    const tried = triedIn(plan);
    // An error of the module belongs to its variant, which loads it again.
    if (tried) await loadTried(tried).catch(() => undefined);
  }
  for (const [index, variant] of variants.entries()) {
    const values = variant.recipe ? new ValueSource(variant.recipe, side, handedAt(index + 1)) : source;
    const factory = new MessageFactory(variant, values);
    const samples = new VariantSamples();
    prepared.push({ factory, samples });
    try {
      await factory.prepare(mayTransfer);
    } catch (error) {
      if (error instanceof ToolError) throw error;
      samples.error = error instanceof RemedyRefused ? error.message : thrownMessage(error);
    }
  }
  return prepared;
}

export function usableVariants(variants: readonly PreparedVariant[]): number[] {
  return flatMap(variants, ({ samples }, index) => (samples.error === null ? [index] : []));
}
