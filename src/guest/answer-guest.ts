/** Work of the worker, frame or child process at the other end of messages. */
import { giveProbe, type RuntimeProbe } from '../engines/probe/probe.ts';
import { ToolError } from '../model/errors.ts';
import { orElse } from '../model/or-else.ts';
import { flatMap, map } from '../value/read/lists.ts';
import { acknowledgeMessages, type EchoStart } from './channel/channel.ts';
import {
  ANSWER,
  FINISH,
  type Instructions,
  type PeerReady,
  type PeerResults,
  type PeerStart,
  PostedInstructions,
  PREPARE,
  RECEIVE,
  RETAIN,
  SharedInstructions,
} from './measure/peer/peer-session.ts';
import { startProfile } from './measure/peer/side-profiler.ts';
import type { MessageFactory } from './measure/variants/message-factory.ts';
import { type HandedValues, prepareVariants } from './measure/variants/prepare.ts';
import { now } from './platform/common/clock.ts';
import {
  currentPlatform,
  type Endpoint,
  givePlatform,
  type OtherEnd,
  openEnd,
  type Platform,
} from './platform/common/platform.ts';
import { type RestoreRequest, restoreMessages } from './prove/prove.ts';
import { thrownMessage } from './user-code/thrown.ts';
import { surviveUserCode } from './user-code/user-code.ts';

/**
 * The first message says what the peer is for: to post back values that may be refused, to measure, or to restore. One
 * before it opens another channel for what is posted back or measured.
 * @param parent endpoint to the guest that started this peer
 */
export function answerGuest(parent: Endpoint): void {
  let endpoint = parent;
  parent.onMessage = (data) => {
    const start = data as OtherEnd | EchoStart | PeerStart | RestoreRequest;
    if ('port' in start || 'broadcast' in start) {
      endpoint = openEnd(start);
      return;
    }
    // User code does not run there: a message that it cannot read ends it, as it ends a program.
    if ('acknowledges' in start) return acknowledgeMessages(parent, endpoint, start.acknowledges);
    surviveUserCode(currentPlatform());
    if ('proof' in start) restoreMessages(parent, start);
    else void begin(parent, start, endpoint);
  };
}

export function runPeer(platform: Platform, probe: RuntimeProbe): void {
  givePlatform(platform);
  giveProbe(probe);
  answerGuest(platform.parentEndpoint());
}

/**
 * The peer's side. It answers with an equal value that it made the same way, so that both directions cost the same. The
 * received value may be degraded (V8 deserializes every array as a holey one, which takes the key-by-key path back and
 * costs several times as much), and programs seldom answer with the object that they received.
 * @param timing timer of receiving; null between processes
 */
function echo(
  endpoint: Endpoint,
  factories: readonly MessageFactory[],
  token: string,
  timing: ReturnType<typeof startTiming>,
  onFinish: () => void,
): void {
  const reader: Instructions = timing?.shared ?? new PostedInstructions(token);
  let receiver: ReceiveTimer | null = null;
  const fail = (reason: string): void => {
    timing?.shared.reportReceived(-1);
    endpoint.post(token + reason);
  };
  const prepare = async (factory: MessageFactory): Promise<void> => {
    try {
      if (factory.consumed) await factory.fill();
      endpoint.post('');
    } catch (error) {
      fail(thrownMessage(error));
    }
  };
  /** Blocks until the sender has posted or given up. A frame has the page's thread: all is posted when it runs. */
  const receive = (by: ReceiveTimer, factory: MessageFactory): void => {
    receiver = by;
    if (timing?.shared.awaitPosted() !== false) by.begin(factory, reader.messages);
    else timing.shared.reportReceived(0);
  };
  const retain = (factory: MessageFactory): void => {
    // Values that the receiver has kept are garbage now.
    receiver = null;
    currentPlatform().collectGarbage();
    receive(eventReceiveTimer({ reportReceived: () => endpoint.post('') }, []), factory);
  };
  endpoint.onMessage = (data) => {
    try {
      if (receiver?.arrived(data)) return;
      reader.read(data);
      const factory = factories[reader.variant] as MessageFactory;
      if (reader.instruction === ANSWER) {
        factory.restore(data);
        factory.post(endpoint);
      } else if (reader.instruction === RECEIVE && timing) receive(timing.timer, factory);
      else if (reader.instruction === RETAIN) retain(factory);
      else if (reader.instruction === PREPARE) void prepare(factory);
      else if (reader.instruction === FINISH) onFinish();
    } catch (error) {
      fail(thrownMessage(error));
    }
  };
  endpoint.onMessageError = (reason) => {
    // `lost` throws at the last awaited message.
    if (!orElse(() => receiver?.lost(reason) === true, false)) fail(reason);
  };
}

function startTiming({
  memory,
  oneWay,
}: PeerStart): { timer: ReceiveTimer; shared: SharedInstructions } | null {
  if (memory === null) return null;
  const shared = new SharedInstructions(memory);
  const { receiveOnPort } = currentPlatform();
  const timer =
    oneWay && receiveOnPort ? portReceiveTimer(oneWay, receiveOnPort, shared) : eventReceiveTimer(shared);
  return { timer, shared };
}

async function startEcho(
  start: PeerStart,
  endpoint: Endpoint,
  handed: HandedValues | undefined,
): Promise<PeerReady['failures']> {
  const { variants: asked, recipe, profile } = start;
  const values = start.retains ? null : handed;
  const variants = await prepareVariants(asked, recipe, endpoint.transfers, 'receiver', values);
  const watch = currentPlatform().watchGc?.() ?? null;
  const endProfile = profile && (await startProfile('receiver', profile));
  const finish = async (): Promise<void> => {
    const gc = watch?.stop() ?? null;
    const written = endProfile && (await endProfile().catch(thrownMessage));
    endpoint.post({ gc, profile: written } satisfies PeerResults);
  };
  const factories = map(variants, ({ factory }) => factory);
  echo(endpoint, factories, start.token, startTiming(start), () => void finish());
  return flatMap(variants, ({ samples: { error } }, index) =>
    error === null ? [] : [[index, error] as [number, string]],
  );
}

/** The message of an error without the file, which its reader knows. */
const reasonOf = (error: unknown): string =>
  error instanceof ToolError ? error.message.replace(`${error.facts.file}: `, '') : thrownMessage(error);

/** Answers when all is built: the first message does not wait. A value that cannot be built may be handed over. */
async function begin(
  parent: Endpoint,
  start: PeerStart,
  endpoint: Endpoint,
  handed?: HandedValues,
): Promise<void> {
  const thread = currentPlatform().ownThread?.() ?? null;
  const ready: PeerReady = { failed: null, failures: [], thread };
  try {
    ready.failures = await startEcho(start, endpoint, handed);
  } catch (error) {
    ready.failed = reasonOf(error);
    parent.onMessage = (values) => void begin(parent, start, endpoint, values as HandedValues);
    parent.onMessageError = (reason) => parent.post({ ...ready, failed: reason });
  }
  parent.post(ready);
}

/**
 * Times receiving and restoring messages. It throws the error of restoring when all messages are received: those that
 * are left would be taken for messages of the next variant.
 */
export interface ReceiveTimer {
  /** Called in a message event when the messages are queued. Reports at once, or at the event of the last. */
  begin(factory: MessageFactory, messages: number): void;
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

/** Deno and pages: from the end of one event to the next, as all are queued. `kept` gets the restored values. */
export function eventReceiveTimer(
  shared: Pick<SharedInstructions, 'reportReceived'>,
  kept: unknown[] | null = null,
): ReceiveTimer {
  let current: MessageFactory | null = null;
  let [began, awaited] = [0, 0];
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
        if (failure === null) {
          const restored = current.restore(data);
          kept?.push(restored);
        }
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
