/** Restores the messages of a proof, in a thread that never saw the payload or in that of the proof. */
import { compare, isSameTree } from '../../core/compare/compare.ts';
import { describe } from '../../core/describe/describe.ts';
import { filter, flatMap, map } from '../../core/value/lists.ts';
import type { Loss, Plan } from '../../model/documents/trial.ts';
import { RemedyRefused } from '../../model/rules/remedy.ts';
import { triedIn } from '../../model/rules/tried.ts';
import { probeFor } from '../../probe/probe.ts';
import type { Endpoint } from '../platform/common/platform.ts';
import { currentPlatform } from '../platform/current.ts';
import { thrownMessage } from '../user-code/thrown.ts';
import { userCode } from '../user-code/user-code.ts';
import { checked, loadTried, type Rewrite, remedyByName } from './tried-module.ts';

export interface RestoreRequest {
  /** Number of the proof. Its messages are of one sequence. */
  proof: number;
  remedy: string;
  plan: Plan;
  /** True if neither the payload nor the rewrite is the user's code. */
  isData: boolean;
  /** The message, and a plain clone of the same value; null asks whether later messages changed what was restored. */
  arrived: { message: unknown; plain: unknown } | null;
}

/** Losses of the restored value against the plain clone; `threw`: why it could not be restored. */
export interface RestoreAnswer {
  losses: Loss[];
  threw: string | null;
}

/** Compares data and values that the tool's own code made, in less time than `compare`. */
export const quickly: typeof compare = (original, restored) =>
  isSameTree(original, restored) ? [] : compare(original, restored);

/** A Proxy cannot be compared, and differs from the sent value; only user code makes a Proxy. */
async function proxiesIn(restored: unknown): Promise<Loss[]> {
  const { patterns } = describe(restored, await probeFor({ ask: false }));
  const proxies = filter(patterns, ({ kind }) => kind === 'proxy');
  return map(proxies, ({ example }) => ({ path: example, what: 'became a Proxy' }));
}

/** `restored` in an object, because a promise would look for `then` on it. @throws what restoring throws */
export async function restoreArrived(rewrite: Rewrite, { plan, isData, arrived }: RestoreRequest) {
  const { message, plain } = arrived!;
  const restored = rewrite.isAwaited ? await rewrite.restore(message, plan) : rewrite.restore(message, plan);
  const isTried = triedIn(plan) !== null;
  // An error that escapes user code does so in the next turn.
  if (isTried) await currentPlatform().turnOfEventLoop();
  const proxies = isTried ? await proxiesIn(restored) : [];
  const hasProxy = proxies.length > 0;
  return { restored, hasProxy, losses: hasProxy ? proxies : (isData ? quickly : compare)(plain, restored) };
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
