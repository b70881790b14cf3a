/**
 * The guest of a process runtime: connects to the host over a socket and answers its requests one after the other. A
 * runtime whose guests are not processes brings an entry of its own, with another Link.
 */
import { ToolError } from '../../model/errors.ts';
import type { Stage } from '../../model/wire/stage.ts';
import type {
  Answer,
  AnswerTo,
  Failed,
  GuestRequest,
  NumberedRequest,
  RequestOf,
} from '../../model/wire/wire.ts';
import { runningRuntime } from '../../probe/running-runtime.ts';
import { connectToHost, exitGuest } from '../link/socket-link.ts';
// Evaluated here, before user code: it takes the clock.
import '../platform/clock.ts';
import { currentPlatform } from '../platform/current.ts';
import { turnOfEventLoop } from '../platform/event-loop.ts';
import { restoreBuiltIns } from '../user-code/built-ins.ts';
import { messageOf, stackOf } from '../user-code/thrown.ts';
import { surviveUserCode } from '../user-code/user-code.ts';

type RequestType = GuestRequest['type'];
type Handler<K extends RequestType> = (
  request: RequestOf<K>,
  onStage: (stage: Stage) => Promise<void>,
) => Promise<AnswerTo<K>>;
type WithoutId<T> = T extends unknown ? Omit<T, 'id'> : never;

/** Evaluated at the first request of each type, so that the modules do not delay the hello. */
const HANDLERS: { [K in RequestType]: () => Promise<Handler<K>> } = {
  open: async () => (await import('../payload/open.ts')).open,
  describe: async () => (await import('../describe/describe-payload.ts')).describePayload,
  losses: async () => (await import('../prove/real-losses.ts')).findLosses,
  prove: async () => (await import('../prove/prove.ts')).prove,
  measure: async () => (await import('../measure/measure.ts')).measure,
  dimensions: async () => (await import('../describe/dimensions.ts')).dimensions,
  sample: async () => (await import('../describe/sample-text.ts')).sampleText,
  profile: async () => (await import('../measure/profile/profile.ts')).profile,
  'branch-bytes': async () => (await import('../describe/branch-bytes.ts')).branchBytes,
  memory: async () => (await import('../measure/memory/memory.ts')).measureMemory,
  load: async () => (await import('../measure/load/load.ts')).load,
  exit: async () => exitGuest,
};

function failureOf(error: unknown): Failed {
  if (!(error instanceof ToolError)) {
    return { type: 'failed', code: 'internal', message: messageOf(error), stack: stackOf(error) };
  }
  const { code, message, facts } = error;
  return { type: 'failed', code, message, facts, ...(facts.path === undefined ? {} : { path: facts.path }) };
}

async function answer({ id, ...request }: NumberedRequest): Promise<void> {
  let result: WithoutId<Answer>;
  try {
    const handler = (await HANDLERS[request.type]()) as Handler<RequestType>;
    result = await handler(request, async (stage) => {
      link.send({ type: 'progress', stage, id });
      // Deno sends in the next turn, and a huge value keeps the thread busy.
      await turnOfEventLoop();
    });
  } catch (error) {
    result = failureOf(error);
  }
  link.send({ ...result, id });
}

surviveUserCode(currentPlatform());
const { link, token } = connectToHost(restoreBuiltIns);
let queue = Promise.resolve();
link.onMessage = (request) => {
  queue = queue.then(() => answer(request));
};
link.send({ type: 'hello', token, runtime: runningRuntime() });
