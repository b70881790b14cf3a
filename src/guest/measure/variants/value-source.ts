import {
  type Envelope,
  type EnvelopeSide,
  envelopeFor,
} from '../../../core/recording/envelopes/envelopes.ts';
import type { Recipe } from '../../../model/report/recipe.ts';
import { buildPayload, laterBuild } from '../../payload/materialize.ts';
import { readTransferList, type TransferList } from '../../payload/module.ts';
import { buildSequence } from '../../payload/sequence.ts';
import type { Built } from '../../payload/thenable.ts';
import { assertFacts } from '../../payload/varying-facts.ts';
import { currentPlatform } from '../../platform/current.ts';

/** Payload that the sender handed to a receiver that cannot build it; null if no copy of it can be made. */
type HandedValue = { value: unknown } | null;

/**
 * Builds the values of one payload for the variants. Posting changes a value in ways that only the engine sees: the
 * first post flattens a rope; in Bun the serializer turns a string into an atom, which from then on is copied instead
 * of shared. Therefore each variant gets a separate value. The exception is a value that V8 has parsed, which holds no
 * rope and does not change when posted: variants that only post it share one value. Reading is different: optimized
 * code that reads an array can turn it holey (seen on Node 26 and Deno 2.9), so remedies read a second value.
 */
export class ValueSource {
  /** Envelope that a library puts around the values. */
  readonly envelope: Envelope;
  readonly #recipe: Recipe;
  readonly #handed: HandedValue | undefined;
  #builds = 0;
  readonly #shared: { posted: Built | null; read: Built | null } = { posted: null, read: null };

  /** @param handed absent if this side builds its values */
  constructor(recipe: Recipe, side: EnvelopeSide, handed?: HandedValue) {
    this.envelope = envelopeFor(recipe.via, side);
    this.#recipe = recipe;
    this.#handed = handed;
  }

  /** Each message is a value that was just made. */
  get isNewEachTime(): boolean {
    return this.#recipe.isNewEachTime === true;
  }

  /** This side cannot have the payload. */
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

  /** The payloads that the program posts one after the other. */
  async sequence(): Promise<unknown[]> {
    return this.#handed ? [this.#handed.value] : buildSequence(this.#recipe);
  }

  /** A value that is only posted, or only read by a remedy. */
  async sharedFor(use: 'posted' | 'read'): Promise<Built> {
    const built = this.#shared[use] ?? (await this.unshared());
    if (built.how === 'parsed' && !currentPlatform().postingChangesValues) this.#shared[use] = built;
    return built;
  }
}
