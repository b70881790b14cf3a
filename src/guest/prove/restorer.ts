/** Restores the messages of a proof, in a thread that never saw the payload or in that of the proof. */

import { probeFor } from '../../engines/probe/probe.ts';
import type { Loss, Plan } from '../../model/documents/trial.ts';
import { ToolError } from '../../model/errors.ts';
import { type Channel, USUAL_CHANNELS } from '../../model/names.ts';
import { RemedyRefused, triedIn } from '../../model/rules/remedy.ts';
import { compare } from '../../value/compare/compare.ts';
import { describe } from '../../value/describe/describe.ts';
import { filter, flatMap, map } from '../../value/read/lists.ts';
import { spawnPeer } from '../channel/channel.ts';
import { currentPlatform, type Endpoint } from '../platform/common/platform.ts';
import { thrownMessage } from '../user-code/thrown.ts';
import { userCode } from '../user-code/user-code.ts';
import { checked, loadTried, type Rewrite, remedyByName } from './tried-module.ts';

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

/** A Proxy cannot be compared, and differs from the sent value; only user code makes a Proxy. */
async function proxiesIn(restored: unknown): Promise<Loss[]> {
  const { patterns } = describe(restored, await probeFor({ ask: false }));
  const proxies = filter(patterns, ({ kind }) => kind === 'proxy');
  return map(proxies, ({ example }) => ({ path: example, what: 'became a Proxy' }));
}

/** `restored` in an object, because a promise would look for `then` on it. @throws what restoring throws */
export async function restoreArrived(rewrite: Rewrite, { plan, arrived }: RestoreRequest) {
  const { message, plain } = arrived!;
  const restored = rewrite.isAwaited ? await rewrite.restore(message, plan) : rewrite.restore(message, plan);
  const isTried = triedIn(plan) !== null;
  // An error that escapes user code does so in the next turn.
  if (isTried) await currentPlatform().turnOfEventLoop();
  const proxies = isTried ? await proxiesIn(restored) : [];
  const hasProxy = proxies.length > 0;
  return { restored, hasProxy, losses: hasProxy ? proxies : compare(plain, restored) };
}

/** Each thread has one restorer. */
export function createRestorer(): (request: RestoreRequest) => Promise<RestoreAnswer> {
  let latest: { proof: number; plan: Plan; rewrite: Rewrite } | null = null;
  let kept: { plain: unknown; restored: unknown }[] = [];
  const lossesIn = async (request: RestoreRequest): Promise<Loss[]> => {
    const { proof, remedy, arrived } = request;
    if (arrived === null) return flatMap(kept, ({ plain, restored }) => compare(plain, restored));
    const tried = triedIn(request.plan);
    if (latest?.proof !== proof) {
      kept = [];
      const rewrite = tried ? checked((await loadTried(tried)).rewrite, tried) : remedyByName(remedy);
      latest = { proof, plan: request.plan, rewrite };
    }
    const { rewrite, plan } = latest;
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

// The other thread. It never builds the payload, so it holds nothing that `apply` or a factory left in a module.

/** Restores in the other thread; null for a message that cannot be cloned to it. */
type Elsewhere = (request: RestoreRequest) => Promise<RestoreAnswer | null>;

/** @throws ToolError 'measure-failed' if the thread cannot be started */
async function startElsewhere(channel: Channel): Promise<Elsewhere> {
  const peer = await spawnPeer(channel).catch((error: unknown) => {
    const detail = `no other thread to restore in could be started: ${thrownMessage(error)}`;
    throw new ToolError('measure-failed', { detail });
  });
  return async (request) => {
    try {
      return (await peer.ask(request)) as RestoreAnswer;
    } catch (error) {
      if (!peer.over) return null;
      started.delete(channel);
      return { losses: [], threw: thrownMessage(error) };
    }
  };
}

/** The threads live as long as the guest. */
const started = new Map<Channel, Promise<Elsewhere>>();

/** Over windows it is a frame, which has a document as the receivers do. null if the platform lacks a thread for it. */
export function elsewhereOf(asked: Channel): Promise<Elsewhere> | null {
  const { peers } = currentPlatform();
  const channel = (asked === 'window' ? [asked] : USUAL_CHANNELS).find((one) => peers[one] !== undefined);
  if (channel === undefined) return null;
  const starting = started.get(channel) ?? startElsewhere(channel);
  started.set(channel, starting);
  // The next caller tries again. Some callers start it ahead of its use, and await nothing.
  starting.catch(() => started.delete(channel));
  return starting;
}
