/** Codecs of the config: each fits all payloads of its entry, gives them back equal, and is made of their schema. */
import { type LimitCheck, resultOf, unmeasured } from '../../core/gate/limit-check.ts';
import { type SchemaChange, schemaChanges } from '../../core/payload-schema/changes.ts';
import type { LimitResult } from '../../model/documents/check.ts';
import type { CodecSchema, PayloadSchema } from '../../model/documents/payload-schema.ts';
import type { Limit } from '../../model/gate/check.ts';
import type { Recipe } from '../../model/report/recipe.ts';
import type { TriedRewrite } from '../../model/rules/tried.ts';
import type { Proof } from '../../model/wire/wire.ts';
import { runError, samplesIn } from '../payloads.ts';
import { proveTry } from '../prove.ts';
import { schemaOfSamples, whyNone } from '../schema-codec.ts';
import type { GuestTerms } from '../tools.ts';
import type { CheckUnit, Gathered } from './gather.ts';

export interface LoadedCodec {
  tried: TriedRewrite;
  /** Schema in the codec's last line. Null where it has none: it was not compiled. 'unreadable': somebody changed it. */
  madeOf: CodecSchema | null | 'unreadable';
}

/** Files of codecs, from the folder of the config. */
export interface CodecFiles {
  /** Null for one that is to be written for the first time. @throws ToolError of a file that is not there */
  load(file: string): Promise<LoadedCodec | null>;
  /** With --fix-codec: writes it anew, and says why. */
  rewrite: ((file: string, made: RewrittenCodec) => Promise<void>) | null;
}

export interface RewrittenCodec {
  schema: PayloadSchema;
  /** Schema of the codec before. */
  madeOf: CodecSchema | null;
  changes: readonly SchemaChange[];
  /** Sources of its payloads, each once. */
  sources: readonly Recipe['source'][];
}

/** What is known of the codec of one entry on one runtime. */
interface CheckedCodec {
  codec: LoadedCodec | null;
  schema: PayloadSchema | null;
  /** Why there is none. */
  unknown: string | null;
  changes: SchemaChange[];
  proofs: Map<Gathered, Proof>;
}

/** Further ones are counted. */
const MAX_CHANGES = 20;

export class CodecChecks {
  readonly #files: CodecFiles;
  readonly #terms: GuestTerms;
  readonly #byUnit = new Map<CheckUnit, CheckedCodec>();

  constructor(files: CodecFiles, terms: GuestTerms) {
    this.#files = files;
    this.#terms = terms;
  }

  /** @param all payloads, from which those of the same entry are taken. @throws ToolError of a codec that is not there */
  async results(one: Gathered, all: readonly Gathered[]): Promise<LimitResult[]> {
    const { entry, run } = one;
    if (entry.codec === undefined) return [];
    const siblings = all.filter(({ unit }) => unit === one.unit);
    const limit: Limit = { level: 'error', value: true, text: entry.codec };
    const failed = siblings.find(({ slot, run: { status } }) => slot === null || status === 'failed');
    const checks = failed
      ? [unmeasured(failed.run.error?.message ?? 'the run failed')]
      : checksOf(await this.#checked(entry.codec, siblings), one, one === siblings[0]);
    return checks.map((check) => resultOf(entry, run, 'codec', limit, check));
  }

  async #checked(file: string, siblings: readonly Gathered[]): Promise<CheckedCodec> {
    const { unit, slot } = siblings[0]!;
    const known = this.#byUnit.get(unit);
    if (known) return known;
    let checked = await this.#check(file, siblings);
    const { rewrite } = this.#files;
    if (rewrite !== null && checked.schema !== null && !isKept(checked)) {
      const { codec, schema, changes } = checked;
      const madeOf = codec === null || codec.madeOf === 'unreadable' ? null : codec.madeOf;
      const sources = [...new Map(siblings.map(({ recipe: { id, source } }) => [id, source])).values()];
      await rewrite(file, { schema, madeOf, changes, sources });
      checked = await this.#check(file, siblings);
    }
    this.#byUnit.set(unit, checked);
    // What it left behind must not reach the next.
    await slot?.close();
    return checked;
  }

  async #check(file: string, siblings: readonly Gathered[]): Promise<CheckedCodec> {
    const codec = await this.#files.load(file);
    const proofs = new Map<Gathered, Proof>();
    const made = await this.#schema(siblings, codec);
    for (const one of codec === null ? [] : siblings) {
      if (this.#terms.signal?.aborted) break;
      const proof = await proveTry(
        codec!.tried,
        { recipe: one.recipe, slot: one.slot!, channel: one.run.channel },
        this.#terms.timeoutMs,
      );
      proofs.set(one, proof);
    }
    const { madeOf = null } = codec ?? {};
    const isCompared = made.schema !== null && madeOf !== null && madeOf !== 'unreadable';
    const changes = isCompared ? schemaChanges(madeOf.schema, made.schema!) : [];
    return { codec, ...made, changes, proofs };
  }

  /** Not asked for where nothing is compared with it. */
  async #schema(
    siblings: readonly Gathered[],
    codec: LoadedCodec | null,
  ): Promise<Pick<CheckedCodec, 'schema' | 'unknown'>> {
    if (codec !== null && codec.madeOf === null && this.#files.rewrite === null)
      return { schema: null, unknown: null };
    const samples = samplesIn(siblings.map(({ recipe }) => recipe));
    try {
      const made = await schemaOfSamples(samples, siblings[0]!.slot!, this.#terms.timeoutMs);
      const none = whyNone(made, samples);
      return none === null
        ? { schema: made.schema, unknown: null }
        : { schema: null, unknown: `no codec can be made: ${none.why}` };
    } catch (error) {
      return { schema: null, unknown: runError(error).message };
    }
  }
}

const isKept = ({ codec, changes, proofs }: CheckedCodec): boolean =>
  codec !== null &&
  codec.madeOf !== 'unreadable' &&
  changes.length === 0 &&
  [...proofs.values()].every(({ equality, misses = [] }) => equality === 'equal' && misses.length === 0);

/** What is about the whole entry is told with the first of its payloads. */
function checksOf(checked: CheckedCodec, one: Gathered, isFirst: boolean): LimitCheck[] {
  const proof = checked.proofs.get(one);
  const checks = [
    ...(isFirst ? schemaChecks(checked) : []),
    ...(proof === undefined ? [] : proofChecks(proof, checked.changes.length > 0)),
  ];
  return checks.length > 0 ? checks : [{ outcome: 'passed', actual: 0, path: null }];
}

const UNREADABLE = 'its line "// schema:" cannot be read: clone-prof check --fix-codec writes it anew';

function schemaChecks({ codec, unknown, changes }: CheckedCodec): LimitCheck[] {
  if (unknown !== null) return [unmeasured(unknown)];
  if (codec?.madeOf === 'unreadable') return [unmeasured(UNREADABLE)];
  const more = changes.length - MAX_CHANGES;
  const shown = changes.slice(0, MAX_CHANGES);
  const rest = more > 0 ? [{ path: '$', what: `differs at ${more} more places` }] : [];
  return [...shown, ...rest].map(({ path, what }) => misfit(path, what, changes.length));
}

/** What changed explains why something does not fit. */
function proofChecks(
  { remedy, equality, losses, reason, misses = [] }: Proof,
  isExplained: boolean,
): LimitCheck[] {
  const [first] = losses;
  if (first !== undefined) return [misfit(first.path, `arrives otherwise: ${first.what}`, losses.length)];
  if (equality !== 'equal') return [misfit(null, (reason ?? equality).replace(`${remedy}: `, ''), null)];
  return isExplained ? [] : misses.map((path) => misfit(path, 'does not fit', misses.length));
}

const misfit = (path: string | null, reason: string, actual: number | null): LimitCheck => ({
  outcome: 'failed',
  actual,
  path,
  reason,
});
