import { inferSchema } from '../../codec/schema/payload-schema.ts';
import { directBytes } from '../../engines/probe/message-cost.ts';
import {
  movedBytes,
  notAnswered,
  pathTo,
  refusedPath,
  rejectedWith,
} from '../../engines/probe/oracle-result.ts';
import { probeFor, runningProbe } from '../../engines/probe/probe.ts';
import { typeDetection } from '../../engines/probe/type-detection.ts';
import type { Shape } from '../../model/documents/shape.ts';
import { type Channel, channelRow, isJson, isLocal } from '../../model/names.ts';
import { orElse, throws } from '../../model/or-else.ts';
import type { Recipe } from '../../model/report/recipe.ts';
import type { ListedRefusal } from '../../model/rules/rule.ts';
import type {
  AnswerTo,
  Confirmation,
  Described,
  DescribeRequest,
  LossesFound,
  RealLoss,
  RequestOf,
  SchemaMade,
  Stage,
} from '../../model/wire/wire.ts';
import { envelopeFor } from '../../record/envelopes/envelopes.ts';
import { without } from '../../stats/branches/branches.ts';
import { findDimensions } from '../../sweep/scale.ts';
import { differences } from '../../value/compare/compare.ts';
import { describe } from '../../value/describe/describe.ts';
import { isDetached } from '../../value/describe/inspect/built-ins.ts';
import { withHidden } from '../../value/describe/shape-rows.ts';
import { filter, map } from '../../value/read/lists.ts';
import { formatPath, parsePath } from '../../value/read/paths.ts';
import { valueFacts } from '../../value/shape/shape-facts.ts';
import { deliver, observePost, openBeforeBuild, requireChannel, withLocal } from '../channel/channel.ts';
import {
  build,
  buildPayload,
  laterBuild,
  timeReadBack,
  varyingFacts,
  varyingPath,
} from '../payload/materialize.ts';
import { type Built, runsCodeWhenAwaited } from '../payload/module.ts';
import { allLines } from '../payload/text-files.ts';
import { thrownBy, thrownMessage } from '../user-code/user-code.ts';

function whatIsWrong(entry: unknown): ListedRefusal {
  if (typeof entry !== 'object' || entry === null) return 'other';
  const { of, isProxy } = typeDetection();
  const kind = isProxy(entry) ? 'proxy' : of(entry).kind;
  if (kind === 'sharedarraybuffer') return 'shared';
  if (kind !== 'arraybuffer') return 'other';
  return isDetached(entry) ? 'detached' : 'fixed';
}

/**
 * The first entry that is refused by itself, with its path in the payload, or the root if it is not in there; null if
 * each can be moved: then it is the payload that is refused. Moves the entries of `built`, which nothing has used.
 */
export function refusedEntry({
  value,
  transfer: list = [],
}: Built): Pick<Confirmation, 'refused' | 'listed'> | null {
  for (const [at, entry] of list.entries()) {
    const isTwice = list.indexOf(entry) < at;
    if (!isTwice && !throws(() => structuredClone(0, { transfer: [entry] }))) continue;
    const isIt = (one: unknown) => one === entry || (ArrayBuffer.isView(one) && one.buffer === entry);
    return { refused: pathTo(value, isIt) ?? '$', listed: isTwice ? 'twice' : whatIsWrong(entry) };
  }
  return null;
}

const END = Symbol('end');

/** Throws for values that are refused beside this list, and moves nothing: the end of the message is refused always. */
const clonedBeside =
  (all: readonly Transferable[] = []) =>
  (values: unknown) => {
    // Deno detaches buffers of a message that it refuses.
    const transfer = filter(all, (one) => !(one instanceof ArrayBuffer));
    const refusalOf = (...message: unknown[]) =>
      thrownBy(() => structuredClone([...message, END], { transfer }));
    if (refusalOf(values) !== refusalOf()) throw new Error('refused');
  };

function storedOtherwise(one: Shape, other: Shape): string | null {
  for (const { pattern, kind, flags } of one.patterns) {
    const there = other.patterns.find((row) => row.pattern === pattern && row.kind === kind);
    if (there !== undefined && there.flags.join() !== flags.join()) return pattern;
  }
  return null;
}

type Seen = Pick<Described, 'confirmation' | 'losses'>;

/** Beyond these, serializing takes longer than parsing and describing the payload. */
const MAX_CHEAP = { nodes: 250_000, bytes: 16 * 1024 * 1024 };
/** Of a message that is written only to count its bytes. */
const MAX_COUNTED = { nodes: 1_000_000, bytes: 64 * 1024 * 1024 };

/** An engine refuses only values that code makes. */
const isFromCode = ({ build: { form }, via }: Recipe) => form === 'module' || Boolean(via);

function isWithin({ nodes, patterns }: Shape, most: typeof MAX_CHEAP): boolean {
  const bytes = patterns.reduce((sum, row) => sum + (row.bytes?.total ?? 0), 0);
  // Holes are not nodes and take next to no time, but JavaScriptCore writes each of them.
  const arrays = filter(patterns, ({ kind }) => kind === 'array');
  const slots = arrays.reduce((sum, { size }) => sum + (size?.total ?? 0), 0);
  return nodes <= most.nodes && slots <= 2 * most.nodes && bytes <= most.bytes;
}

const isCheap = (shape: Shape) => isWithin(shape, MAX_CHEAP);

function countedMessage(
  { value, transfer }: Pick<Built, 'value' | 'transfer'>,
  shape: Shape,
  channel: Channel,
): Described['message'] {
  const isCounted = !channelRow(channel).unwritten && isWithin(shape, MAX_COUNTED);
  return isCounted ? runningProbe().messageBytes(value, shape, channel, transfer) : [];
}

/**
 * V8 reads a message by hidden classes, which it keeps: a thread that has received an object of 20 to 1,020 keys gives
 * the next one that a factory fills by computed keys fast properties, although it was a dictionary before.
 * @returns a path that is stored differently in a value that is built afterwards than in `shape`, from before
 */
async function otherAfterReceiving(
  recipe: Recipe,
  shape: Shape,
  described: (value: unknown) => Shape,
): Promise<string | null> {
  const isTold = shape.representation.by === 'v8-natives' && isCheap(shape);
  if (!isTold || !shape.patterns.some(({ kind, flags }) => kind === 'object' && flags.includes('dictionary')))
    return null;
  const { value } = await build(recipe);
  if (throws(() => structuredClone(value))) return null;
  return storedOtherwise(shape, described((await build(recipe)).value));
}

/** Posts over the channel itself: the oracle posts over a port, or clones. @param told the oracle's answer */
async function postedForReal(
  told: Confirmation | null,
  { value }: Built,
  shape: Shape,
  channel: Channel,
): Promise<Seen> {
  const isRejected = told?.path === 'rejected';
  const observed = await observePost(channel, value);
  if (observed === undefined)
    return {
      confirmation: isRejected ? told : notAnswered('no post over this channel was seen'),
      losses: null,
    };
  const refusal = observed.refused ?? observed.lost ?? null;
  const losses = isCheap(shape) ? await lossesSeen(value, observed.arrived, channel) : null;
  const rejected = (
    post: (values: unknown) => unknown = isJson(channel) ? JSON.stringify : structuredClone,
  ): Seen => ({ confirmation: rejectedWith(refusal, value, shape, post), losses });
  if (refusal === null && isJson(channel))
    return { confirmation: { ...notAnswered('it was sent as JSON text'), path: 'json' }, losses };
  // The program gets this error: it does not have a path, and is not the error of a clone.
  if (refusal !== null && channelRow(channel).ownSteps)
    return isLocal(channel)
      ? withLocal(channel, (local) => rejected(local.endpoint('serialized').post))
      : rejected();
  if ((refusal !== null) === isRejected) return { confirmation: told, losses };
  return refusal === null
    ? { confirmation: notAnswered('structuredClone refuses it, this channel does not'), losses }
    : rejected();
}

/** Hidden state that only the oracle finds becomes part of the shape. @throws ToolError of building, 'channel-unsupported' */
export async function describePayload(
  request: DescribeRequest,
  onStage: (stage: Stage) => Promise<void>,
): Promise<Described> {
  // If another engine is assumed, its channels are too.
  if (!request.assume) await requireChannel(request.channel);
  const once = await describeOnce(request, onStage);
  const readBackNs = request.confirm === false ? null : await timeReadBack(request.recipe);
  const described = { ...once, ...(readBackNs !== null && { readBackNs }) };
  if (request.calls !== undefined) {
    return {
      ...described,
      varies: await varyingFacts(request, valueFacts(described.shape), request.calls),
    };
  }
  const asked = request.twice && isFromCode(request.recipe);
  return asked ? { ...described, varies: await varyingPath(request.recipe) } : described;
}

/** Posts with the transfer list, which the oracles leave out. Values that it moved cannot be compared afterwards. */
async function describedTransfer(recipe: Recipe, shape: Shape, channel: Channel): Promise<Described> {
  await openBeforeBuild(channel);
  const built = await build(recipe);
  const { value, transfer: list = [] } = built;
  const bytes = movedBytes(list);
  const message = countedMessage(built, shape, channel);
  const observed = await observePost(channel, value, list);
  const refusal = observed?.refused ?? observed?.lost ?? null;
  const answer = { type: 'described', shape, losses: null } as const;
  if (refusal !== null) {
    // Searches a payload from which nothing was moved. The engine refuses its ports without the list.
    const entry = refusedEntry(await build(recipe));
    const fresh = await build(recipe);
    // WebKit's refusals do not name the value.
    const isAlone = list.every((one) => one instanceof ArrayBuffer);
    const post = isAlone ? structuredClone : clonedBeside(fresh.transfer ?? []);
    const searched = entry === null ? fresh.value : null;
    const confirmation = { ...rejectedWith(refusal, searched, shape, post), ...entry };
    return { ...answer, message: [], transfer: { count: list.length, moved: 0 }, confirmation };
  }
  // Node 20 copies in silence what it cannot detach: memory of WebAssembly, the pool of Buffers.
  const left = movedBytes(list);
  return {
    ...answer,
    message: map(message, (one) => ({ ...one, bytes: one.bytes + left })),
    transfer: { count: list.length, moved: bytes - left },
    confirmation: observed === undefined ? null : notAnswered('posted with its transfer list, it arrived'),
  };
}

async function describeOnce(
  { recipe, channel, confirm, assume, twice }: DescribeRequest,
  onStage: (stage: Stage) => Promise<void>,
): Promise<Described> {
  const { form } = recipe.build;
  // The value comes straight from JSON.parse: it cannot have accessors, user prototypes or hidden state.
  const fromJson = (form === 'json' || form === 'ndjson') && !recipe.via;
  const probe = await probeFor({ fromJson, assume });
  await onStage('build');
  let last = await laterBuild(recipe);
  await onStage('describe');
  const described = (value: unknown) => describe(value, probe, { fromJson, channel });
  const shape = describe(last.value, probe, { fromJson, channel, jsonBytes: true });
  const asked = confirm === true || (confirm === 'when-cheap' && isCheap(shape));
  const { transfer: listed = [] } = last;
  const isMoved = listed.length > 0 && channelRow(channel).moves === true;
  const transfer = isMoved ? { count: listed.length, moved: movedBytes(listed) } : null;
  if (!asked) {
    const posted = transfer === null ? { value: last.value } : last;
    const counted = () => (confirm === false ? [] : countedMessage(posted, shape, channel));
    // Known without Bun: it is a formula of the value.
    const message = assume === 'jsc' ? directBytes(last.value) : counted();
    return { type: 'described', shape, message, transfer, confirmation: null, losses: null };
  }
  await onStage('confirm');
  if (transfer !== null) return describedTransfer(recipe, shape, channel);
  let shownOther: string | null = null;
  const fresh = async () => {
    last = await build(recipe);
    if (twice) shownOther ??= storedOtherwise(shape, described(last.value));
    return last.value;
  };
  // Of JSON text, a real post shows whether the value has one.
  const { unasked } = channelRow(channel);
  const oracle = () =>
    unasked === undefined ? runningProbe().confirm(fresh, shape, channel, fromJson) : notAnswered(unasked);
  // It awaits the value, which would run its code.
  const isAsked = !runsCodeWhenAwaited(last.value);
  const told = isAsked ? await oracle() : null;
  // A post that throws may have run getters: os.cpus() of Bun is filled in by them, and arrives the second time.
  const posted = told?.path === 'rejected' ? await build(recipe) : last;
  const seen = isFromCode(recipe)
    ? await postedForReal(told, posted, shape, channel)
    : { confirmation: told, losses: null };
  const { confirmation } = seen;
  const isTaken = confirmation?.path !== 'rejected';
  // Last: Bun's serializer turns strings into atoms.
  const message = isTaken ? countedMessage({ value: last.value }, shape, channel) : [];
  const isFactory = last.how === 'built' && isTaken && isAsked;
  return {
    type: 'described',
    ...seen,
    message,
    transfer,
    ...(twice && { shownOther }),
    ...(isFactory && { afterReceiving: await otherAfterReceiving(recipe, shape, described) }),
    shape: withHidden(shape, confirmation?.hidden ?? []),
  };
}

export async function dimensions({ recipe }: RequestOf<'dimensions'>): Promise<AnswerTo<'dimensions'>> {
  const { value } = await buildPayload({ ...recipe, scale: null });
  return { type: 'dimensions', found: findDimensions(value, typeDetection()) };
}

/** The payload as JSON text; null if it is too long, or if a user's toJSON throws. */
export async function sampleText({ recipe, mostBytes }: RequestOf<'sample'>): Promise<AnswerTo<'sample'>> {
  const { value } = await build(recipe);
  const json = orElse(() => JSON.stringify(value) as string | undefined, undefined);
  const fits = json !== undefined && new TextEncoder().encode(json).byteLength <= mostBytes;
  return { type: 'sample', json: fits ? json : null };
}

export async function branchBytes({
  recipe,
  paths,
}: RequestOf<'branch-bytes'>): Promise<AnswerTo<'branch-bytes'>> {
  const { value } = await buildPayload(recipe);
  const probe = runningProbe();
  const { wrap } = envelopeFor(recipe.via, 'alone');
  const serializedBytes = (part: unknown) => probe.serialized?.(wrap(part, []))?.byteLength ?? null;
  return {
    type: 'branch-bytes',
    whole: serializedBytes(value),
    without: map(paths, (path) => serializedBytes(without(value, path))),
  };
}

export async function realLosses(
  value: unknown,
  channel: Channel,
  transfer: Transferable[] = [],
): Promise<Omit<LossesFound, 'type'>> {
  const { refused = null, lost, arrived } = (await observePost(channel, value, transfer)) ?? {};
  if (lost !== undefined)
    return { refused, losses: [{ path: '$', what: lost, kind: 'delivery', owner: '$' }] };
  return { refused, losses: transfer.length === 0 ? await lossesSeen(value, arrived, channel) : null };
}

const lossesSeen = async (value: unknown, arrived: { data: unknown } | undefined, channel: Channel) =>
  arrived === undefined
    ? null
    : [...differences(value, arrived.data), ...(isLocal(channel) ? await refusedBack(value, channel) : [])];

const refusedBack = (value: unknown, channel: Channel): Promise<RealLoss[]> =>
  withLocal(channel, ({ giveBack }) => {
    if (giveBack === undefined) return [];
    const refusal = thrownBy(() => giveBack(value));
    if (refusal === null) return [];
    const path = refusedPath(value, { nodes: 0, depth: 0 }, giveBack);
    const owner = formatPath(parsePath(path)?.slice(0, -1) ?? []);
    return [{ kind: 'result', what: `as a result it is refused: ${refusal}`, path, owner }];
  });

export async function findLosses({ recipe, channel, twice }: RequestOf<'losses'>): Promise<LossesFound> {
  await openBeforeBuild(channel);
  const { value, transfer } = await build(recipe);
  const message = twice === true ? [value, value] : value;
  return { type: 'losses-found', ...(await realLosses(message, channel, transfer)) };
}

const isJsonRecipe = ({ build: { form }, scale }: Recipe): boolean =>
  (form === 'json' || form === 'ndjson') && scale === undefined;

/** Samples are read after delivery, without what a clone drops. @throws ToolError if a payload cannot be built */
export async function makeSchema({ recipes }: RequestOf<'schema'>): Promise<SchemaMade> {
  const samples: unknown[] = [];
  const told: Pick<SchemaMade, 'lost' | 'itself'> = {};
  for (const [at, recipe] of recipes.entries()) {
    const { build, source } = recipe;
    if (build.form === 'ndjson' && build.line === 0) {
      for (const value of await allLines(build, source.file)) samples.push(value);
      continue;
    }
    const { value } = await buildPayload(recipe);
    try {
      const sample = isJsonRecipe(recipe) ? value : (await deliver(value)).data;
      samples.push(sample);
      if (sample === value) continue;
      const losses = differences(value, sample);
      if (losses.length > 0) told.lost ??= { recipe: at, losses };
      let found = 0;
      const itself = pathTo(sample, (one) => one === sample && found++ > 0);
      if (itself !== null) told.itself ??= itself;
    } catch (error) {
      return { type: 'schema-made', schema: null, uncloned: { recipe: at, reason: thrownMessage(error) } };
    }
  }
  const schema = inferSchema(samples, typeDetection(), recipes.every(isJsonRecipe));
  return { type: 'schema-made', schema, ...told };
}
