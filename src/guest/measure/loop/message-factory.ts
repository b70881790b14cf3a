import { without } from '../../../core/branches/without.ts';
import type { Plan, Remedy } from '../../../model/remedy.ts';
import type { Variant } from '../../../model/wire.ts';
import { replicaOf } from '../../payload/replica.ts';
import { remedyNamed } from '../../prove/remedy-by-name.ts';
import type { Endpoint } from '../peer/endpoint.ts';
import type { ValueSource } from './value-source.ts';

/** The lightest message there is on every runtime: Bun shares no bare primitive but strings, Deno's codec takes it too. */
export const EMPTY = '';

/** How one variant makes its message and undoes it. */
export class MessageFactory {
  /** The last message took buffers along: `fill` before the next. */
  consumed = false;
  /** The way pays apply on the sender and restore on the receiver. */
  readonly converts: boolean;
  readonly #mode: Variant['mode'];
  readonly #source: ValueSource;
  readonly #plan: Plan;
  #remedy: Remedy | null = null;
  #value: { value: unknown } | null = null;
  /** Kept whole, when a new one would mean to evaluate the user's module once more for each message. */
  #pristine: { value: unknown } | null = null;
  #message: unknown = EMPTY;
  #list: ArrayBuffer[] = [];
  #transfers = false;
  #spoilsValue = false;

  constructor(variant: Variant, source: ValueSource) {
    this.#mode = variant.mode;
    this.converts = variant.mode === 'with-conversion';
    this.#source = source;
    this.#plan = variant.plan ?? { path: '$' };
  }

  /** First values. Throws what building or apply throws, and when nobody knows the remedy. */
  async prepare({ remedy }: Variant, mayTransfer: boolean): Promise<void> {
    this.#remedy = remedy === null ? null : remedyNamed(remedy);
    if (mayTransfer && this.#remedy?.transfer) await this.#learnTransfers(this.#remedy);
    await this.fill();
  }

  /** A fresh message, or what one is made of, outside any timed part. */
  async fill(): Promise<void> {
    this.consumed = false;
    if (this.#mode === 'floor') return;
    this.#value ??= await this.#fresh();
    const { value } = this.#value;
    if (this.converts) return;
    this.#message = this.#made(value);
    if (this.#transfers) this.#list = this.#listOf(this.#message);
    else this.#value = null;
  }

  #made(value: unknown): unknown {
    if (this.#mode === 'without') return without(value, this.#plan.path);
    return this.#remedy ? this.#remedy.apply(value, this.#plan) : value;
  }

  /** Timed as a whole: all that the sender's thread is busy with. */
  post(lane: Endpoint): void {
    const message = this.converts ? this.#convert() : this.#message;
    if (!this.#transfers) {
      lane.post(message);
      return;
    }
    const list = this.converts ? this.#listOf(message) : this.#list;
    this.consumed = this.consumesValue;
    if (this.#spoilsValue) this.#value = null;
    lane.postWith(message, list);
  }

  /** Each message takes along what the next would be made of. */
  get consumesValue(): boolean {
    return this.#transfers && (this.#spoilsValue || !this.converts);
  }

  /** Timed on the receiver. In place the data stays in its new form, so nothing is undone. */
  restore(message: unknown): unknown {
    return this.converts && this.#remedy ? this.#remedy.restore(message, this.#plan) : message;
  }

  async #fresh(): Promise<{ value: unknown }> {
    if (!this.#spoilsValue) return this.#source.any(this.#remedy ? 'read' : 'posted');
    if (this.#pristine) return { value: replicaOf(this.#pristine.value) };
    const built = await this.#source.own();
    if (built.how === 'built' || built.how === 'parsed') return built;
    this.#pristine = built;
    return { value: replicaOf(built.value) };
  }

  #convert(): unknown {
    return this.#remedy ? this.#remedy.apply(this.#value?.value, this.#plan) : this.#value?.value;
  }

  #listOf(message: unknown): ArrayBuffer[] {
    return this.#remedy?.transfer?.(message, this.#plan) ?? [];
  }

  /**
   * Does the message transfer anything, and does that take the value along? A remedy that packs rows into new typed
   * arrays gives those away and keeps the rows; one that lists the payload's own buffers leaves it detached.
   */
  async #learnTransfers(remedy: Remedy): Promise<void> {
    const { value } = await this.#source.own();
    const message = remedy.apply(value, this.#plan);
    const list = this.#listOf(message);
    this.#transfers = list.length > 0;
    if (!this.#transfers) return;
    const sizes = sizesOf(list);
    structuredClone(message, { transfer: list });
    try {
      this.#spoilsValue = sizesOf(this.#listOf(remedy.apply(value, this.#plan))) !== sizes;
    } catch {
      this.#spoilsValue = true;
    }
  }
}

const sizesOf = (list: readonly ArrayBuffer[]) => list.map((buffer) => buffer.byteLength).join();
