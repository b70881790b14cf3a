/** Work of the bundle of a guest: its entry gives the platform, the probe and the way to the host. */

import { giveProbe, type RuntimeProbe } from '../engines/probe/probe.ts';
import { noteWasmMemory } from '../engines/probe/type-detection.ts';
import type { RuntimeId } from '../model/documents/names.ts';
import { ToolError } from '../model/errors.ts';
import type {
  AnswerTo,
  Failed,
  FromGuest,
  GuestRequest,
  NumberedRequest,
  RequestOf,
  Stage,
} from '../model/wire/wire.ts';
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
import { open } from './payload/module.ts';
import {
  currentPlatform,
  type Endpoint,
  givePlatform,
  noop,
  type PeerStart,
  type Platform,
} from './platform/common/platform.ts';
import { prove } from './prove/prove-rewrites.ts';
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

async function answer(
  asked: NumberedRequest,
  link: GuestLink,
  exit: () => void,
  handlers: typeof HANDLERS,
): Promise<void> {
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
}

export function answerRequests(link: GuestLink, exit: () => void, handlers = HANDLERS): void {
  let queue = Promise.resolve();
  link.onMessage = (request) => {
    queue = queue.then(() => answer(request, link, exit, handlers));
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
  if (host === null) answerParent(platform.parentEndpoint());
  else {
    const { link, token } = host.connect(restoreBuiltIns);
    answerRequests(link, host.exit);
    link.send({ type: 'hello', token, runtime: host.runtime });
  }
}

function answerParent(parent: Endpoint): void {
  const link: GuestLink = { send: (message) => parent.post(message), onMessage: noop };
  answerRequests(link, noop);
  parent.onMessage = (request) => link.onMessage(request as NumberedRequest);
}
