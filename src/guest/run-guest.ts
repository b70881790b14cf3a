/** Work of the bundle of a guest: its entry gives the platform, the probe and the way to the host. */

import { giveProbe, type RuntimeProbe } from '../engines/probe/probe.ts';
import { noteWasmMemory } from '../engines/probe/type-detection.ts';
import type { RuntimeId } from '../model/documents/names.ts';
import { ToolError } from '../model/errors.ts';
import type * as wire from '../model/wire/wire.ts';
import * as describe from './describe/describe-payload.ts';
import type { Connected, GuestLink } from './link/message-text.ts';
import { measure, measureMemory, profile } from './measure/measure.ts';
import { open } from './payload/module.ts';
import * as guest from './platform/common/platform.ts';
import { prove } from './prove/prove.ts';
import { restoreBuiltIns, surviveUserCode, thrownMessage, thrownStack } from './user-code/user-code.ts';

type Handler<K extends wire.GuestRequest['type']> = (
  request: wire.RequestOf<K>,
  onStage: (stage: wire.Stage) => Promise<void>,
) => Promise<wire.AnswerTo<K>>;

export const HANDLERS: { [K in Exclude<wire.GuestRequest['type'], 'exit'>]: Handler<K> } = {
  open,
  describe: describe.describePayload,
  losses: describe.findLosses,
  schema: describe.makeSchema,
  prove,
  measure,
  dimensions: describe.dimensions,
  sample: describe.sampleText,
  profile,
  'branch-bytes': describe.branchBytes,
  memory: measureMemory,
};

function toFailed(error: unknown): wire.Failed {
  if (!(error instanceof ToolError)) {
    return { type: 'failed', code: 'internal', message: thrownMessage(error), stack: thrownStack(error) };
  }
  const { code, message, facts } = error;
  return { type: 'failed', code, message, facts };
}

/** Start of the thread that posts in place of this thread: a worker of this page, or the channel's starting thread. */
function senderOf({ sender, ...request }: wire.NumberedRequest): guest.PeerStart | undefined {
  const { peers, senders } = guest.currentPlatform();
  if (sender === 'worker') return peers.worker;
  return 'channel' in request && request.channel ? senders?.[request.channel] : undefined;
}

async function answerElsewhere(
  start: guest.PeerStart,
  asked: wire.NumberedRequest,
  link: GuestLink,
): Promise<void> {
  const worker = await start('main');
  const answered = new Promise<void>((resolve) => {
    worker.endpoint.onMessage = (data) => {
      const message = data as wire.FromGuest;
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
  asked: wire.NumberedRequest,
  link: GuestLink,
  exit: () => void,
  handlers: typeof HANDLERS,
): Promise<void> {
  const { id, sender: _, ...request } = asked;
  if (request.type === 'exit') return exit();
  const start = senderOf(asked);
  if (start) return answerElsewhere(start, asked, link);
  let result: wire.AnswerTo<wire.GuestRequest['type']> | wire.Failed;
  try {
    const detail = guest.currentPlatform().refused?.[request.type];
    if (detail !== undefined) throw new ToolError('measure-failed', { detail });
    const handler = handlers[request.type] as Handler<wire.GuestRequest['type']>;
    result = await handler(request, async (stage) => {
      link.send({ type: 'progress', stage, id });
      // Deno sends in the next turn, and a huge value keeps the thread busy.
      await guest.currentPlatform().turnOfEventLoop();
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
export function runGuest(platform: guest.Platform, probe: RuntimeProbe, host: Host | null): void {
  guest.givePlatform(platform);
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

function answerParent(parent: guest.Endpoint): void {
  const link: GuestLink = { send: (message) => parent.post(message), onMessage: guest.noop };
  answerRequests(link, guest.noop);
  parent.onMessage = (request) => link.onMessage(request as wire.NumberedRequest);
}
