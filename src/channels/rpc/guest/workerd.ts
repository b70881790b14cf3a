/** Calls between two services: a message is an argument, and what the call returns is the answer. */
import { bindings } from '../../../engines/probe/workerd/probe.ts';
import {
  copyingEndpoint,
  type Endpoint,
  noop,
  type Observed,
  type Peer,
  peerAt,
} from '../../../guest/platform/common/platform.ts';
import { thrownMessage } from '../../../guest/user-code/user-code.ts';

/** A stream in the first message is gone when the second is sent. */
function reasonOf(error: unknown): string {
  const reason = thrownMessage(error);
  const isHandedOver = /Stream.*(?:locked|disturbed)/.test(reason);
  return isHandedOver ? 'a call hands its stream over: repeated ones cannot be timed' : reason;
}

function callingEndpoint(): Endpoint {
  const answered = (data: unknown): void => endpoint.onMessage(data);
  const failed = (error: unknown): void => endpoint.onMessageError(reasonOf(error));
  const endpoint = copyingEndpoint(
    (message) => void bindings.PEER.receive(message).then(answered, failed),
    () => {
      endpoint.onMessage = endpoint.onMessageError = noop;
    },
  );
  return endpoint;
}

export async function spawnService(): Promise<Peer> {
  await bindings.PEER.start();
  return peerAt(callingEndpoint(), noop);
}

/** The name under which the other service finds the function that receives. */
const RECEIVER = 'cloneProfReceive';

/** Inside the other service. It posts once for each message: at once, or when a promise settles. */
export function calledEndpoint(): Endpoint {
  let posted: unknown[] = [];
  let answer: ((message: unknown) => void) | null = null;
  const endpoint = copyingEndpoint((message) => {
    const answered = answer;
    answer = null;
    if (answered) answered(message);
    else posted = [message];
  });
  const receive = (message: unknown): unknown => {
    posted = [];
    endpoint.onMessage(message);
    if (posted.length > 0) return posted[0];
    return new Promise((resolve) => {
      answer = resolve;
    });
  };
  Reflect.set(globalThis, RECEIVER, receive);
  return endpoint;
}

let echoes = 0;

export async function echoed(value: unknown): Promise<Observed> {
  const nth = ++echoes;
  try {
    const [data] = await bindings.PEER.echo(nth, value);
    return { arrived: { data } };
  } catch (error) {
    return (await bindings.PEER.latest()) === nth ? {} : { refused: thrownMessage(error) };
  }
}
