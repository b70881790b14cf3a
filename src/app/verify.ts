import { classify } from '../core/classify/classify.ts';
import { isSurprisingRefusal, withConfirmation } from '../core/classify/confirm.ts';
import { lossErrors, toldLosses } from '../core/classify/losses.ts';
import type { PostContext } from '../core/classify/match.ts';
import { inRange } from '../core/versions.ts';
import { ENGINES, STANDARD } from '../engines/index.ts';
import { VERIFY_SCHEMA } from '../model/document-ids.ts';
import type { Shape } from '../model/documents/shape.ts';
import { type EngineName, isIpc, PROCESS_RUNTIMES } from '../model/names.ts';
import type { Recipe } from '../model/report/recipe.ts';
import type { Seen, Specimen, SpecimenPair, VerifyReport, VerifyResult } from '../model/report/verify.ts';
import type { Classification, Engine, Rule, RuleBook, Versions } from '../model/rules/rule.ts';
import type { FoundRuntime } from '../model/run/runtime.ts';
import { GuestSlot } from './guest-slot.ts';
import { runError } from './payloads.ts';
import type { GuestTerms, Tools } from './tools.ts';

export interface VerifyRequest extends GuestTerms {
  specimens: readonly SpecimenPair[];
  runtimes: readonly FoundRuntime[];
  /** The rule books to verify; default: the project's own. A test plants a wrong row. */
  books?: Books;
}

/**
 * Builds each rule's value and its near miss in each runtime, posts both, and compares with the rule book. In a runtime
 * that the rule is not about it need not fire, but the engine must not contradict the verdict there either.
 */
export async function verify(
  request: VerifyRequest,
  tools: Pick<Tools, 'driver' | 'emit'>,
): Promise<VerifyReport> {
  const results: VerifyResult[] = [];
  for (const runtime of request.runtimes) {
    if (request.signal?.aborted) break;
    results.push(...(await verifyOn(runtime, request, tools)));
  }
  return { schema: VERIFY_SCHEMA, holds: results.every(({ holds }) => holds !== false), results };
}

async function verifyOn(
  runtime: FoundRuntime,
  request: VerifyRequest,
  tools: Pick<Tools, 'driver' | 'emit'>,
): Promise<VerifyResult[]> {
  const slot = new GuestSlot(tools.driver, runtime, request);
  const results: VerifyResult[] = [];
  // A page has no other process.
  const isPage = !PROCESS_RUNTIMES.some((name) => name === runtime.name);
  const specimens = request.specimens.filter(({ channel }) => !isPage || !isIpc(channel));
  try {
    for (const [done, pair] of specimens.entries()) {
      if (request.signal?.aborted) break;
      const step = { payload: specimenName(pair), runtime: runtime.spec, channel: pair.channel } as const;
      tools.emit({ type: 'step', ...step, step: 'describe', done, of: specimens.length });
      results.push(await verifyPair(pair, slot, request));
    }
  } finally {
    await slot.close();
  }
  return results;
}

export const specimenName = ({ book, of, channel, isAlso }: SpecimenPair): string =>
  ('rule' in of ? of.rule : `${book}: ${of.path}`) + (isAlso ? ` over ${channel}` : '');

const booksOf = (request: VerifyRequest) => request.books ?? { engines: ENGINES, spec: STANDARD };

/** Does the row of this specimen apply to this runtime? */
function applies(pair: SpecimenPair, runtime: FoundRuntime, request: VerifyRequest): boolean {
  if (pair.book !== 'spec' && pair.book !== runtime.engine) return false;
  const versions = pair.runtimes ?? rowVersions(pair, request);
  const range = versions?.[runtime.name];
  return versions === undefined || (range !== undefined && inRange(runtime.version, range));
}

function rowVersions(pair: SpecimenPair, request: VerifyRequest): Versions | undefined {
  const { book, of } = pair;
  if ('rule' in of || book === 'spec') return ruleOf(pair, request)?.scope?.runtimes;
  return booksOf(request).engines[book].paths.find(({ path }) => path === of.path)?.scope?.runtimes;
}

function ruleOf({ book, of }: SpecimenPair, request: VerifyRequest): Rule | undefined {
  const { engines, spec } = booksOf(request);
  const { rules } = book === 'spec' ? spec : engines[book];
  return 'rule' in of ? rules.find(({ id }) => id === of.rule) : undefined;
}

async function verifyPair(
  pair: SpecimenPair,
  slot: GuestSlot,
  request: VerifyRequest,
): Promise<VerifyResult> {
  const inScope = applies(pair, slot.runtime, request);
  const fires = await classifySpecimen(pair.fires, pair, slot, request, inScope);
  const nearMiss = await classifySpecimen(pair.nearMiss, pair, slot, request, inScope);
  const why = [
    inScope && fires.fired === false ? 'it does not fire on its own specimen' : '',
    inScope && nearMiss.fired ? 'it fires on the near miss too' : '',
    fires.confirmed === false ? 'the engine did something else with the specimen' : '',
    nearMiss.confirmed === false ? 'the engine did something else with the near miss' : '',
    fires.losses,
    nearMiss.losses,
  ]
    .filter((reason) => reason !== '')
    .join('; ');
  const asked = fires.confirmed !== null || nearMiss.confirmed !== null;
  return {
    runtime: slot.runtime.spec,
    engine: slot.runtime.engine,
    rule: specimenName(pair),
    inScope,
    holds: why === '' ? (asked ? true : null) : false,
    fires,
    nearMiss,
    why,
  };
}

/** Codes of payloads that could not be built. */
const NOT_BUILT: ReadonlySet<string> = new Set(['factory-threw', 'module-threw', 'module-unsupported']);

/** A specimen that crashes or hangs its guest is a rule that does not hold, never the end of the run. */
async function classifySpecimen(
  { recipe, transferring }: Specimen,
  pair: SpecimenPair,
  slot: GuestSlot,
  request: VerifyRequest,
  inScope: boolean,
): Promise<Seen> {
  try {
    const described = await slot.ask(
      {
        type: 'describe',
        recipe,
        channel: pair.channel,
        confirm: !transferring && !isIpc(pair.channel),
      },
      { file: recipe.source.file, deadlineMs: request.timeoutMs },
    );
    const books = booksOf(request);
    const where = { runtime: slot.runtime, channel: pair.channel, transferring };
    const plain = classify(described.shape, books.engines[slot.runtime.engine], books.spec, where);
    const { confirmation } = described;
    const { verdict, findings } = withConfirmation(plain, confirmation);
    const surprising = confirmation !== null && isSurprisingRefusal(plain, confirmation);
    const compared = ruleOf(pair, request)?.loses && !transferring;
    const terms = { books, where, deadlineMs: request.timeoutMs };
    return {
      predicted: verdict.path,
      bytes:
        described.shape.patterns.find(({ depth, kind }) => depth === 0 && kind === 'string')?.bytes?.total ??
        null,
      fired: hasFired(pair, { verdict, findings }),
      // Where a specimen names its runtimes, others may not be able to see what it is made of: a Proxy in Firefox.
      confirmed: surprising ? (inScope || pair.runtimes === undefined ? false : null) : verdict.confirmed,
      losses: compared ? await lossComplaint(slot, recipe, described.shape, terms) : '',
      evidence: described.confirmation?.evidence ?? '',
    };
  } catch (error) {
    const { code, message } = runError(error);
    // Elsewhere a runtime may lack what the specimen is made of.
    const confirmed = inScope || !NOT_BUILT.has(code) ? false : null;
    return { predicted: null, bytes: null, fired: false, confirmed, losses: '', evidence: message };
  }
}

function hasFired({ of }: SpecimenPair, { verdict, findings }: Classification): boolean | null {
  if ('path' in of) return verdict.path === of.path;
  if (findings.some(({ rule }) => rule === of.rule)) return true;
  return verdict.unknowns.some(({ otherwise }) => otherwise?.rule === of.rule) ? null : false;
}

export interface Books {
  engines: Readonly<Record<EngineName, Engine>>;
  spec: RuleBook;
}

/** How the losses that the rules tell differ from those of a real post, in words; "" when they do not. */
export async function lossComplaint(
  slot: GuestSlot,
  recipe: Recipe,
  shape: Shape,
  { books, where, deadlineMs }: { books: Books; where: PostContext; deadlineMs: number },
): Promise<string> {
  const options = { file: recipe.source.file, deadlineMs };
  const { losses } = await slot.ask({ type: 'losses', recipe, channel: where.channel }, options);
  if (losses === null) return '';
  const told = toldLosses(shape, books.engines[slot.runtime.engine], books.spec, where);
  const errors = lossErrors(told, losses);
  return [
    ...errors.false.map(({ rule, example }) => `${rule} tells a loss at ${example} that does not happen`),
    ...errors.untold.map(({ path, what }) => `no rule tells the loss at ${path}: ${what}`),
  ].join('; ');
}
