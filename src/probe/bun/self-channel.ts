/** Posts values to itself and reads off the event what the message cost, which tells the path that Bun took. */

import type { BunJsc } from './jsc.ts';
import { fastForm, widthByContent } from './message-cost.ts';

/** A message in the same process arrives within microseconds; this is for an engine that stopped delivering. */
const PATIENCE_MS = 10_000;
/** Serialized `undefined`: version and one tag. */
const UNDEFINED_BYTES = 5;

/** The engine took the message and did not deliver it. */
export class NotDelivered extends Error {
  override name = 'NotDelivered';
}

export interface Arrived {
  /** Bytes that the message held: SerializedScriptValue::memoryCost. */
  cost: number;
  received: unknown;
}

export interface BunWire {
  /** Rejects with what postMessage throws (DataCloneError, or an error of a getter). */
  post(value: unknown): Promise<Arrived>;
  /** This version takes flat objects, and arrays of them, by the fast path. */
  fastObjects: boolean;
  fastArrays: boolean;
  close(): void;
}

function opened(jsc: BunJsc): { post(value: unknown): Promise<Arrived>; close(): void } {
  const { port1, port2 } = new MessageChannel();
  let arrived: ((event: { data: unknown }) => void) | null = null;
  // The web event, not the data that Node's `on` hands over: only the event keeps the message.
  port2.addEventListener('message', (event) => arrived?.(event as Event & { data: unknown }));
  port2.start();
  return {
    post: (value) =>
      new Promise((resolve, reject) => {
        const late = setTimeout(() => reject(new NotDelivered('the message did not arrive')), PATIENCE_MS);
        arrived = (event) => {
          clearTimeout(late);
          // The event keeps the message alive; its estimate is its own size plus the cost of the message.
          resolve({ cost: jsc.estimateShallowMemoryUsageOf(event), received: event.data });
        };
        try {
          port1.postMessage(value);
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

/** Null when the estimates do not answer as they do in 1.2.20 to 1.4.5: then nothing is confirmed. */
export async function bunWire(jsc: BunJsc): Promise<BunWire | null> {
  const channel = opened(jsc);
  const empty = await channel.post(undefined);
  const base = empty.cost - UNDEFINED_BYTES;
  const post = async (value: unknown): Promise<Arrived> => {
    const { cost, received } = await channel.post(value);
    return { cost: cost - base, received };
  };
  const isFast = async (value: unknown) =>
    (await post(value)).cost === fastForm(value, widthByContent)?.costs[0]?.bytes;
  const slow = await post({ a: {} });
  // A nested object is serialized by every version: 9 bytes a container, 6 for the key and its index.
  if (!(base > 0) || slow.cost !== NESTED_BYTES) {
    channel.close();
    return null;
  }
  return {
    post,
    fastObjects: await isFast({ a: 1 }),
    fastArrays: await isFast([{ a: 1 }]),
    close: channel.close,
  };
}

/** Wire of `{ a: {} }`, the same from 1.2.20 to 1.4.5. */
const NESTED_BYTES = 19;
