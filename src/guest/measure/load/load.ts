import { ToolError } from '../../../model/errors.ts';
import type { GuestRequest, LoadResult, Variant } from '../../../model/wire.ts';
import { currentPlatform } from '../../platform/platform.ts';
import { MessageFactory } from '../loop/message-factory.ts';
import { ValueSource } from '../loop/value-source.ts';
import { type OpenChannel, openChannel } from '../peer/channel.ts';
import type { Endpoint, Peer, Platform } from '../peer/endpoint.ts';
import { LoadGenerator } from './load-generator.ts';

export type LoadAsk = Extract<GuestRequest, { type: 'load' }>;

/** Beside the guest's own bundle. */
const TAKER = new URL('./acknowledging-receiver.mjs', import.meta.url);
const ORIGINAL: Variant = { id: 'original', remedy: null, plan: null, mode: 'original' };
/** One after the other before the load: nobody's first messages are what a program under load sees. */
const WARM_MESSAGES = 20;
const WARM_MS = 100;

/**
 * The payload under load, to a fresh worker that takes each message and says so with an empty one.
 *
 * @throws ToolError 'measure-failed' when the peer dies, 'channel-unsupported' where nobody waits or takes in a thread
 *   of its own, and what building or sending the payload throws
 */
export async function load(ask: LoadAsk): Promise<LoadResult> {
  if (ask.channel === 'ipc' || ask.channel === 'structured-clone') {
    const detail = 'load is offered to worker threads only';
    throw new ToolError('channel-unsupported', { value: ask.channel, detail });
  }
  const ground = currentPlatform();
  const peer = ground.spawnWorker(TAKER);
  const way = openChannel(ask.channel, ground, peer);
  const died = new Promise<never>((_, reject) => {
    peer.onExit = (why) => reject(new ToolError('measure-failed', { detail: why }));
  });
  try {
    return await Promise.race([offer(ask, way, peer, ground), died]);
  } finally {
    if (way.endpoint !== peer.endpoint) way.endpoint.close();
    await peer.end();
  }
}

async function offer(
  ask: LoadAsk,
  { endpoint: lane, far, transfer: list }: OpenChannel,
  peer: Peer,
  ground: Platform,
): Promise<LoadResult> {
  const form = new MessageFactory(ORIGINAL, new ValueSource(ask.recipe, ground.postingChangesValues));
  await form.prepare(ORIGINAL, false);
  await answered(peer.endpoint, () => peer.endpoint.postWith(far, list));
  const began = performance.now();
  for (let at = 0; at < WARM_MESSAGES && performance.now() - began < WARM_MS; at++) {
    await answered(lane, () => form.post(lane));
  }
  return new LoadGenerator(lane, form, ask).run();
}

function answered(lane: Endpoint, post: () => void): Promise<void> {
  return new Promise((resolve) => {
    lane.onMessage = () => resolve();
    post();
  });
}
