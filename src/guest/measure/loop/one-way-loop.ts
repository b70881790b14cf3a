import type { PeerLife } from '../../channel/channel.ts';
import { now } from '../../platform/common/clock.ts';
import { type Endpoint, nextMessage } from '../../platform/common/platform.ts';
import { currentPlatform } from '../../platform/current.ts';
import { RECEIVE, type SharedInstructions } from '../peer/instructions.ts';
import { failureIn, type PeerSession } from '../peer/peer-session.ts';
import type { MessageFactory } from '../variants/message-factory.ts';
import type { PreparedVariant } from '../variants/prepare.ts';
import { type TimedLoop, takeTurns } from './interleave.ts';
import type { Schedule } from './schedule.ts';

/**
 * Times send and receive apart. When a message event fires, the receiver has already deserialized (Node, Deno).
 * Therefore the peer is told that a message will come, waits on shared memory until it is queued, and times receiving
 * it on its own clock: a duration, so that two clocks need not agree. The send is timed while the peer waits there: a
 * peer that the message wakes is often scheduled on the sender's core, and `postMessage` then seems to last as long as
 * the peer's whole work (seen on two busy cores: 40 µs or 155 µs for the same 256 rows). With a coarse clock it is a burst
 * of messages, which the peer receives one after the other.
 *
 * @param life waiting stops when it is over
 */
export function oneWayLoop(
  { endpoint, oneWay, token }: PeerSession,
  shared: SharedInstructions,
  variants: readonly PreparedVariant[],
  schedule: Schedule,
  life: PeerLife,
): TimedLoop {
  const sendOne = async (variant: PreparedVariant, index: number): Promise<void> => {
    const { factory, samples } = variant;
    if (factory.consumed) await factory.fill();
    const { messages } = samples.bursts;
    const failure = nextMessage(endpoint, () => shared.reset());
    shared.messages = messages;
    shared.post(endpoint, RECEIVE, index);
    while (!shared.awaitReady() && !life.over) await currentPlatform().turnOfEventLoop();
    const posted = await postBurst(factory, oneWay ?? endpoint, messages);
    // The peer waits for as many as were posted.
    if (posted.error !== null) shared.messages = posted.messages;
    shared.reportPosted(posted.messages > 0);
    // Also when nothing was posted: the instructions must not change before the peer has read them.
    while (!shared.awaitReceived() && !life.over) await currentPlatform().turnOfEventLoop();
    const { duration } = shared;
    // Also when posting failed: what the peer posts must not come to the next variant.
    const reason = duration < 0 ? (failureIn(token, await failure) ?? '') : null;
    if (posted.error !== null) throw posted.error;
    if (reason !== null) throw new Error(reason);
    const shorter = Math.min(posted.ns, duration);
    // One that may have taken no step of the clock is done again, and is longer now.
    if (samples.bursts.mustGoOn(shorter)) return sendOne(variant, index);
    samples.bursts.took(shorter);
    if (!loop.keeping) return;
    samples.send.add(posted.ns / messages);
    samples.receive.add(duration / messages);
  };
  const loop: TimedLoop = {
    keeping: false,
    schedule,
    run: (stop) => takeTurns(schedule, variants, stop, sendOne),
  };
  return loop;
}

/** The time in which values are built does not count. */
async function postBurst(factory: MessageFactory, endpoint: Endpoint, messages: number) {
  const posted = { messages: 0, ns: 0, error: null as unknown };
  try {
    let began = now();
    while (posted.messages < messages) {
      if (factory.consumed) {
        posted.ns += now() - began;
        await factory.fill();
        began = now();
      }
      factory.post(endpoint);
      posted.messages++;
    }
    posted.ns += now() - began;
  } catch (error) {
    posted.error = error ?? new Error('undefined was thrown');
  }
  return posted;
}
