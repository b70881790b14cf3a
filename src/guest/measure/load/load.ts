import { ToolError } from '../../../model/errors.ts';
import type { Ask, Contestant, Loaded } from '../../../model/wire.ts';
import { groundHere } from '../../platform/platform.ts';
import { Form } from '../loop/message-factory.ts';
import { Source } from '../loop/value-source.ts';
import { openWay, type Way } from '../peer/channel.ts';
import type { Ground, Lane, Peer } from '../peer/endpoint.ts';
import { Offering } from './load-generator.ts';

export type LoadAsk = Extract<Ask, { type: 'load' }>;

/** Beside the guest's own bundle. */
const TAKER = new URL('./acknowledging-receiver.mjs', import.meta.url);
const ORIGINAL: Contestant = { id: 'original', remedy: null, plan: null, mode: 'original' };
/** One after the other before the load: nobody's first messages are what a program under load sees. */
const WARM_MESSAGES = 20;
const WARM_MS = 100;

/**
 * The payload under load, to a fresh worker that takes each message and says so with an empty one.
 *
 * @throws ToolError 'measure-failed' when the peer dies, 'channel-unsupported' where nobody waits or takes in a thread
 *   of its own, and what building or sending the payload throws
 */
export async function load(ask: LoadAsk): Promise<Loaded> {
  if (ask.channel === 'ipc' || ask.channel === 'structured-clone') {
    const detail = 'load is offered to worker threads only';
    throw new ToolError('channel-unsupported', { value: ask.channel, detail });
  }
  const ground = groundHere();
  const peer = ground.spawnWorker(TAKER);
  const way = openWay(ask.channel, ground, peer);
  const died = new Promise<never>((_, reject) => {
    peer.onDeath = (why) => reject(new ToolError('measure-failed', { detail: why }));
  });
  try {
    return await Promise.race([offer(ask, way, peer, ground), died]);
  } finally {
    if (way.lane !== peer.lane) way.lane.close();
    await peer.end();
  }
}

async function offer(ask: LoadAsk, { lane, far, list }: Way, peer: Peer, ground: Ground): Promise<Loaded> {
  const form = new Form(ORIGINAL, new Source(ask.recipe, ground.leavesTraces));
  await form.prepare(ORIGINAL, false);
  await answered(peer.lane, () => peer.lane.postWith(far, list));
  const began = performance.now();
  for (let at = 0; at < WARM_MESSAGES && performance.now() - began < WARM_MS; at++) {
    await answered(lane, () => form.post(lane));
  }
  return new Offering(lane, form, ask).run();
}

function answered(lane: Lane, post: () => void): Promise<void> {
  return new Promise((resolve) => {
    lane.onMessage = () => resolve();
    post();
  });
}
