import {
  type Envelope,
  type EnvelopeSide,
  envelopeFor,
} from '../../../core/recording/envelopes/envelopes.ts';
import type { Recipe } from '../../../model/report/recipe.ts';
import type { Built } from '../../payload/built.ts';
import { buildPayload } from '../../payload/materialize.ts';
import { type TransferList, transferListOf } from '../../payload/transfer-list.ts';
import { currentPlatform } from '../../platform/current.ts';

/**
 * Builds the values of one payload for the variants. Posting changes a value in ways that only the engine sees: the
 * first post flattens a rope; in Bun the serializer turns a string into an atom, which is copied from then on where it
 * was shared before. Therefore each variant gets a value of its own. The exception is what V8 has parsed, which holds no
 * rope and does not change when posted: variants that only post it share one value. Reading is different: optimized code
 * that reads an array can turn it holey (seen on Node 26 and Deno 2.9), so remedies read a second value.
 */
export class ValueSource {
  /** What a library puts around the values. */
  readonly envelope: Envelope;
  readonly #recipe: Recipe;
  readonly #shared: { posted: Built | null; read: Built | null } = { posted: null, read: null };

  constructor(recipe: Recipe, side: EnvelopeSide) {
    this.envelope = envelopeFor(recipe.via, side);
    this.#recipe = recipe;
  }

  /** A value that nothing else uses: it may be detached. */
  unshared(): Promise<Built> {
    return buildPayload(this.#recipe);
  }

  /** Lists what a message of the payload itself transfers; null where it transfers nothing. */
  async transferList(): Promise<TransferList | null> {
    if (!this.envelope.transfers) return null;
    const list = await transferListOf(this.#recipe);
    const { transfer = [] } = list === null ? {} : await this.unshared();
    return transfer.length > 0 ? list : null;
  }

  /** A value that is only posted, or only read by a remedy. */
  async sharedFor(use: 'posted' | 'read'): Promise<Built> {
    const built = this.#shared[use] ?? (await this.unshared());
    if (built.how === 'parsed' && !currentPlatform().postingChangesValues) this.#shared[use] = built;
    return built;
  }
}
