import { now } from '../../platform/common/clock.ts';
import type { Platform } from '../../platform/common/platform.ts';
import type { MessageFactory } from '../variants/message-factory.ts';
import type { SharedInstructions } from './instructions.ts';

/**
 * Times how long the peer takes to receive and restore messages. Throws what restoring throws, once all messages are
 * received: what is left would be taken for messages of the next variant.
 */
export interface ReceiveTimer {
  /** Called in a message event when the messages are queued. Reports at once, or at the event of the last. */
  begin(factory: MessageFactory, messages: number): void;
  /** True when the event was an awaited message. */
  arrived(data: unknown): boolean;
  /** A message cannot be deserialized. True when more are awaited; throws the reason at the last. */
  lost(reason: string): boolean;
}

/** Node and Bun: one call, without the event loop. The message is already queued, so the call does not wait. */
export const portReceiveTimer = (
  port: MessagePort,
  receive: NonNullable<Platform['receiveOnPort']>,
  shared: SharedInstructions,
): ReceiveTimer => ({
  begin(factory, messages) {
    const began = now();
    let done = 0;
    try {
      while (done < messages) {
        done++;
        const received = receive(port);
        // Bun before 1.4 deserializes a falsy message and then returns undefined, as if there were none.
        if (received !== undefined) factory.restore(received.message);
      }
    } catch (error) {
      for (; done < messages; done++) receive(port);
      throw error;
    }
    shared.reportReceived(now() - began);
  },
  // Nothing is awaited between two calls.
  arrived: () => false,
  lost: () => false,
});

/**
 * Deno and pages: from the end of one event to the next. The messages are already queued, so only receiving them happens
 * in between.
 */
export function eventReceiveTimer(shared: SharedInstructions): ReceiveTimer {
  let current: MessageFactory | null = null;
  let [began, awaited] = [0, 0];
  /** Why one of the messages was not received. */
  let failure: { error: unknown } | null = null;
  const counted = (): true => {
    if (--awaited > 0) return true;
    const failed = failure;
    current = failure = null;
    if (failed !== null) throw failed.error;
    shared.reportReceived(now() - began);
    return true;
  };
  return {
    begin(factory, messages) {
      current = factory;
      awaited = messages;
      began = now();
    },
    arrived(data) {
      if (current === null) return false;
      try {
        if (failure === null) current.restore(data);
      } catch (error) {
        failure = { error };
      }
      return counted();
    },
    lost(reason) {
      if (current === null) return false;
      failure ??= { error: new Error(reason) };
      return counted();
    },
  };
}
