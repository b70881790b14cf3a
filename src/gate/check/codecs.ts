/** Rewrites must give back an equal payload. A codec must fit all payloads of its entry too, and have their schema. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { runError } from '../../app/job/job.ts';
import { samplesIn } from '../../app/job/payloads.ts';
import { proveTry } from '../../app/job/prove.ts';
import { loadTries } from '../../app/sources/tries.ts';
import { codecSchemaOf } from '../../app/store/documents.ts';
import type { Work } from '../../app/world/services.ts';
import { emitFileOf } from '../../codec/files/codec-names.ts';
import { codecTerms } from '../../codec/make/codec.ts';
import { schemaJson } from '../../codec/module/module.ts';
import { type SchemaChange, schemaChanges } from '../../codec/schema/places.ts';
import { textOf } from '../../machine/given-file.ts';
import type { Limit } from '../../model/documents/baseline.ts';
import type { LimitResult } from '../../model/documents/check.ts';
import type { CodecSchema, PayloadSchema } from '../../model/documents/payload-schema.ts';
import { ToolError } from '../../model/errors.ts';
import type { Recipe } from '../../model/report/recipe.ts';
import type { TriedRewrite } from '../../model/rules/remedy.ts';
import type { Proof } from '../../model/wire/wire.ts';
import { failureOf, type LimitCheck, NONE, resultOf, unmeasured } from '../compare/limits.ts';
import { entriesOf, type Gate } from './gate-request.ts';
import type { GateJob } from './sides.ts';

type Tries = ReadonlyMap<string, readonly TriedRewrite[]>;

export async function triesOf({ units, cwd, timeoutMs, signal }: Gate, { workdir }: Work): Promise<Tries> {
  const words = [...new Set(units.flatMap(({ entry }) => entry.remedies))];
  const load = (word: string) => loadTries([word], { workdir, cwd, timeoutMs, signal });
  return new Map(await Promise.all(words.map(async (word) => [word, await load(word)] as const)));
}

export interface RewrittenCodec {
  schema: PayloadSchema;
  madeOf: CodecSchema | null;
  changes: readonly SchemaChange[];
  sources: readonly Recipe['source'][];
}

/** Opens the file of a codec, before anything is checked. Returns a function that writes it again, and says why. */
export type CodecWriter = (
  path: string,
  folder: string,
  type: string | undefined,
) => (made: RewrittenCodec) => Promise<void>;

const MOST_BYTES = 64 * 2 ** 20;

/** Codecs by the file that an entry names. */
type Codecs = ReadonlyMap<string, CodecFile>;
type CodecFile = ReturnType<typeof codecFile>;

/** @param writer given with --fix-codec @throws ToolError if a codec is missing, before anything is checked */
export const codecsOf = (gate: Gate, writer: CodecWriter | null, work: Work): Codecs =>
  new Map(
    entriesOf(gate.units).flatMap(({ codec: file, type }): [string, CodecFile][] => {
      if (file === undefined) return [];
      const { folder, file: config } = gate.config;
      emitFileOf(file, `${config ?? 'the config'}: codec`);
      const path = resolve(folder, file);
      if (!writer && !existsSync(path)) throw new ToolError('codec-missing', { file });
      return [[file, codecFile(file, path, writer?.(path, folder, type) ?? null, gate, work)]];
    }),
  );

const codecFile = (
  name: string,
  path: string,
  rewrite: ReturnType<CodecWriter> | null,
  { config, timeoutMs, signal }: Gate,
  { workdir }: Work,
) => ({
  rewrite,
  /** The codec, and the schema in its last line; null if it does not exist yet. */
  async load() {
    if (!existsSync(path)) return null;
    const waiting = { timeoutMs, signal };
    const [tried] = await loadTries([path], { workdir, cwd: config.folder, ...waiting });
    const json = schemaJson(await textOf(path, MOST_BYTES, waiting));
    // Null for a codec that was not compiled; 'unreadable' if the line was edited.
    const madeOf = json === null ? null : (codecSchemaOf(json) ?? ('unreadable' as const));
    return { tried: { ...tried!, name, isCodec: true as const }, madeOf };
  },
});

type CheckedCodec = Awaited<ReturnType<typeof checkCodec>>;

const EQUAL: Limit = { level: 'error', value: true, text: 'equal' };

export async function remedyResults(one: GateJob, tries: Tries): Promise<LimitResult[]> {
  const { entry, run, slot } = one;
  const failure = failureOf(run);
  const results: LimitResult[] = [];
  for (const tried of entry.remedies.flatMap((word) => tries.get(word) ?? [])) {
    if (slot.isStopped) break;
    const [check = NONE] =
      failure === null ? misfitsOf(await proveTry(one, tried), entry.gain) : [unmeasured(failure)];
    const isNamed = check.path !== null || check.outcome !== 'failed';
    const reason = isNamed ? {} : { reason: `${tried.name}: ${check.reason}` };
    results.push(resultOf(entry, run, 'remedies', EQUAL, { ...check, ...reason, rule: tried.name }));
    // State that a rewrite leaves in the guest must not reach the next rewrite.
    await slot.close();
  }
  return results;
}

/** @param payloads all payloads of one entry on one runtime over one channel: they share its codec */
export async function codecResults(
  payloads: readonly GateJob[],
  codecs: Codecs,
): Promise<Map<GateJob, LimitResult[]>> {
  const { entry, slot } = payloads[0]!;
  const file = codecs.get(entry.codec ?? '');
  if (file === undefined) return new Map();
  const limit: Limit = { level: 'error', value: true, text: entry.codec ?? '' };
  const failure = payloads.map(({ run }) => failureOf(run)).find((reason) => reason !== null);
  const checked = failure === undefined ? await fittingCodec(file, payloads) : null;
  // State that the codec leaves in the guest must not reach the next payloads.
  await slot.close();
  return new Map(
    payloads.map((one, index) => {
      const checks = checked ? codecChecks(checked, one, index === 0) : [unmeasured(failure ?? '')];
      return [one, checks.map((check) => resultOf(one.entry, one.run, 'codec', limit, check))];
    }),
  );
}

/** Checks a codec. If it does not fit, --fix-codec writes it again, and it is checked again. */
async function fittingCodec(file: CodecFile, payloads: readonly GateJob[]): Promise<CheckedCodec> {
  const checked = await checkCodec(file, payloads);
  const { codec, schema, changes } = checked;
  const fits = payloads.every((one, at) => codecChecks(checked, one, at === 0).every(isFit));
  if (file.rewrite === null || schema === null || (codec !== null && fits)) return checked;
  const madeOf = codec === null || codec.madeOf === 'unreadable' ? null : codec.madeOf;
  const sources = [...new Map(payloads.map(({ recipe: { id, source } }) => [id, source])).values()];
  await file.rewrite({ schema, madeOf, changes, sources });
  return checkCodec(file, payloads);
}

const isFit = ({ outcome, reason }: LimitCheck) => outcome === 'passed' || reason === PLAIN;

async function checkCodec(file: CodecFile, payloads: readonly GateJob[]) {
  const codec = await file.load();
  const madeOf = codec?.madeOf ?? null;
  // The guest makes a schema only if it is compared or written.
  const isAsked = codec === null || madeOf !== null || file.rewrite !== null;
  const { schema, unknown } = isAsked ? await schemaOf(payloads) : { schema: null, unknown: null };
  const proofs = new Map<GateJob, Proof>();
  for (const one of codec === null ? [] : payloads) {
    if (one.slot.isStopped) break;
    proofs.set(one, await proveTry(one, codec!.tried));
  }
  const isCompared = schema !== null && madeOf !== null && madeOf !== 'unreadable';
  const changes = isCompared ? schemaChanges(madeOf.schema, schema) : [];
  return { codec, schema, unknown, changes, proofs };
}

/** The schema, or the reason why it could not be made. */
async function schemaOf(payloads: readonly GateJob[]) {
  const samples = samplesIn(payloads.map(({ recipe }) => recipe));
  try {
    const made = await payloads[0]!.slot.ask({ type: 'schema', recipes: samples });
    const { schema, none } = codecTerms(made, samples);
    return { schema, unknown: none && `no codec can be made: ${none.why}` };
  } catch (error) {
    return { schema: null, unknown: runError(error).message };
  }
}

const PLAIN = 'it posts the payload as it is';

const misfit = (path: string | null, reason: string, actual: number | null = null) =>
  ({ outcome: 'failed', actual, path, reason }) satisfies LimitCheck;

/** Why a rewrite or a codec is of no use to a payload; empty if it gives it back equal. */
function misfitsOf(
  { remedy, equality, losses, reason, isPlain }: Proof,
  gain: 'any' | undefined,
): LimitCheck[] {
  const [first] = losses;
  if (first !== undefined) return [misfit(first.path, `arrives otherwise: ${first.what}`, losses.length)];
  if (equality !== 'equal') return [misfit(null, (reason ?? equality).replace(`${remedy}: `, ''))];
  return isPlain && gain === undefined ? [misfit(null, PLAIN)] : [];
}

const UNREADABLE = 'its line "// schema:" cannot be read: npx clone-prof check --fix-codec writes it anew';
const MAX_CHANGES = 20;

/** Checks that concern the whole entry are reported with its first payload. */
function codecChecks({ codec, unknown, changes, proofs }: CheckedCodec, one: GateJob, isFirst: boolean) {
  const proof = proofs.get(one);
  const misfits = proof ? misfitsOf(proof, one.entry.gain) : [];
  const { misses = [] } = proof ?? {};
  const reason = unknown ?? (codec?.madeOf === 'unreadable' ? UNREADABLE : null);
  const checks = [
    ...(isFirst && reason !== null ? [unmeasured(reason)] : []),
    ...(isFirst ? changes : [])
      .slice(0, MAX_CHANGES)
      .map(({ path, what }) => misfit(path, what, changes.length)),
    ...misfits,
    // Changes of the schema explain the misses.
    ...(misfits.length + changes.length > 0 ? [] : misses).map((path) =>
      misfit(path, 'does not fit', misses.length),
    ),
  ];
  return checks.length > 0 ? checks : [NONE];
}
