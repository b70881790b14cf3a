import { bindings } from '../../../engines/probe/workerd/bindings.ts';
import { thrownMessage } from '../../user-code/thrown.ts';
import {
  copyingEndpoint,
  type Endpoint,
  noop,
  type Observed,
  type Peer,
  type Platform,
  peerAt,
} from '../common/platform.ts';
import { pagePlatform } from '../page/page-platform.ts';
import { servedSources } from '../page/sources.ts';

/** A stream in the first message is gone when the second is sent. */
function reasonOf(error: unknown): string {
  const reason = thrownMessage(error);
  const isHandedOver = /Stream.*(?:locked|disturbed)/.test(reason);
  return isHandedOver ? 'a call hands its stream over: repeated ones cannot be timed' : reason;
}

/** Each message is the argument of a call, and what the call returns is the answer to it. */
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

async function spawnService(): Promise<Peer> {
  await bindings.PEER.start();
  return peerAt(callingEndpoint(), noop);
}

/** The name under which the other service finds the function that receives. */
const RECEIVER = 'cloneProfReceive';

/** Inside the other service. It posts once for each message: at once, or when a promise settles. */
function calledEndpoint(): Endpoint {
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

/** Outcome of a value that was the argument of a call, and came back in a list. */
async function echoed(value: unknown): Promise<Observed> {
  const nth = ++echoes;
  try {
    const [data] = await bindings.PEER.echo(nth, value);
    return { arrived: { data } };
  } catch (error) {
    return (await bindings.PEER.latest()) === nth ? {} : { refused: thrownMessage(error) };
  }
}

// Taken before user code loads.
const later = setTimeout;
const root = new URL(bindings.ROOT);

const UNSEEN = 'a worker of workerd has no profiler, and sees neither its process nor another thread';

/** A worker of workerd, and the service at the other end of its calls. It starts no threads. */
export const workerdPlatform: Platform = {
  ...pagePlatform,
  peers: { rpc: spawnService },
  echoed,
  parentEndpoint: calledEndpoint,
  mayBlock: false,
  sources: servedSources({
    servedUrl: (path) => new URL(path, root).href,
    // Imports come from the host's fallback service for modules (runtimes/workerd/driver.ts).
    moduleUrl: (path) => root.pathname + path,
    importText: (address) => import(address),
  }),
  // workerd waits for no minimum, as browsers do.
  turnOfEventLoop: () =>
    new Promise((resolve) => {
      later(resolve, 0);
    }),
  refused: { profile: UNSEEN, memory: UNSEEN },
};
