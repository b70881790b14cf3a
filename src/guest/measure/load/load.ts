import { ORIGINAL } from '../../../core/measure/variant.ts';
import { ToolError } from '../../../model/errors.ts';
import type { LoadResult, RequestOf } from '../../../model/wire.ts';
import { currentPlatform } from '../../platform/current.ts';
import type { Endpoint, Peer } from '../../platform/endpoint.ts';
import type { Platform } from '../../platform/platform.ts';
import { type OpenChannel, openChannel } from '../peer/channel.ts';
import { MessageFactory } from '../variants/message-factory.ts';
import { ValueSource } from '../variants/value-source.ts';
import { LoadGenerator } from './load-generator.ts';

/** Before the load, one after the other: a program under load does not see first messages. */
const WARMUP_MESSAGES = 20;
const WARMUP_MS = 100;

/**
 * The original under load, to a fresh worker that receives each message and acknowledges it with an empty one.
 *
 * @throws ToolError 'measure-failed' when the peer dies, 'channel-unsupported' where there is no worker to receive, and
 *   what building or sending the payload throws
 */
export async function load(request: RequestOf<'load'>): Promise<LoadResult> {
  if (request.channel === 'ipc' || request.channel === 'structured-clone') {
    const detail = 'load is offered to worker threads only';
    throw new ToolError('channel-unsupported', { value: request.channel, detail });
  }
  const platform = currentPlatform();
  const peer = platform.spawnWorker('acknowledging-receiver');
  const channel = openChannel(request.channel, platform, peer);
  const died = new Promise<never>((_, reject) => {
    peer.onExit = (reason) => reject(new ToolError('measure-failed', { detail: reason }));
  });
  try {
    return await Promise.race([generate(request, channel, peer, platform), died]);
  } finally {
    if (channel.endpoint !== peer.endpoint) channel.endpoint.close();
    await peer.end();
  }
}

async function generate(
  request: RequestOf<'load'>,
  { endpoint, far, transfer }: OpenChannel,
  peer: Peer,
  platform: Platform,
): Promise<LoadResult> {
  const factory = new MessageFactory(
    ORIGINAL,
    new ValueSource(request.recipe, platform.postingChangesValues),
  );
  await factory.prepare(ORIGINAL, false);
  await acknowledged(peer.endpoint, () => peer.endpoint.postWith(far, transfer));
  const began = performance.now();
  for (let sent = 0; sent < WARMUP_MESSAGES && performance.now() - began < WARMUP_MS; sent++) {
    await acknowledged(endpoint, () => factory.post(endpoint));
  }
  return new LoadGenerator(endpoint, factory, request).run();
}

function acknowledged(endpoint: Endpoint, post: () => void): Promise<void> {
  return new Promise((resolve) => {
    endpoint.onMessage = () => resolve();
    post();
  });
}
