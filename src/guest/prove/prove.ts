/** Proves rewrites, and restores their messages, in a thread that never saw the payload or in that of the proof. */

import { unaskedProbe } from '../../engines/probe/probe.ts';
import type { Loss, Plan } from '../../model/documents/trial.ts';
import { ToolError } from '../../model/errors.ts';
import { type Channel, USUAL_CHANNELS } from '../../model/names.ts';
import { orElse } from '../../model/or-else.ts';
import { isModule, type Recipe } from '../../model/report/recipe.ts';
import { RemedyRefused, type TriedRewrite, triedIn } from '../../model/rules/remedy.ts';
import type { AnswerTo, RequestOf } from '../../model/wire/wire.ts';
import { type Envelope, envelopeFor } from '../../record/envelopes/envelopes.ts';
import { compare } from '../../value/compare/compare.ts';
import { describe } from '../../value/describe/describe.ts';
import { filter, flatMap, map } from '../../value/read/lists.ts';
import { type Deliver, deliveryOver, keptPeers } from '../channel/channel.ts';
import { buildPayload, buildSequence } from '../payload/materialize.ts';
import { currentPlatform, type Endpoint } from '../platform/common/platform.ts';
import { thrownMessage, userCode } from '../user-code/user-code.ts';
import { checked, contentOf, loadTried, type Rewrite, remedyByName, rewriteFor } from './tried-module.ts';

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
