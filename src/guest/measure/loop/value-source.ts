import type { Recipe } from '../../../model/recipe.ts';
import { type Built, build } from '../../payload/materialize.ts';

/**
 * Where forms get their values. Posting changes a value in ways that only the engine sees: a rope is flattened by its
 * first send; in Bun the slow path turns a string into an atom, which is copied ever after where it was shared before.
 * So each variant has a value of its own, lest one spoil another's; except what V8 has parsed, which holds no rope
 * and on which posting leaves no trace: one is enough there for all who only post it. Reading is another matter:
 * optimized code that reads an array can turn it holey (seen on Node 26 and Deno 2.9), so what remedies read is apart.
 */
export class ValueSource {
  readonly #recipe: Recipe;
  readonly #leavesTraces: boolean;
  readonly #common: { posted: Built | null; read: Built | null } = { posted: null, read: null };

  constructor(recipe: Recipe, leavesTraces: boolean) {
    this.#recipe = recipe;
    this.#leavesTraces = leavesTraces;
  }

  /** The same way with another payload. */
  of(recipe: Recipe): ValueSource {
    return new ValueSource(recipe, this.#leavesTraces);
  }

  /** Nobody else's: it may be detached. */
  own(): Promise<Built> {
    return build(this.#recipe);
  }

  /** To be posted and nothing else, or to be read by a remedy. */
  async any(use: 'posted' | 'read'): Promise<Built> {
    const built = this.#common[use] ?? (await this.own());
    if (built.how === 'parsed' && !this.#leavesTraces) this.#common[use] = built;
    return built;
  }
}
