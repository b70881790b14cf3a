/** What restores messages of a proof: the same in the thread that never saw the payload, and in the thread of the proof. */
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

/** A message as it arrived, and what a plain clone brings of the same value. */
export interface Arrived {
  message: unknown;
  plain: unknown;
}

/** The rewrite of the messages that follow. */
export interface RestoreStart {
  restores: string;
  plan: Plan;
  /** Neither the payload nor the rewrite is code of the user's. */
  isData: boolean;
}

/** 'again': of a sequence, whether later messages changed what earlier ones brought. */
export type RestoreRequest = RestoreStart | Arrived | 'again';

/** What the restored value lost against the plain clone; `threw`: why there is no such value. */
export interface RestoreAnswer {
  losses: Loss[];
  threw: string | null;
}

/** In an object, because a promise would look for `then` on what was restored. */
interface Restored {
  restored: unknown;
  losses: Loss[];
  /** A Proxy cannot be compared, and is not what was sent; only user code makes one. */
  hasProxy: boolean;
}

/** Compares data, and what the tool's own code made. */
export const quickly: typeof compare = (original, restored) =>
  isSameTree(original, restored) ? [] : compare(original, restored);

async function proxiesIn(restored: unknown): Promise<Loss[]> {
  const { patterns } = describe(restored, await probeFor({ ask: false }));
  const proxies = filter(patterns, ({ kind }) => kind === 'proxy');
  return map(proxies, ({ example }) => ({ path: example, what: 'became a Proxy' }));
}

/** @throws what restoring throws */
export async function restoreArrived(
  rewrite: Rewrite,
  { plan, isData }: Omit<RestoreStart, 'restores'>,
  { message, plain }: Arrived,
): Promise<Restored> {
  const restored = rewrite.isAwaited ? await rewrite.restore(message, plan) : rewrite.restore(message, plan);
  const tried = triedIn(plan);
  // An error that escapes user code does so in the next turn.
  if (tried) await currentPlatform().turnOfEventLoop();
  const proxies = tried ? await proxiesIn(restored) : [];
  const hasProxy = proxies.length > 0;
  return { restored, hasProxy, losses: hasProxy ? proxies : (isData ? quickly : compare)(plain, restored) };
}

/** One for each thread. */
export function createRestorer(): (request: RestoreRequest) => Promise<RestoreAnswer> {
  let begun: Promise<[Rewrite, RestoreStart]>;
  let kept: { plain: unknown; restored: unknown }[] = [];
  const answerTo = async (request: RestoreRequest): Promise<Loss[]> => {
    if (request === 'again') return flatMap(kept, ({ plain, restored }) => compare(plain, restored));
    if ('restores' in request) {
      kept = [];
      begun = loadRewrite(request).then((rewrite) => [rewrite, request]);
      await begun;
      return [];
    }
    const [rewrite, start] = await begun;
    const restore = () => restoreArrived(rewrite, start, request);
    const { restored, losses } = await (triedIn(start.plan) ? userCode(restore) : restore());
    if (rewrite.ofSequence) kept.push({ plain: request.plain, restored });
    return losses;
  };
  return (request) =>
    answerTo(request).then(
      (losses) => ({ losses, threw: null }),
      (error: unknown) => ({
        losses: [],
        threw: error instanceof RemedyRefused ? error.message : thrownMessage(error),
      }),
    );
}

async function loadRewrite({ restores, plan }: RestoreStart): Promise<Rewrite> {
  const tried = triedIn(plan);
  return tried ? checked((await loadTried(tried)).rewrite, tried) : remedyByName(restores);
}

/** Begins the thread that restores. `first`: what has come. */
export function restoreMessages(parent: Endpoint, first: RestoreStart): void {
  const restore = createRestorer();
  parent.onMessage = (data) => void restore(data as RestoreRequest).then((answer) => parent.post(answer));
  parent.onMessageError = (threw) => parent.post({ losses: [], threw });
  parent.onMessage(first);
}
