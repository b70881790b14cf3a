/**
 * Rewrites and codecs that the config names. Each rewrite gives back an equal payload: proven, not timed, which is the same
 * on each machine. Each codec fits all payloads of its entry, gives them back equal, and is made of their schema.
 */
import { type LimitCheck, resultOf, unmeasured } from '../../core/gate/limit-check.ts';
import { type SchemaChange, schemaChanges } from '../../core/payload-schema/changes.ts';
import type { LimitResult } from '../../model/documents/check.ts';
import type { PayloadSchema } from '../../model/documents/payload-schema.ts';
import type { Limit } from '../../model/gate/limits.ts';
import type { Proof } from '../../model/wire/wire.ts';
import { runError, samplesIn } from '../job/payloads.ts';
import { proveTry } from '../job/prove.ts';
import { schemaOfSamples, whyNone } from '../schema-codec.ts';
import type { GateJob, Guests } from './gather.ts';
import type { CheckRequest, CheckUnit, CodecFile, LoadedCodec } from './request.ts';

/** What is known of the codec of one entry on one runtime. */
interface CheckedCodec {
  codec: LoadedCodec | null;
  schema: PayloadSchema | null;
  /** Why there is no schema. */
  unknown: string | null;
  changes: SchemaChange[];
  proofs: Map<GateJob, Proof>;
}

const EQUAL: Limit = { level: 'error', value: true, text: 'equal' };

export class RewriteChecks {
  readonly #request: CheckRequest;
  readonly #byUnit = new Map<CheckUnit, CheckedCodec>();

  constructor({ request }: Guests<CheckRequest>) {
    this.#request = request;
  }

  /** @param all payloads, from which those of the same entry are taken. @throws ToolError of a codec that is not there */
  async results(one: GateJob, all: readonly GateJob[]): Promise<LimitResult[]> {
    return [...(await this.#remedyResults(one)), ...(await this.#codecResults(one, all))];
  }

  async #remedyResults(one: GateJob): Promise<LimitResult[]> {
    const { entry, run, slot } = one;
    const { tries } = this.#request;
    const failure = failureOf(one);
    const results: LimitResult[] = [];
    for (const tried of entry.remedies.flatMap((word) => tries.get(word) ?? [])) {
      if (slot.isStopped) break;
      const check =
        failure === null
          ? remedyCheck(await proveTry(one, tried))
          : { ...unmeasured(failure), rule: tried.name };
      results.push(resultOf(entry, run, 'remedies', EQUAL, check));
      // What it left behind must not reach the next.
      await slot.close();
    }
    return results;
  }

  async #codecResults(one: GateJob, all: readonly GateJob[]): Promise<LimitResult[]> {
    const { entry, run } = one;
    const { codec: file } = entry;
    const codec = file === undefined ? undefined : this.#request.codecs.get(file);
    if (file === undefined || codec === undefined) return [];
    const siblings = all.filter(({ unit }) => unit === one.unit);
    const limit: Limit = { level: 'error', value: true, text: file };
    const failure = siblings.map(failureOf).find((reason) => reason !== null);
    const checks =
      failure === undefined
        ? codecChecks(await this.#checkedCodec(codec, siblings), one, one === siblings[0])
        : [unmeasured(failure)];
    return checks.map((check) => resultOf(entry, run, 'codec', limit, check));
  }

  async #checkedCodec(file: CodecFile, siblings: readonly GateJob[]): Promise<CheckedCodec> {
    const { unit, slot } = siblings[0]!;
    const known = this.#byUnit.get(unit);
    if (known) return known;
    let checked = await checkCodec(file, siblings);
    const { codec, schema, changes } = checked;
    if (file.rewrite !== null && schema !== null && !isKept(checked)) {
      const madeOf = codec === null || codec.madeOf === 'unreadable' ? null : codec.madeOf;
      const sources = [...new Map(siblings.map(({ recipe: { id, source } }) => [id, source])).values()];
      await file.rewrite({ schema, madeOf, changes, sources });
      checked = await checkCodec(file, siblings);
    }
    this.#byUnit.set(unit, checked);
    // What it left behind must not reach the next.
    await slot.close();
    return checked;
  }
}

async function checkCodec(file: CodecFile, siblings: readonly GateJob[]): Promise<CheckedCodec> {
  const codec = await file.load();
  const madeOf = codec?.madeOf ?? null;
  // The guest is not asked for a schema that nothing is compared with.
  const isAsked = codec === null || madeOf !== null || file.rewrite !== null;
  const { schema, unknown } = isAsked ? await schemaOf(siblings) : { schema: null, unknown: null };
  const proofs = new Map<GateJob, Proof>();
  for (const one of codec === null ? [] : siblings) {
    if (one.slot.isStopped) break;
    proofs.set(one, await proveTry(one, codec!.tried));
  }
  const isCompared = schema !== null && madeOf !== null && madeOf !== 'unreadable';
  const changes = isCompared ? schemaChanges(madeOf.schema, schema) : [];
  return { codec, schema, unknown, changes, proofs };
}

async function schemaOf(siblings: readonly GateJob[]): Promise<Pick<CheckedCodec, 'schema' | 'unknown'>> {
  const samples = samplesIn(siblings.map(({ recipe }) => recipe));
  try {
    const made = await schemaOfSamples(samples, siblings[0]!.slot);
    const none = whyNone(made, samples);
    return none === null
      ? { schema: made.schema, unknown: null }
      : { schema: null, unknown: `no codec can be made: ${none.why}` };
  } catch (error) {
    return { schema: null, unknown: runError(error).message };
  }
}

/** Why nothing can be proven of a payload; null if something can. */
const failureOf = ({ run }: GateJob): string | null =>
  run.status === 'failed' ? (run.error?.message ?? 'the run failed') : null;

function remedyCheck({ remedy: rule, equality, losses, reason }: Proof): LimitCheck {
  if (equality === 'equal') return { outcome: 'passed', actual: 0, path: null, rule };
  const [first] = losses;
  const actual = first ? losses.length : null;
  const why = first?.what ?? reason ?? equality;
  return { outcome: 'failed', actual, path: first?.path ?? '$', rule, reason: why };
}

const isKept = ({ codec, changes, proofs }: CheckedCodec): boolean =>
  codec !== null &&
  codec.madeOf !== 'unreadable' &&
  changes.length === 0 &&
  [...proofs.values()].every(({ equality, misses = [] }) => equality === 'equal' && misses.length === 0);

/** What is about the whole entry is told with the first of its payloads. */
function codecChecks(checked: CheckedCodec, one: GateJob, isFirst: boolean): LimitCheck[] {
  const proof = checked.proofs.get(one);
  const checks = [
    ...(isFirst ? schemaChecks(checked) : []),
    ...(proof === undefined ? [] : proofChecks(proof, checked.changes.length > 0)),
  ];
  return checks.length > 0 ? checks : [{ outcome: 'passed', actual: 0, path: null }];
}

const UNREADABLE = 'its line "// schema:" cannot be read: clone-prof check --fix-codec writes it anew';
/** Further ones are counted. */
const MAX_CHANGES = 20;

function schemaChecks({ codec, unknown, changes }: CheckedCodec): LimitCheck[] {
  if (unknown !== null) return [unmeasured(unknown)];
  if (codec?.madeOf === 'unreadable') return [unmeasured(UNREADABLE)];
  const more = changes.length - MAX_CHANGES;
  const rest = more > 0 ? [{ path: '$', what: `differs at ${more} more places` }] : [];
  return [...changes.slice(0, MAX_CHANGES), ...rest].map(({ path, what }) =>
    misfit(path, what, changes.length),
  );
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

const misfit = (path: string | null, reason: string, actual: number | null) =>
  ({ outcome: 'failed', actual, path, reason }) satisfies LimitCheck;
