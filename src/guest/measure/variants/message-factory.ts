import { without } from '../../../core/branches/without.ts';
import { map } from '../../../core/value/lists.ts';
import type { Plan } from '../../../model/documents/trial.ts';
import { triedIn } from '../../../model/rules/tried.ts';
import type { Variant } from '../../../model/wire/wire.ts';
import { replicaOf } from '../../payload/replica.ts';
import type { TransferList } from '../../payload/transfer-list.ts';
import type { Endpoint } from '../../platform/common/endpoint.ts';
import { rewriteFor } from '../../prove/remedy-by-name.ts';
import type { Rewrite } from '../../prove/tried-module.ts';
import type { ValueSource } from './value-source.ts';

/** The cheapest message on every runtime: of primitives Bun shares only strings, and Deno's codec takes it too. */
export const EMPTY = '';

/**
 * Makes and posts the messages of one variant, and restores received ones. The envelope of a library is put around each
 * message, the empty one too: no rewrite of the payload can avoid it.
 */
export class MessageFactory {
  /** The last message transferred its buffers: call `fill` before the next. */
  consumed = false;
  /** Posting includes `apply`, receiving includes `restore`. */
  readonly converts: boolean;
  readonly #mode: Variant['mode'];
  readonly #source: ValueSource;
  readonly #plan: Plan;
  #remedy: Rewrite | null = null;
  #value: { value: unknown } | null = null;
  /** Never posted; copied for each message where a new value would need another evaluation of the user's module. */
  #template: { value: unknown } | null = null;
  #message: unknown = EMPTY;
  #buffers: Transferable[] = [];
  /** Of the payload itself. */
  #list: TransferList | null = null;
  #transfers = false;
  #transferDetachesValue = false;

  constructor(variant: Variant, source: ValueSource) {
    this.#mode = variant.mode;
    this.converts = variant.mode === 'with-conversion';
    this.#source = source;
    this.#plan = variant.plan ?? { path: '$' };
  }

  /** Builds the first value. @throws what building or `apply` throws, Error for an unknown remedy */
  async prepare({ remedy }: Variant, mayTransfer: boolean): Promise<void> {
    this.#remedy = remedy === null ? null : await rewriteFor(remedy, this.#plan);
    if (mayTransfer && this.#source.envelope.transfers && this.#remedy?.transfer)
      await this.#tryTransfer(this.#remedy);
    if (mayTransfer && this.#mode === 'original') {
      this.#list = await this.#source.transferList();
      this.#transfers = this.#transferDetachesValue = this.#list !== null;
    }
    await this.fill();
    if (this.converts) this.#remedy?.warmUp?.(this.#value?.value, this.#plan);
  }

  /** Makes the next message, or the value that it is converted from. Not timed. */
  async fill(): Promise<void> {
    this.consumed = false;
    if (this.#mode === 'floor') return;
    this.#value ??= await this.#freshValue();
    const { value } = this.#value;
    if (this.converts) return;
    this.#message = this.#messageFrom(value);
    if (this.#transfers) this.#buffers = this.#buffersOf(this.#message);
    else this.#value = null;
  }

  #messageFrom(value: unknown): unknown {
    if (this.#mode === 'without') return without(value, this.#plan.path);
    return this.#remedy ? this.#remedy.apply(value, this.#plan) : value;
  }

  /** Timed as a whole: all that keeps the sender's thread busy. */
  post(endpoint: Endpoint): void {
    const { envelope } = this.#source;
    const message = this.converts ? this.#convert() : this.#message;
    if (!this.#transfers) {
      endpoint.post(envelope.wrap(message, []));
      return;
    }
    const buffers = this.converts ? this.#buffersOf(message) : this.#buffers;
    this.consumed = this.consumesValue;
    if (this.#transferDetachesValue) this.#value = null;
    endpoint.postWith(envelope.wrap(message, buffers), buffers);
  }

  /** Posting a message leaves nothing to make the next one from. */
  get consumesValue(): boolean {
    return this.#transfers && (this.#transferDetachesValue || !this.converts);
  }

  /** Timed on the receiver. In place the data stays in its new form. */
  restore(message: unknown): unknown {
    const received = this.#source.envelope.unwrap(message);
    if (!this.converts || this.#remedy === null) return received;
    const { receive, restore } = this.#remedy;
    return (receive ?? restore)(received, this.#plan);
  }

  async #freshValue(): Promise<{ value: unknown }> {
    // What a module of the user's does to its input must not reach the values of others.
    if (triedIn(this.#plan) && !this.#transferDetachesValue) return this.#source.unshared();
    if (!this.#transferDetachesValue) return this.#source.sharedFor(this.#remedy ? 'read' : 'posted');
    if (this.#template) return { value: replicaOf(this.#template.value) };
    const built = await this.#source.unshared();
    if (built.how === 'built' || built.how === 'parsed') return built;
    this.#template = built;
    return { value: replicaOf(built.value) };
  }

  #convert(): unknown {
    return this.#remedy ? this.#remedy.apply(this.#value?.value, this.#plan) : this.#value?.value;
  }

  #buffersOf(message: unknown): Transferable[] {
    return this.#remedy?.transfer?.(message, this.#plan) ?? this.#list?.(message) ?? [];
  }

  /**
   * Finds out whether the message transfers buffers, and whether that detaches the value. A remedy that packs rows into
   * new typed arrays transfers those and leaves the rows; one that lists the payload's own buffers detaches them.
   */
  async #tryTransfer(remedy: Rewrite): Promise<void> {
    const { value } = await this.#source.unshared();
    const message = remedy.apply(value, this.#plan);
    const buffers = this.#buffersOf(message);
    this.#transfers = buffers.length > 0;
    if (!this.#transfers) return;
    const sizes = byteLengths(buffers);
    structuredClone(message, { transfer: buffers });
    try {
      this.#transferDetachesValue = byteLengths(this.#buffersOf(remedy.apply(value, this.#plan))) !== sizes;
    } catch {
      this.#transferDetachesValue = true;
    }
  }
}

const byteLengths = (buffers: readonly Transferable[]) =>
  map(buffers, (one) => (one as ArrayBuffer).byteLength).join();
