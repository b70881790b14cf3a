import { ORIGINAL } from '../../../core/stats/variant-samples.ts';
import { ToolError } from '../../../model/errors.ts';
import type { Channel } from '../../../model/names.ts';
import type { LoadResult } from '../../../model/wire/load.ts';
import type { RequestOf } from '../../../model/wire/wire.ts';
import { type OpenChannel, openChannel, spawnPeer } from '../../channel/channel.ts';
import { PeerLife } from '../../channel/peer-life.ts';
import { now } from '../../platform/common/clock.ts';
import { nextMessage, type Peer } from '../../platform/common/endpoint.ts';
import { MessageFactory } from '../variants/message-factory.ts';
import { ValueSource } from '../variants/value-source.ts';
import { LoadGenerator } from './load-generator.ts';

/** Before the load, one after the other: a program under load does not see first messages. */
const WARMUP_MESSAGES = 20;
const WARMUP_NS = 100e6;

/** Channels whose receiver is a thread of its own. */
const TO_WORKERS: readonly Channel[] = ['worker', 'node-worker', 'message-port', 'broadcast'];

/**
 * The original under load, to a fresh worker that receives each message and acknowledges it with an empty one.
 *
 * @throws ToolError 'measure-failed' when the peer dies, 'channel-unsupported' for channels without a worker that
 *   receives, and what building or posting the payload throws
 */
export async function load(request: RequestOf<'load'>): Promise<LoadResult> {
  if (!TO_WORKERS.includes(request.channel)) {
    const detail = 'a load can only be measured with a worker thread that receives';
    throw new ToolError('channel-unsupported', { value: request.channel, detail });
  }
  const peer = await spawnPeer(request.channel, 'acknowledging-receiver');
  const life = new PeerLife(peer);
  const channel = openChannel(request.channel, peer);
  try {
    return await life.whileAlive(generateLoad(request, channel, peer));
  } finally {
    if (channel.endpoint !== peer.endpoint) channel.endpoint.close();
    await peer.end();
  }
}

async function generateLoad(
  request: RequestOf<'load'>,
  { endpoint, far, transfer }: OpenChannel,
  peer: Peer,
): Promise<LoadResult> {
  const factory = new MessageFactory(ORIGINAL, new ValueSource(request.recipe, 'alone'));
  await factory.prepare(ORIGINAL, false);
  await nextMessage(peer.endpoint, () => peer.endpoint.postWith(far, transfer));
  const began = now();
  for (let sent = 0; sent < WARMUP_MESSAGES && now() - began < WARMUP_NS; sent++) {
    await nextMessage(endpoint, () => factory.post(endpoint));
  }
  return new LoadGenerator(endpoint, factory, request).run();
}
