/** Posts values to this thread and reads the cost of the message from the event, which tells the path that Bun took. */

import type { BunJsc } from './jsc.ts';
import { bytesByContent, fastPathCost } from './message-cost.ts';

/** Posted after each message: messages arrive in order, so what has not come before it never will. */
const END = 'clone-prof: the end of the message before';
/** A message in the same thread arrives within microseconds; an engine may stop delivering altogether. */
const TIMEOUT_MS = 10_000;
/** Wire of `undefined`: version and one tag. */
const UNDEFINED_BYTES = 5;

/** The engine accepted the message and did not deliver it. */
export class NotDelivered extends Error {
  constructor(when: string) {
    super(`Bun accepted a message to its own thread and did not deliver it${when}`);
  }
}

export interface ReceivedMessage {
  /** Bytes: SerializedScriptValue::memoryCost. */
  cost: number;
  received: unknown;
}

export interface SelfChannel {
  /** Rejects with what postMessage throws (DataCloneError, or an error of a getter). */
  post(value: unknown): Promise<ReceivedMessage>;
  /** This version takes flat objects, and arrays of them, by the fast path. */
  fastObjects: boolean;
  fastArrays: boolean;
  close(): void;
}

function openCostChannel(jsc: BunJsc): { post(value: unknown): Promise<ReceivedMessage>; close(): void } {
  const { port1, port2 } = new MessageChannel();
  let arrived: ((event: { data: unknown }) => void) | null = null;
  // The web event: Node's `on` passes the data only, and only the event retains the message.
  port2.addEventListener('message', (event) => arrived?.(event as Event & { data: unknown }));
  port2.start();
  return {
    post: (value) =>
      new Promise((resolve, reject) => {
        let message: ReceivedMessage | null = null;
        const late = setTimeout(() => reject(new NotDelivered(` within ${TIMEOUT_MS / 1000} s`)), TIMEOUT_MS);
        arrived = (event) => {
          // The event retains the message: its estimate is its own size plus the cost of the message.
          if (event.data !== END)
            message = { cost: jsc.estimateShallowMemoryUsageOf(event), received: event.data };
          else {
            clearTimeout(late);
            if (message === null) reject(new NotDelivered(''));
            else resolve(message);
          }
        };
        try {
          port1.postMessage(value);
          port1.postMessage(END);
        } catch (error) {
          clearTimeout(late);
          reject(error);
        }
      }),
    close: () => {
      port1.close();
      port2.close();
    },
  };
}

/** null when the estimates are not those of 1.2.20 to 1.4.5: then nothing can be confirmed. */
export async function openSelfChannel(jsc: BunJsc): Promise<SelfChannel | null> {
  const channel = openCostChannel(jsc);
  const empty = await channel.post(undefined);
  const base = empty.cost - UNDEFINED_BYTES;
  const post = async (value: unknown): Promise<ReceivedMessage> => {
    const { cost, received } = await channel.post(value);
    return { cost: cost - base, received };
  };
  const isFast = async (value: unknown) =>
    (await post(value)).cost === fastPathCost(value, bytesByContent)?.costs[0]?.bytes;
  const slow = await post({ a: {} });
  // Every version serializes a nested object: 9 bytes a container, 6 for the key and its index.
  if (!(base > 0) || slow.cost !== NESTED_BYTES) {
    channel.close();
    return null;
  }
  return {
    post,
    fastObjects: await isFast({ a: 1 }),
    // Up to Bun 1.4.0 a literal here may be born in slow storage, once frozen arrays were seen.
    fastArrays: await isFast(JSON.parse('[{"a":1}]')),
    close: channel.close,
  };
}

/** Wire of `{ a: {} }`, the same from 1.2.20 to 1.4.5. */
const NESTED_BYTES = 19;
