/**
 * Work of the two bundles of a guest: the guest answers its host, the peer at the other end of messages its guest. Their
 * entries give the platform, the probe and the way to the host.
 */
import { giveProbe, type RuntimeProbe } from '../engines/probe/probe.ts';
import { noteWasmMemory } from '../engines/probe/type-detection.ts';
import type { RuntimeId } from '../model/documents/names.ts';
import { ToolError } from '../model/errors.ts';
import { orElse } from '../model/or-else.ts';
import type {
  AnswerTo,
  Failed,
  FromGuest,
  GuestRequest,
  NumberedRequest,
  RequestOf,
  Stage,
} from '../model/wire/wire.ts';
import { flatMap, map } from '../value/read/lists.ts';
import { acknowledgeMessages, type EchoStart } from './channel/channel.ts';
import {
  branchBytes,
  describePayload,
  dimensions,
  findLosses,
  makeSchema,
  sampleText,
} from './describe/describe-payload.ts';
import type { Connected, GuestLink } from './link/message-text.ts';
import { measure, measureMemory, profile } from './measure/measure.ts';
import * as peers from './measure/peer-session.ts';
import { type HandedValues, type MessageFactory, prepareVariants } from './measure/variants.ts';
import { open } from './payload/module.ts';
import { now } from './platform/common/clock.ts';
import {
  currentPlatform,
  type Endpoint,
  givePlatform,
  noop,
  type OtherEnd,
  openEnd,
  type PeerStart,
  type Platform,
} from './platform/common/platform.ts';
import { prove, type RestoreRequest, restoreMessages } from './prove/prove-rewrites.ts';
import { restoreBuiltIns, surviveUserCode, thrownMessage, thrownStack } from './user-code/user-code.ts';

type Handler<K extends GuestRequest['type']> = (
  request: RequestOf<K>,
  onStage: (stage: Stage) => Promise<void>,
) => Promise<AnswerTo<K>>;

export const HANDLERS: { [K in Exclude<GuestRequest['type'], 'exit'>]: Handler<K> } = {
  open,
  describe: describePayload,
  losses: findLosses,
  schema: makeSchema,
  prove,
  measure,
  dimensions,
  sample: sampleText,
  profile,
  'branch-bytes': branchBytes,
  memory: measureMemory,
};

function toFailed(error: unknown): Failed {
  if (!(error instanceof ToolError)) {
    return { type: 'failed', code: 'internal', message: thrownMessage(error), stack: thrownStack(error) };
  }
  const { code, message, facts } = error;
  return { type: 'failed', code, message, facts };
}

/** Start of the thread that posts in place of this thread: a worker of this page, or the channel's starting thread. */
function senderOf({ sender, ...request }: NumberedRequest): PeerStart | undefined {
  const { peers, senders } = currentPlatform();
  if (sender === 'worker') return peers.worker;
  return 'channel' in request && request.channel ? senders?.[request.channel] : undefined;
}

async function answerElsewhere(start: PeerStart, asked: NumberedRequest, link: GuestLink): Promise<void> {
  const worker = await start('main');
  const answered = new Promise<void>((resolve) => {
    worker.endpoint.onMessage = (data) => {
      const message = data as FromGuest;
      link.send(message);
      if (message.type !== 'progress') resolve();
    };
  });
  try {
    worker.endpoint.post({ ...asked, sender: 'main' });
    await worker.whileAlive(answered);
  } catch (error) {
    link.send({ ...toFailed(error), id: asked.id });
  } finally {
    await worker.end();
  }
}

export function answerRequests(link: GuestLink, exit: () => void, handlers = HANDLERS): void {
  const answer = async (asked: NumberedRequest): Promise<void> => {
    const { id, sender: _, ...request } = asked;
    if (request.type === 'exit') return exit();
    const start = senderOf(asked);
    if (start) return answerElsewhere(start, asked, link);
    let result: AnswerTo<GuestRequest['type']> | Failed;
    try {
      const detail = currentPlatform().refused?.[request.type];
      if (detail !== undefined) throw new ToolError('measure-failed', { detail });
      const handler = handlers[request.type] as Handler<GuestRequest['type']>;
      result = await handler(request, async (stage) => {
        link.send({ type: 'progress', stage, id });
        // Deno sends in the next turn, and a huge value keeps the thread busy.
        await currentPlatform().turnOfEventLoop();
      });
    } catch (error) {
      result = toFailed(error);
    }
    link.send({ ...result, id });
  };
  let queue = Promise.resolve();
  link.onMessage = (request) => {
    queue = queue.then(() => answer(request));
  };
}

interface Host {
  runtime: RuntimeId;
  connect(beforeRequest: () => void): Connected;
  exit(): void;
}

/** @param host null for a thread that posts in place of another: it answers the guest that started it */
export function runGuest(platform: Platform, probe: RuntimeProbe, host: Host | null): void {
  givePlatform(platform);
  giveProbe(probe);
  noteWasmMemory();
  surviveUserCode(platform);
  if (host === null) {
    const parent = platform.parentEndpoint();
    const link: GuestLink = { send: (message) => parent.post(message), onMessage: noop };
    answerRequests(link, noop);
    parent.onMessage = (request) => link.onMessage(request as NumberedRequest);
    return;
  }
  const { link, token } = host.connect(restoreBuiltIns);
  answerRequests(link, host.exit);
  link.send({ type: 'hello', token, runtime: host.runtime });
}

// The peer: a worker, frame or child process.

/** The first message tells the peer's purpose. One before it opens another channel for posting back or measuring. */
export function answerGuest(parent: Endpoint): void {
  let endpoint = parent;
  parent.onMessage = (data) => {
    const start = data as OtherEnd | EchoStart | peers.PeerStart | RestoreRequest;
    if ('port' in start || 'broadcast' in start) {
      endpoint = openEnd(start);
      return;
    }
    // User code does not run there: a message that it cannot read ends it, as it ends a program.
    if ('acknowledges' in start) return acknowledgeMessages(parent, endpoint);
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
 */
function echo(
  { token, memory, oneWay }: peers.PeerStart,
  endpoint: Endpoint,
  factories: readonly MessageFactory[],
  onFinish: () => void,
): void {
  const shared = memory && new peers.SharedInstructions(memory);
  const reader: peers.Instructions = shared ?? new peers.PostedInstructions(token);
  const { receiveOnPort, collectGarbage } = currentPlatform();
  let receiver = eventReceiver((ns) => shared?.reportReceived(ns));
  const fail = (reason: string): void => {
    shared?.reportReceived(-1);
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
  const receive = (factory: MessageFactory, port: MessagePort | null): void => {
    if (shared?.awaitPosted() === false) shared.reportReceived(0);
    else if (shared && port && receiveOnPort)
      shared.reportReceived(timeOnPort(port, receiveOnPort, factory, shared.messages));
    else receiver.begin(factory, reader.messages);
  };
  endpoint.onMessage = (data) => {
    try {
      if (receiver.arrived(data)) return;
      reader.read(data);
      const factory = factories[reader.variant] as MessageFactory;
      if (reader.instruction === peers.ANSWER) {
        factory.restore(data);
        factory.post(endpoint);
      } else if (reader.instruction === peers.RECEIVE) receive(factory, oneWay);
      else if (reader.instruction === peers.RETAIN) {
        // Values that the receiver before has kept are garbage now.
        receiver = eventReceiver(() => endpoint.post(''), []);
        collectGarbage();
        receive(factory, null);
      } else if (reader.instruction === peers.PREPARE) void prepare(factory);
      else if (reader.instruction === peers.FINISH) onFinish();
    } catch (error) {
      fail(thrownMessage(error));
    }
  };
  endpoint.onMessageError = (reason) => {
    // `lost` throws at the last awaited message.
    if (!orElse(() => receiver.lost(reason), false)) fail(reason);
  };
}

const failedProfile = (error: unknown): peers.SideProfile => ({
  ...peers.NO_PROFILE,
  missing: [{ what: 'receiver', why: thrownMessage(error) }],
});

/** The message of an error without the file, which its reader knows. */
const reasonOf = (error: unknown): string =>
  error instanceof ToolError ? error.message.replace(`${error.facts.file}: `, '') : thrownMessage(error);

/** Answers when all is built: the first message does not wait. A value that cannot be built may be handed over. */
async function begin(
  parent: Endpoint,
  start: peers.PeerStart,
  endpoint: Endpoint,
  handed?: HandedValues,
): Promise<void> {
  const thread = currentPlatform().ownThread?.() ?? null;
  const ready: peers.PeerReady = { failed: null, failures: [], thread };
  try {
    const { variants: asked, recipe } = start;
    const values = start.retains ? null : handed;
    const variants = await prepareVariants(asked, recipe, endpoint.transfers, 'receiver', values);
    const watch = currentPlatform().watchGc?.() ?? null;
    const endProfile = start.profile && (await peers.startProfile('receiver', start.profile));
    const finish = async (): Promise<void> => {
      const gc = watch?.stop() ?? null;
      const profile = endProfile && (await endProfile().catch(failedProfile));
      endpoint.post({ gc, profile } satisfies peers.PeerResults);
    };
    const factories = map(variants, ({ factory }) => factory);
    echo(start, endpoint, factories, () => void finish());
    ready.failures = flatMap(variants, ({ samples: { error } }, index) =>
      error === null ? [] : [[index, error] as [number, string]],
    );
  } catch (error) {
    ready.failed = reasonOf(error);
    parent.onMessage = (values) => void begin(parent, start, endpoint, values as HandedValues);
    parent.onMessageError = (reason) => parent.post({ ...ready, failed: reason });
  }
  parent.post(ready);
}

/**
 * Node and Bun: one call a message, without the event loop. All are queued, so the calls do not wait. Those after a
 * failure would be taken for messages of the next variant. @throws the error of restoring
 */
export function timeOnPort(
  port: MessagePort,
  receive: NonNullable<Platform['receiveOnPort']>,
  factory: MessageFactory,
  messages: number,
): number {
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
  return now() - began;
}

/**
 * Deno and pages: times receiving and restoring messages that are all queued, from the end of one event to the next.
 * Both `arrived` and `lost`, of a message that cannot be deserialized, are false if no message is awaited. At the event
 * of the last they report the time, or throw the first error. `kept` gets the restored values.
 */
export function eventReceiver(report: (ns: number) => void, kept: unknown[] | null = null) {
  let current: MessageFactory | null = null;
  let [began, awaited] = [0, 0];
  let failure: { error: unknown } | null = null;
  const counted = (): true => {
    if (--awaited > 0) return true;
    const failed = failure;
    current = failure = null;
    if (failed !== null) throw failed.error;
    report(now() - began);
    return true;
  };
  return {
    begin(factory: MessageFactory, messages: number): void {
      current = factory;
      awaited = messages;
      began = now();
    },
    arrived(data: unknown): boolean {
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
    lost(reason: string): boolean {
      if (current === null) return false;
      failure ??= { error: new Error(reason) };
      return counted();
    },
  };
}
