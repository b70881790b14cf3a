/** Rewrites, the tool's own and those in modules of users: loaded, and proven in a thread that never saw the payload. */
import { remedyNamed } from '../../codec/remedies/index.ts';
import { STRATEGIES } from '../../codec/remedies/texts.ts';
import { unaskedProbe } from '../../engines/probe/probe.ts';
import { cutName, cutText } from '../../model/cut.ts';
import type { Loss, Plan } from '../../model/documents/trial.ts';
import { ToolError } from '../../model/errors.ts';
import { type Channel, type FileContent, USUAL_CHANNELS } from '../../model/names.ts';
import { orElse } from '../../model/or-else.ts';
import { isModule, type Recipe } from '../../model/report/recipe.ts';
import { type Remedy, RemedyRefused, type TriedRewrite, triedIn } from '../../model/rules/remedy.ts';
import type { AnswerTo, RequestOf, TriedFacts } from '../../model/wire/wire.ts';
import { type Envelope, envelopeFor } from '../../record/envelopes/envelopes.ts';
import { compare } from '../../value/compare/compare.ts';
import { exactType } from '../../value/compare/values.ts';
import { describe } from '../../value/describe/describe.ts';
import { filter, flatMap, map } from '../../value/read/lists.ts';
import { type Deliver, deliveryOver, keptPeers } from '../channel/channel.ts';
import { buildPayload, buildSequence } from '../payload/materialize.ts';
import { isPromiseLike, type LoadedModule, loadModule, thrownBy } from '../payload/module.ts';
import { currentPlatform, type Endpoint, type PayloadFile } from '../platform/common/platform.ts';
import { restoreBuiltIns, thrownMessage, userCode } from '../user-code/user-code.ts';

export type Rewrite = Pick<
  Remedy,
  'compile' | 'apply' | 'restore' | 'isAwaited' | 'receive' | 'transfer' | 'warmUp' | 'ofSequence' | 'content'
>;

export const contentOf = (rewrite: Rewrite | null, plan: Plan): FileContent =>
  triedIn(plan)?.calls?.content ?? rewrite?.content?.(plan) ?? 'serialized';

const REWRITE = ['apply', 'restore', 'transfer'] as const;
const CODEC = ['toMessage', 'fromMessage', 'transferList'] as const;

/** Limit for hand-written codecs, which may name each value. */
const MAX_MISSES = 100;

type UserFunction = (value: unknown, onMiss?: (path: unknown) => void) => unknown;

const isFunction = (value: unknown): value is UserFunction => typeof value === 'function';

function triedModule({ names: exported, read }: LoadedModule, file: PayloadFile, isCodec: boolean) {
  const names = isCodec ? CODEC : REWRITE;
  const find = (name: string) => orElse(() => read(name), undefined);
  const whole = find('default');
  // Members of its default export count if it exports neither function itself.
  const isApart = exported.has(names[0]) || exported.has(names[1]);
  const self = !isApart && typeof whole === 'object' && whole !== null ? whole : undefined;
  const memberOf = (name: string): unknown => (self ? Reflect.get(self, name) : find(name));
  const [apply, restore, transfer, name, title] = map([...names, 'name', 'title'], memberOf);
  if (!isFunction(apply) || !isFunction(restore)) {
    const detail = `exports no function '${isFunction(apply) ? names[1] : names[0]}'`;
    throw new ToolError(isCodec ? 'codec-unfit' : 'try-unfit', { file: file.name, detail });
  }
  const misses = new Set<string>();
  const onMiss = (path: unknown) => {
    if (misses.size < MAX_MISSES) misses.add(cutText(String(path)));
  };
  /** Without checks, as fast as the user's own calls. Members are called as such: they may use `this`. */
  const rewrite: Rewrite = {
    apply: isCodec ? (value) => apply.call(self, value, onMiss) : (value) => apply.call(self, value),
    restore: (message) => restore.call(self, message),
    ...(isFunction(transfer) && {
      transfer: (message) => (transfer.call(self, message) ?? []) as ArrayBuffer[],
    }),
  };
  const facts: TriedFacts = {
    name: typeof name === 'string' && name !== '' ? cutName(name) : null,
    title: typeof title === 'string' && title !== '' ? cutText(title) : null,
    isDefault: self !== undefined,
    transfers: isFunction(transfer),
  };
  return { rewrite, facts, misses };
}

/** @throws RemedyRefused when it cannot be used */
export async function loadTried({ file, name, isCodec }: TriedRewrite) {
  const module = { file, name };
  try {
    return triedModule(await loadModule(module), module, isCodec === true);
  } catch (error) {
    // The error is about this rewrite alone: a ToolError would be an error of the payload.
    throw new RemedyRefused(error instanceof ToolError ? error.message : thrownText(error, module));
  }
}

/** "TypeError: no rows (line 3, column 9)" */
const thrownText = (error: unknown, module: PayloadFile): string =>
  thrownBy('module-threw', error, module).facts.detail ?? '';

/** The same for a proof: says which function did what a rewrite must not do. */
function checked({ apply, restore, transfer }: Rewrite, module: PayloadFile): Rewrite {
  const result = (name: string, call: () => unknown): unknown => {
    let value: unknown;
    try {
      value = call();
    } catch (error) {
      throw new RemedyRefused(`${name} threw ${thrownText(error, module)}`);
    } finally {
      restoreBuiltIns();
    }
    if (!isPromiseLike(value)) return value;
    throw new RemedyRefused(`${name} returns a promise: the message and the payload are needed at once`);
  };
  return {
    apply: (value, plan) => result('apply', () => apply(value, plan)),
    restore: (message, plan) => result('restore', () => restore(message, plan)),
    ...(transfer && {
      transfer: (message, plan) => buffersIn(result('transfer', () => transfer(message, plan))),
    }),
  };
}

function buffersIn(list: unknown): ArrayBuffer[] {
  if (Array.isArray(list)) {
    const types = map(list, exactType);
    if (types.every((type) => type === 'arraybuffer')) return list as ArrayBuffer[];
  }
  throw new RemedyRefused('transfer must return a list of ArrayBuffers');
}

function remedyByName(name: string): Remedy {
  const strategies: Record<string, Remedy> = STRATEGIES;
  const remedy = remedyNamed(name) ?? (Object.hasOwn(strategies, name) ? strategies[name] : undefined);
  if (!remedy) throw new Error(`unknown remedy '${name}'`);
  return remedy;
}

/** The remedy of that name, or the user's module that the plan names. @throws what loading that throws */
export async function rewriteFor(name: string, plan: Plan | null): Promise<Rewrite> {
  const tried = triedIn(plan);
  return tried ? (await loadTried(tried)).rewrite : remedyByName(name);
}

// Proofs.

type Proved = AnswerTo<'prove'>;
type ProofResult = Omit<Proved, 'type'>;

interface Original {
  recipe: Recipe;
  envelope: Envelope;
  /** Never posted, never rewritten. */
  untouched: unknown;
  /** Two values of this recipe differ: a factory that uses a counter, the clock or random numbers. Set when seen. */
  varies: boolean;
  channel: Channel;
  delivered: Deliver;
  cloned: { data: unknown } | null;
}

type Asked = Omit<RestoreRequest, 'arrived'>;

/**
 * Proves a plan on a fresh value: apply, a real delivery, restore in a thread that never saw the payload, comparison
 * there. Plain cloning loses classes, symbol keys and getters too, so a loss is only what a plain clone of the same
 * value would have kept: that clone is posted with the message. If the two differ, or if the value cannot be cloned,
 * only this thread has the value that decides: it restores as well, has to get the same result, and compares it with
 * the value. The envelope of a library is put around what the rewrite makes; the rewrite itself, and the paths of
 * losses, know nothing of it. @throws ToolError if the payload cannot be built
 */
export async function prove({ recipe, channel, remedy, plan }: RequestOf<'prove'>): Promise<Proved> {
  const original = await deliverOriginal(recipe, channel);
  const tried = triedIn(plan);
  const asked = { proof: ++count, remedy, plan };
  const proving = () =>
    tried ? proveTried(original, tried, asked) : attempts(original, remedyByName(remedy), asked);
  try {
    return { type: 'proved', ...(await proving()) };
  } catch (error) {
    if (!(error instanceof RemedyRefused)) return { type: 'proved', ...failed(thrownMessage(error)) };
    return { type: 'proved', equality: 'refused', losses: [], reason: error.message };
  }
}

let count = 0;

/** Plans of one payload come one by one. The value that they are compared with is built once. */
let latest: { key: string; original: Original } | null = null;

async function deliverOriginal(recipe: Recipe, channel: Channel = 'worker'): Promise<Original> {
  const key = JSON.stringify([recipe, channel]);
  if (latest?.key === key) return latest.original;
  const delivered = deliveryOver(channel, 'serialized');
  const { value: untouched } = await buildPayload(recipe);
  const { value: another } = await buildPayload(recipe);
  const varies = isModule(recipe) && compare(untouched, another).length > 0;
  const envelope = envelopeFor(recipe.via, 'alone');
  const cloned = await delivered(another).catch(() => null);
  latest = { key, original: { recipe, channel, delivered, envelope, untouched, varies, cloned } };
  return latest.original;
}

/** The result holds the module's facts. An error that escapes it (a timer, a rejected promise) is the rewrite's. */
async function proveTried(original: Original, tried: TriedRewrite, asked: Asked): Promise<ProofResult> {
  const { rewrite, facts, misses } = await loadTried(tried);
  const result = await userCode(async () => {
    const proven = await attempts(original, checked(rewrite, tried), asked);
    await currentPlatform().turnOfEventLoop();
    return proven;
  });
  return { ...result, about: facts, ...(tried.isCodec && { misses: [...misses] }) };
}

/** Rewrites the payloads of a sequence in order. Each is compared with its plain clone, and once more at the end. */
async function attemptsInTurn(
  { recipe, channel, delivered, envelope }: Original,
  rewrite: Rewrite,
  asked: Asked,
): Promise<ProofResult> {
  const restore = elsewhereOf(channel) ?? createRestorer();
  for (const value of await buildSequence(recipe)) {
    const { data: plain } = await delivered(value);
    const { data } = await delivered(envelope.wrap(rewrite.apply(value, asked.plan), []));
    const answer = await restore({ ...asked, arrived: { message: envelope.unwrap(data), plain } });
    if (answer === null || answer.threw !== null) return failed(answer?.threw ?? 'it cannot be cloned');
    if (answer.losses.length > 0) return withLosses(answer.losses);
  }
  const [loss] = (await restore({ ...asked, arrived: null }))?.losses ?? [];
  return loss ? failed(`a later message changed what had arrived, at ${loss.path}`) : withLosses([]);
}

async function attempts(original: Original, rewrite: Rewrite, asked: Asked): Promise<ProofResult> {
  if (rewrite.ofSequence) return attemptsInTurn(original, rewrite, asked);
  let result = await attempt(original, rewrite, asked);
  if (!('changed' in result)) return result;
  // A clock may have ticked between two values for the first time. The second attempt knows that it does.
  const { value } = await buildPayload(original.recipe);
  original.varies = compare(original.untouched, value).length > 0;
  if (original.varies) result = await attempt(original, rewrite, asked);
  return 'changed' in result
    ? failed(`the rewrite changed the payload itself, at ${result.changed}`)
    : result;
}

/** Rewrites a value that is built for it. `changed`: path of a change that the remedy made to its input. */
async function attempt(
  original: Original,
  rewrite: Rewrite,
  asked: Asked,
): Promise<ProofResult | { changed: string }> {
  const { plan } = asked;
  const { value } = await buildPayload(original.recipe);
  // A value that is never the same twice must be compared with its own clone.
  const cloned = original.cloned && original.varies ? await original.delivered(value) : original.cloned;
  const message = rewrite.apply(value, plan);
  const [changed] = original.varies ? [] : compare(original.untouched, value);
  if (changed) return { changed: changed.path };
  const { envelope } = original;
  const buffers = envelope.transfers ? (rewrite.transfer?.(message, plan) ?? []) : [];
  const delivered = deliveryOver(original.channel, contentOf(rewrite, plan));
  const compared = { ...original, cloned, untouched: original.varies ? value : original.untouched };
  const found: { losses?: Loss[]; isPlain?: boolean } = {};
  const read = async (data: unknown) => {
    const arrived = envelope.unwrap(data);
    found.isPlain = triedIn(plan) !== null && cloned !== null && compare(cloned.data, arrived).length === 0;
    found.losses = await provenIn(compared, rewrite, asked, arrived);
  };
  // Bytes of a Blob are read later, and are gone with the database.
  const reads = rewrite.isAwaited ? [read] : [];
  const { data, fileBytes } = await delivered(envelope.wrap(message, buffers), buffers, ...reads);
  if (found.losses === undefined) await read(data);
  return {
    ...withLosses(found.losses ?? []),
    ...(found.isPlain && { isPlain: true }),
    ...(fileBytes !== undefined && { fileBytes }),
  };
}

const withLosses = (losses: Loss[]): ProofResult => ({
  ...{ equality: losses.length === 0 ? 'equal' : 'lossy', losses, reason: null },
});

const failed = (reason: string): ProofResult => ({ equality: 'failed', losses: [], reason });

/** @throws RemedyRefused if the other thread restores a different value than this one; errors of restoring */
async function provenIn(
  { channel, untouched, cloned }: Original,
  rewrite: Rewrite,
  asked: Asked,
  message: unknown,
): Promise<Loss[]> {
  // Without a plain clone, both threads compare with the message itself.
  const plain = cloned ? cloned.data : orElse(() => structuredClone(message), null);
  const arrived = { message, plain };
  const there = (await elsewhereOf(channel)?.({ ...asked, arrived })) ?? null;
  if (cloned && there?.threw === null && there.losses.length === 0) return [];
  const here = await restoreArrived(
    rewrite,
    there ? { ...asked, ...structuredClone({ arrived }) } : { ...asked, arrived },
  );
  if (there) requireSame(there, here.losses);
  if (here.hasProxy || (cloned && here.losses.length === 0)) return here.losses;
  const real = compare(untouched, here.restored);
  if (cloned === null) return real;
  // A rewrite may keep what a plain clone loses: it then differs from the clone, but not from the original.
  const paths = new Set(map(real, ({ path }) => path));
  return filter(here.losses, ({ path }) => paths.has(path));
}

function requireSame({ threw, losses }: RestoreAnswer, here: Loss[]): void {
  const both = map([losses, here], (list) => map(list, ({ path, what }) => `${path}: ${what}`));
  const other = both.flat().find((one) => !both.every((list) => list.includes(one)));
  if (threw === null && other === undefined) return;
  const did = threw ?? `it made another value (${other})`;
  throw new RemedyRefused(`restore works only in the thread of apply: in another, ${did}`);
}

export interface RestoreRequest {
  /** Number of the proof. Its messages are of one sequence. */
  proof: number;
  remedy: string;
  plan: Plan;
  /** The message, and a plain clone of the same value; null asks whether later messages changed what was restored. */
  arrived: { message: unknown; plain: unknown } | null;
}

/** Losses of the restored value against the plain clone; `threw`: why it could not be restored. */
export interface RestoreAnswer {
  losses: Loss[];
  threw: string | null;
}

/** A Proxy of user code cannot be compared, and differs from the sent value. */
async function proxiesIn(restored: unknown): Promise<Loss[]> {
  const { patterns } = describe(restored, await unaskedProbe());
  const proxies = filter(patterns, ({ kind }) => kind === 'proxy');
  return map(proxies, ({ example }) => ({ path: example, what: 'became a Proxy' }));
}

/** `restored` in an object, because a promise would look for `then` on it. @throws what restoring throws */
async function restoreArrived(rewrite: Rewrite, { plan, arrived }: RestoreRequest) {
  const { message, plain } = arrived!;
  const restored = rewrite.isAwaited ? await rewrite.restore(message, plan) : rewrite.restore(message, plan);
  const isTried = triedIn(plan) !== null;
  // An error that escapes user code does so in the next turn.
  if (isTried) await currentPlatform().turnOfEventLoop();
  const proxies = isTried ? await proxiesIn(restored) : [];
  const hasProxy = proxies.length > 0;
  return { restored, hasProxy, losses: hasProxy ? proxies : compare(plain, restored) };
}

export function createRestorer(): (request: RestoreRequest) => Promise<RestoreAnswer> {
  let current: { proof: number; plan: Plan; rewrite: Rewrite } | null = null;
  let kept: { plain: unknown; restored: unknown }[] = [];
  const lossesIn = async (request: RestoreRequest): Promise<Loss[]> => {
    const { proof, remedy, arrived } = request;
    if (arrived === null) return flatMap(kept, ({ plain, restored }) => compare(plain, restored));
    const tried = triedIn(request.plan);
    if (current?.proof !== proof) {
      kept = [];
      const rewrite = await rewriteFor(remedy, request.plan);
      current = { proof, plan: request.plan, rewrite: tried ? checked(rewrite, tried) : rewrite };
    }
    const { rewrite, plan } = current;
    const restore = () => restoreArrived(rewrite, { ...request, plan });
    const { restored, losses } = await (tried ? userCode(restore) : restore());
    if (rewrite.ofSequence) kept.push({ plain: arrived.plain, restored });
    return losses;
  };
  return async (request) => {
    try {
      return { losses: await lossesIn(request), threw: null };
    } catch (error) {
      return { losses: [], threw: error instanceof RemedyRefused ? error.message : thrownMessage(error) };
    }
  };
}

/** Begins the thread that restores. `first`: the request that has come already. */
export function restoreMessages(parent: Endpoint, first: RestoreRequest): void {
  const restore = createRestorer();
  parent.onMessage = (data) => void restore(data as RestoreRequest).then((answer) => parent.post(answer));
  parent.onMessageError = (threw) => parent.post({ losses: [], threw });
  parent.onMessage(first);
}

/** Threads that never build the payload: they hold nothing that `apply` or a factory left in a module. */
const threads = keptPeers(async () => undefined);

function cannotStart(error: unknown): never {
  const detail = `no other thread to restore in could be started: ${thrownMessage(error)}`;
  throw new ToolError('measure-failed', { detail });
}

/** Null without such a thread, or for a message that cannot be cloned to it. For windows a frame: it has a document. */
function elsewhereOf(asked: Channel): ((request: RestoreRequest) => Promise<RestoreAnswer | null>) | null {
  const { peers } = currentPlatform();
  const channel = (asked === 'window' ? [asked] : USUAL_CHANNELS).find((one) => peers[one] !== undefined);
  if (channel === undefined) return null;
  return async (request) => {
    const peer = await threads(channel).catch(cannotStart);
    try {
      return (await peer.ask(request)) as RestoreAnswer;
    } catch (error) {
      return peer.over ? { losses: [], threw: thrownMessage(error) } : null;
    }
  };
}
