import { classify } from '../engines/classify/classify.ts';
import { isInForce, type PostContext, postOutcomes } from '../engines/classify/match.ts';
import {
  isSurprisingRefusal,
  lossErrors,
  toldLosses,
  UNTOLD,
  withConfirmation,
} from '../engines/classify/observed.ts';
import { ENGINES, PLATFORM_POSTS } from '../engines/index.ts';
import { inRange } from '../engines/versions/versions.ts';
import { channelRow, channelsOf, IPC_CHANNELS, mayHave, VERIFY_SCHEMA } from '../model/names.ts';
import type { Recipe } from '../model/report/recipe.ts';
import type { ObjectResult, Seen, SpecimenPair, VerifyReport, VerifyResult } from '../model/report/verify.ts';
import {
  type Classification,
  type Engine,
  type PathRow,
  POST_OUTCOMES,
  type PostOutcome,
  type Rule,
} from '../model/rules/rule.ts';
import type { FoundRuntime, Interruption } from '../model/run/runtime.ts';
import { PLATFORM_CLASSES, type PlatformClassName } from '../model/vocabulary/platform-classes.ts';
import type { LossesFound, RealLoss } from '../model/wire/wire.ts';
import { GuestSlot } from './job/guest-slot.ts';
import { type GuestTerms, runError, type Tools } from './job/job.ts';

type Engines = typeof ENGINES;

interface VerifyRequest extends GuestTerms {
  specimens: readonly SpecimenPair[];
  runtimes: readonly FoundRuntime[];
  /** Module with a factory for each class of the platform; absent: no objects of these classes are posted. */
  objects?: string;
  /** Expected outcomes for these objects; default: the project's own table. Tests pass a table with a wrong row. */
  table?: typeof PLATFORM_POSTS;
  /** The rules to verify; default: the project's own. Tests pass a book with a wrong row. */
  engines?: Engines;
}

interface Trial {
  pair: SpecimenPair;
  slot: GuestSlot;
  engines: Engines;
  /** True if the row of these specimens applies to the runtime. */
  inScope: boolean;
}

/**
 * Builds each rule's value and its near miss in each runtime, posts both, and compares the results with the rule book.
 * A rule need not fire in a runtime that it is not about, but the engine must not contradict the verdict there either.
 */
export async function verify(
  request: VerifyRequest,
  tools: Pick<Tools, 'driver' | 'emit'>,
): Promise<VerifyReport> {
  const { signal, table = PLATFORM_POSTS, engines = ENGINES } = request;
  const results: VerifyResult[] = [];
  const objects: ObjectResult[] = [];
  for (const runtime of request.runtimes) {
    const slot = new GuestSlot(tools, runtime, request);
    const specimens = request.specimens.flatMap((pair) => on(runtime, pair));
    try {
      for (const [done, pair] of specimens.entries()) {
        if (signal?.aborted) break;
        const step = { payload: specimenName(pair), runtime: runtime.spec, channel: pair.channel } as const;
        tools.emit({ type: 'step', ...step, step: 'describe', done, of: specimens.length });
        const inScope = applies(pair, runtime, engines);
        results.push(await verifyPair({ pair, slot, engines, inScope }));
      }
      if (request.objects !== undefined)
        objects.push(...(await verifyObjects({ slot, file: request.objects, table }, signal)));
    } finally {
      await slot.close();
    }
  }
  const all = [...results, ...objects];
  return { schema: VERIFY_SCHEMA, holds: all.every(({ holds }) => holds !== false), results, objects };
}

/** The specimens over their channel. A runtime without workers gets them over each of its other channels. */
function on({ name }: FoundRuntime, pair: SpecimenPair): SpecimenPair[] {
  if (mayHave(name, pair.channel)) return [pair];
  if (pair.channel !== 'worker') return [];
  const others = channelsOf(name);
  return others.map((channel) => ({ ...pair, channel, isAlso: true, isElsewhere: true }));
}

const specimenName = ({ book, of, channel, isAlso }: SpecimenPair): string =>
  ('rule' in of ? of.rule : `${book}: ${of.path}`) + (isAlso ? ` over ${channel}` : '');

/** A specimen without a list of its runtimes is for all runtimes of the rows. */
function isFor({ runtimes }: SpecimenPair, { name, version }: FoundRuntime): boolean {
  if (runtimes === undefined) return true;
  const range = runtimes[name];
  return range !== undefined && inRange(version, range);
}

function applies(pair: SpecimenPair, runtime: FoundRuntime, engines: Engines): boolean {
  const { book, channel, isElsewhere = false, fires } = pair;
  if (isElsewhere && channelRow(channel).ownSteps) return false;
  if (book !== 'spec' && book !== runtime.engine) return false;
  if (!isFor(pair, runtime)) return false;
  const [first, ...further] = rowsOf(pair, engines, runtime.engine).map(({ scope }) => scope);
  // The specimen is a value of the first row: if it does not hold over the channel, the row is wrong.
  const scopes = [isElsewhere ? first : { ...first, channels: [channel] }, ...further];
  const context = { runtime, channel, transferring: fires.transferring };
  return scopes.some((scope) => isInForce(scope, context));
}

function rowsOf({ book, of }: SpecimenPair, engines: Engines, running: FoundRuntime['engine']) {
  const { rules, paths } = engines[book === 'spec' ? running : book];
  return 'rule' in of
    ? rules.filter(({ id }) => id === of.rule)
    : paths.filter(({ path }) => path === of.path);
}

const saysLoss = (row: Rule | PathRow): boolean => 'loses' in row && row.loses !== undefined;

async function verifyPair(trial: Trial): Promise<VerifyResult> {
  const { pair, slot, inScope } = trial;
  const fires = await classifySpecimen(pair.fires, trial);
  const nearMiss = await classifySpecimen(pair.nearMiss, trial);
  const complaints = [
    inScope && fires.fired === false ? 'it does not fire on its own specimen' : '',
    inScope && nearMiss.fired ? 'it fires on the near miss too' : '',
    fires.confirmed === false ? 'the engine did something else with the specimen' : '',
    nearMiss.confirmed === false ? 'the engine did something else with the near miss' : '',
    fires.losses,
    nearMiss.losses,
  ];
  const why = complaints.filter((reason) => reason !== '').join('; ');
  const asked = fires.confirmed !== null || nearMiss.confirmed !== null;
  const { spec: runtime, engine } = slot.runtime;
  const holds = why === '' ? (asked ? true : null) : false;
  return { runtime, engine, rule: specimenName(pair), inScope, holds, fires, nearMiss, why };
}

/**
 * An answer that contradicts the rules is requested once more: the oracle posts a specimen of its own, and Electron 33 stores
 * the first DOMException of a process in a different way than all later ones. A wrong rule is contradicted again.
 */
async function confirmedSpecimen(slot: GuestSlot, recipe: Recipe, engine: Engine, where: PostContext) {
  const { channel } = where;
  const confirm = !IPC_CHANNELS.includes(channel);
  const asked = async () => {
    const { shape, confirmation } = await slot.ask({ type: 'describe', recipe, channel, confirm });
    const plain = classify(shape, engine, where);
    return { shape, confirmation, plain, told: withConfirmation(plain, confirmation) };
  };
  const first = await asked();
  return first.told.verdict.confirmed === false ? asked() : first;
}

const NOT_BUILT: ReadonlySet<string> = new Set(['factory-threw', 'module-threw']);

/** If a specimen crashes or hangs its guest, its rule does not hold. The verification continues. */
async function classifySpecimen(
  { recipe, transferring }: SpecimenPair['fires'],
  { pair, slot, engines, inScope }: Trial,
): Promise<Seen> {
  const { channel } = pair;
  try {
    const where = { runtime: slot.runtime, channel, transferring };
    const engine = engines[slot.runtime.engine];
    const { shape, confirmation, plain, told } = await confirmedSpecimen(slot, recipe, engine, where);
    const { verdict, findings } = told;
    // A fault of the transfer list does not show in any fact of the value.
    const isOfList = confirmation?.listed !== undefined;
    const surprising = confirmation !== null && !isOfList && isSurprisingRefusal(plain, confirmation);
    const isCompared = rowsOf(pair, engines, engine.name).some(saysLoss) && !transferring;
    const { losses } = isCompared ? await slot.ask({ type: 'losses', recipe, channel }) : { losses: null };
    const errors = losses && lossErrors(toldLosses(shape, engine, where), losses);
    const isSeen = 'rule' in pair.of && pair.of.rule === UNTOLD && (errors?.untold.length ?? 0) > 0;
    const text = shape.patterns.find(({ depth, kind }) => depth === 0 && kind === 'string');
    return {
      predicted: verdict.path,
      bytes: text?.bytes?.total ?? null,
      fired: isSeen || hasFired(pair, { verdict, findings }),
      // A specimen with a list of runtimes may be invisible to others: Firefox cannot see that a value is a Proxy.
      confirmed: surprising ? (isFor(pair, slot.runtime) ? false : null) : verdict.confirmed,
      losses: errors === null || isSeen ? '' : differences(errors),
      evidence: confirmation?.evidence ?? '',
    };
  } catch (error) {
    const { code, message } = runError(error);
    // Some browsers of a family lack extensions. A runtime out of scope may lack the class that the specimen needs.
    const isUnsupported = code === 'module-unsupported' || code === 'channel-unsupported';
    const confirmed = !isUnsupported && (inScope || !NOT_BUILT.has(code)) ? false : null;
    const fired = isUnsupported ? null : false;
    return { predicted: null, bytes: null, fired, confirmed, losses: '', evidence: message };
  }
}

function hasFired({ of }: SpecimenPair, { verdict, findings }: Classification): boolean | null {
  if ('path' in of) return verdict.path === of.path;
  if (findings.some(({ rule }) => rule === of.rule)) return true;
  return verdict.unknowns.some(({ otherwise }) => otherwise?.rule === of.rule) ? null : false;
}

/** Between the losses that the rules predict and the losses of a real post. */
const differences = ({ false: wrong, untold }: ReturnType<typeof lossErrors>): string =>
  [
    ...wrong.map(({ rule, example }) => `${rule} tells a loss at ${example} that does not happen`),
    ...untold.map(({ path, what }) => `no rule tells the loss at ${path}: ${what}`),
  ].join('; ');

// Posts an object of each class of the platform over each channel, and compares the outcome with the table.

/** Channels without this test: JSON text has no objects, and child processes get the same as `storage`. */
const WITHOUT = [...IPC_CHANNELS, 'extension', 'node-worker'] as const;

interface ObjectTrial {
  slot: GuestSlot;
  /** Module with a factory for each class, exported under the name of the class. */
  file: string;
  table: typeof PLATFORM_POSTS;
  name: PlatformClassName;
  channel: ObjectResult['channel'];
}

async function verifyObjects(objects: Pick<ObjectTrial, 'slot' | 'file' | 'table'>, signal?: Interruption) {
  const results: ObjectResult[] = [];
  for (const channel of channelsOf(objects.slot.runtime.name, WITHOUT))
    for (const name of Object.keys(PLATFORM_CLASSES) as PlatformClassName[])
      if (signal?.aborted !== true) results.push(await verifyObject({ ...objects, name, channel }));
  return results;
}

async function verifyObject(trial: ObjectTrial): Promise<ObjectResult> {
  const { slot, name, channel, table } = trial;
  const { runtime } = slot;
  const told = postOutcomes(table, name, { runtime, channel });
  const { seen, why } = await seenOutcomes(trial).catch(({ message }: Error) => ({
    seen: null,
    why: message,
  }));
  const isCompared = told !== null && seen !== null;
  const agrees = POST_OUTCOMES.every((one) => told?.includes(one) === seen?.includes(one));
  return {
    ...{ runtime: runtime.spec, class: name, channel, told, seen, why },
    holds: isCompared ? agrees && why === '' : null,
  };
}

async function seenOutcomes(trial: ObjectTrial): Promise<{ seen: PostOutcome[]; why: string }> {
  const { name, channel } = trial;
  const { moves = false } = channelRow(channel);
  const isListed = moves && PLATFORM_CLASSES[name].marked.includes('transferable');
  const listed = isListed ? await posted(trial, { transfer: ['$'] }) : null;
  const isMoved = listed !== null && listed.refused === null && !isLost(listed);
  // The value refers to the object twice, which shows if both references still lead to one object.
  const { refused, losses } = await posted(trial, {}, true);
  if (refused !== null) return { seen: [isMoved ? 'moved' : 'refused'], why: '' };
  if (isLost({ losses })) return { seen: ['lost'], why: '' };
  const arrived = arrivals(losses ?? []);
  const seen = arrived.outcomes.includes('emptied') ? [] : (['cloned'] as const);
  return {
    seen: [...seen, ...(isMoved ? (['moved'] as const) : []), ...arrived.outcomes],
    why: arrived.others.map(({ path, what }) => `${path}: ${what}`).join('; '),
  };
}

const APART = 'shared reference became a copy';

function arrivals(losses: readonly RealLoss[]): { outcomes: PostOutcome[]; others: RealLoss[] } {
  const outcomes = new Set<PostOutcome>();
  for (const { kind, what } of losses) {
    if (what === APART) outcomes.add('apart');
    else if (what.endsWith(' became object')) outcomes.add('emptied');
    else if (kind === 'class') outcomes.add('other-class');
  }
  // An object of a different class has different fields, so these are not reported.
  const isOther = outcomes.has('emptied') || outcomes.has('other-class');
  const others = losses.filter(({ kind, what }) => kind !== 'class' && what !== APART);
  return { outcomes: [...outcomes], others: isOther ? [] : others };
}

const isLost = ({ losses }: Pick<LossesFound, 'losses'>): boolean =>
  losses?.some(({ kind }) => kind === 'delivery') ?? false;

function posted(
  { slot, file, name, channel }: ObjectTrial,
  listing: Pick<Recipe, 'transfer'>,
  twice = false,
): Promise<LossesFound> {
  const recipe: Recipe = {
    id: name,
    source: { file, export: name },
    build: { form: 'module', file, original: file, export: name },
    ...listing,
  };
  return slot.ask({ type: 'losses', recipe, channel, twice });
}
