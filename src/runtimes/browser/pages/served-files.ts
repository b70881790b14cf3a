import type { Plan } from '../../../model/documents/trial.ts';
import type { BundleForPage, PageModule } from '../../../model/page-module.ts';
import type { Recipe } from '../../../model/report/recipe.ts';
import { type TriedPlan, triedIn } from '../../../model/rules/tried.ts';
import type { NumberedRequest } from '../../../model/wire/wire.ts';

/** What a page may read: the files of its recipes and rewrites, by keys of our own instead of paths. */
export class ServedFiles {
  readonly #files = new Map<string, string>();
  /** `file` is what esbuild reads, `name` what the user named. */
  readonly #modules = new Map<string, { file: string; name: string }>();
  readonly #bundles = new Map<string, Promise<PageModule>>();
  readonly #keys = new Map<string, string>();

  /** The path of a file that is read as data; null for what no request named. */
  fileOf(key: string): string | null {
    return this.#files.get(key) ?? null;
  }

  /**
   * A module, bundled once: the guest and its workers get the same code. null for what no request named.
   * @throws ToolError as `bundle`
   */
  moduleOf(key: string, bundle: BundleForPage, cwd: string): Promise<PageModule> | null {
    const module = this.#modules.get(key);
    if (module === undefined) return null;
    const bundled = this.#bundles.get(key) ?? bundle(module, cwd);
    this.#bundles.set(key, bundled);
    return bundled;
  }

  /** The request with keys: from now on what it names is served. */
  inKeys(request: NumberedRequest): NumberedRequest {
    if ('recipes' in request)
      return { ...request, recipes: request.recipes.map((recipe) => this.#ofRecipe(recipe)) };
    if (!('recipe' in request)) return request;
    const asked = { ...request, recipe: this.#ofRecipe(request.recipe) };
    if (asked.type === 'prove') return { ...asked, plans: asked.plans.map((one) => this.#withPlan(one)) };
    if (asked.type === 'memory') return { ...asked, variant: this.#withPlan(asked.variant) };
    if (asked.type !== 'measure') return asked;
    const variants = asked.variants.map((variant) => {
      const { recipe } = variant;
      return this.#withPlan(recipe ? { ...variant, recipe: this.#ofRecipe(recipe) } : variant);
    });
    return { ...asked, variants };
  }

  #ofRecipe(recipe: Recipe): Recipe {
    const { build } = recipe;
    if (build.form === 'module') {
      const { source, ...form } = build;
      const file = this.#moduleKey({ file: source ?? build.file, name: build.original });
      return { ...recipe, build: { ...form, file } };
    }
    if (!('file' in build)) return recipe;
    const key = this.#keyOf(`file ${build.file}`);
    this.#files.set(key, build.file);
    return { ...recipe, build: { ...build, file: key } };
  }

  #withPlan<T extends { plan: Plan | null }>(variant: T): T {
    const found = triedIn(variant.plan);
    if (found === null) return variant;
    const { source, ...tried } = found;
    const file = this.#moduleKey({ file: source ?? tried.file, name: tried.name });
    const plan: TriedPlan = { path: '$', ...variant.plan, tried: { ...tried, file } };
    return { ...variant, plan };
  }

  #moduleKey(module: { file: string; name: string }): string {
    const key = this.#keyOf(`module ${module.file}`);
    if (!this.#modules.has(key)) this.#modules.set(key, module);
    return key;
  }

  #keyOf(what: string): string {
    const key = this.#keys.get(what) ?? String(this.#keys.size + 1);
    this.#keys.set(what, key);
    return key;
  }
}
