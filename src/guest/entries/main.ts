/**
 * The guest of a process runtime: connects to the host over a socket and answers its requests one after the other. A
 * runtime whose guests are not processes brings an entry of its own, with another Link.
 */
import { ToolError } from '../../model/errors.ts';
import type { Answer, Failed, GuestRequest, NumberedRequest } from '../../model/wire.ts';
import { runningRuntime } from '../../probe/running-runtime.ts';
import { connectToHost, exitGuest } from '../link/socket-link.ts';
import { currentPlatform } from '../platform/current.ts';
import { messageOf, stackOf } from '../user-code/thrown.ts';
import { surviveUserCode } from '../user-code/user-code.ts';

type WithoutId<T> = T extends unknown ? Omit<T, 'id'> : never;

/** The modules for a request are evaluated at its first use, so that they do not delay the hello. */
async function resultOf(request: GuestRequest) {
  switch (request.type) {
    case 'open':
      return (await import('../payload/open.ts')).open(request);
    case 'describe':
      return (await import('../describe/describe-payload.ts')).describePayload(request);
    case 'prove':
      return (await import('../prove/prove.ts')).prove(request);
    case 'measure':
      return (await import('../measure/measure.ts')).measure(request);
    case 'dimensions':
      return (await import('../describe/dimensions.ts')).dimensions(request);
    case 'sample':
      return (await import('../describe/sample-text.ts')).sampleText(request);
    case 'profile':
      return (await import('../measure/profile/profile.ts')).profile(request);
    case 'branch-bytes':
      return (await import('../describe/branch-bytes.ts')).branchBytes(request);
    case 'memory':
      return (await import('../measure/memory/memory.ts')).measureMemory(request);
    case 'load':
      return (await import('../measure/load/load.ts')).load(request);
    case 'exit':
      return exitGuest();
    default:
      return request satisfies never;
  }
}

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
    result = await resultOf(request);
  } catch (error) {
    result = failureOf(error);
  }
  link.send({ ...result, id });
}

surviveUserCode(currentPlatform());
const { link, token } = connectToHost();
let queue = Promise.resolve();
link.onMessage = (request) => {
  queue = queue.then(() => answer(request));
};
link.send({ type: 'hello', token, runtime: runningRuntime() });
