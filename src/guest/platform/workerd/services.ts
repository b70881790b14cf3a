/** Two services of one process: calls from one to the other, by RPC. */

import { bindings } from '../../../probe/workerd/bindings.ts';
import { thrownMessage } from '../../user-code/thrown.ts';
import { type Endpoint, noop, type Peer, type PeerEntry, peerAt } from '../common/platform.ts';

/** A stream in the first message is gone when the second is sent. */
function reasonOf(error: unknown): string {
  const reason = thrownMessage(error);
  const isHandedOver = /Stream.*(?:locked|disturbed)/.test(reason);
  return isHandedOver ? 'a call hands its stream over: repeated ones cannot be timed' : reason;
}

/** Each message is the argument of a call, and what the call returns is the answer to it. */
class CallingEndpoint implements Endpoint {
  readonly transfers = false;
  onMessage: (data: unknown) => void = noop;
  onMessageError: (reason: string) => void = noop;

  post(message: unknown): void {
    bindings.PEER.receive(message).then(this.#answered, this.#failed);
  }

  postWith(message: unknown): void {
    this.post(message);
  }

  close(): void {
    this.onMessage = this.onMessageError = noop;
  }

  readonly #answered = (data: unknown): void => this.onMessage(data);
  readonly #failed = (error: unknown): void => this.onMessageError(reasonOf(error));
}

export async function spawnService(entry: PeerEntry): Promise<Peer> {
  await bindings.PEER.start(entry);
  return peerAt(new CallingEndpoint(), noop);
}

/** The name under which the other service finds the function that receives. */
const RECEIVER = 'cloneProfReceive';

/** Inside the other service. It posts once for each message: at once, or when a promise settles. */
class CalledEndpoint implements Endpoint {
  readonly transfers = false;
  onMessage: (data: unknown) => void = noop;
  onMessageError: (reason: string) => void = noop;
  #posted: { message: unknown } | null = null;
  #answer: ((message: unknown) => void) | null = null;

  constructor() {
    Reflect.set(globalThis, RECEIVER, (message: unknown) => this.#receive(message));
  }

  post(message: unknown): void {
    const answer = this.#answer;
    this.#answer = null;
    if (answer) answer(message);
    else this.#posted = { message };
  }

  postWith(message: unknown): void {
    this.post(message);
  }

  close(): void {
    // It ends with the service.
  }

  #receive(message: unknown): unknown {
    this.#posted = null;
    this.onMessage(message);
    const { message: answer } = (this.#posted as { message: unknown } | null) ?? {};
    if (this.#posted !== null) return answer;
    return new Promise((resolve) => {
      this.#answer = resolve;
    });
  }
}

export const calledEndpoint = (): Endpoint => new CalledEndpoint();

let echoes = 0;

/** What became of a value that was the argument of a call, and came back in a list. */
export async function echoed(value: unknown): Promise<{ data: unknown } | { refused: string } | null> {
  const nth = ++echoes;
  try {
    const [data] = await bindings.PEER.echo(nth, value);
    return { data };
  } catch (error) {
    return (await bindings.PEER.latest()) === nth ? null : { refused: thrownMessage(error) };
  }
}
