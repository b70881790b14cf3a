import { seedFor } from '../../../core/stats/random.ts';
import { ToolError } from '../../../model/errors.ts';
import type { Measured } from '../../../model/wire.ts';
import { currentPlatform } from '../../platform/platform.ts';
import { now } from '../loop/clock.ts';
import { interleave } from '../loop/interleave.ts';
import { OneWayLoop } from '../loop/one-way-loop.ts';
import { gcOf, setsOf } from '../loop/results.ts';
import { RoundTripLoop } from '../loop/round-trip-loop.ts';
import { firstOf, Schedule } from '../loop/schedule.ts';
import { ValueSource } from '../loop/value-source.ts';
import { type PreparedVariants, prepareVariants, usableVariants } from '../loop/variants.ts';
import type { MeasureAsk, TellProgress } from '../measure.ts';
import type { Peer, Platform } from './endpoint.ts';
import type { PeerReady, PeerResults } from './handshake.ts';
import { FINISH } from './instructions.ts';
import { type MeasureSpec, openPeerSession, type PeerSession } from './peer-session.ts';

/** Beside the guest's own bundle. */
const PEER = new URL('./peer.mjs', import.meta.url);

/** Times round trips to a fresh peer, which is gone when this ends, whatever happened. */
export function measureWithPeer(ask: MeasureAsk, progress: TellProgress): Promise<Measured> {
  return withPeer(ask, (site, ground, life) => measureAt(site, ask, ground, life, progress));
}

/** Work that ends early when the peer dies. */
type Work<T> = (site: PeerSession, ground: Platform, life: { readonly over: boolean }) => Promise<T>;

/**
 * Starts a fresh peer and does the work with it; the peer is gone when this ends.
 *
 * @throws ToolError 'measure-failed' when the peer dies, 'channel-unsupported', and what the work throws
 */
export async function withPeer<T>(errand: MeasureSpec, work: Work<T>): Promise<T> {
  const ground = currentPlatform();
  const peer = spawn(errand, ground);
  const life = { over: false };
  const died = new Promise<never>((_, reject) => {
    peer.onExit = (why) => {
      life.over = true;
      reject(new ToolError('measure-failed', { detail: why }));
    };
  });
  const site = openPeerSession(errand, ground, peer);
  try {
    return await Promise.race([work(site, ground, life), died]);
  } finally {
    life.over = true;
    site.close();
    await peer.end();
  }
}

function spawn({ channel }: MeasureSpec, ground: Platform): Peer {
  if (channel !== 'ipc') return ground.spawnWorker(PEER);
  if (ground.spawnChild) return ground.spawnChild(PEER);
  const detail = 'this runtime has no child process with process.send and advanced serialization';
  throw new ToolError('channel-unsupported', { value: channel, detail });
}

/** Both sides hold their first values when this is done. @throws ToolError when the payload cannot be built */
export async function bothReady(
  site: PeerSession,
  errand: MeasureSpec,
  ground: Platform,
): Promise<PreparedVariants> {
  const [ready, variants] = await Promise.all([
    site.handshake(),
    prepareVariants(
      errand.variants,
      new ValueSource(errand.recipe, ground.postingChangesValues),
      site.endpoint.transfers,
    ),
  ]);
  heed(ready, variants);
  return variants;
}

async function measureAt(
  site: PeerSession,
  ask: MeasureAsk,
  ground: Platform,
  life: { readonly over: boolean },
  progress: TellProgress,
): Promise<Measured> {
  const variants = await bothReady(site, ask, ground);
  const first = firstOf(
    ask.variants.map(({ mode }) => mode),
    ask.seed,
  );
  const trips = new RoundTripLoop(
    site,
    variants,
    new Schedule(usableVariants(variants), seedFor(ask.seed, 0), first),
  );
  const takes =
    site.shared &&
    new OneWayLoop(
      site,
      site.shared,
      variants,
      new Schedule(usableVariants(variants), seedFor(ask.seed, 1)),
      life,
    );
  const watch = ground.watchGc?.() ?? null;
  const began = now();
  const rounds = await interleave(ask, variants, trips, takes, progress);
  const elapsed = now() - began;
  const farewell = await finish(site);
  return {
    type: 'measured',
    sets: setsOf(ask.variants, variants),
    rounds,
    gc: gcOf([watch?.stop() ?? null, farewell.gc], elapsed),
  };
}

function heed(ready: PeerReady, { samples: tallies }: PreparedVariants): void {
  if (ready.failed !== null) throw new ToolError('measure-failed', { detail: ready.failed });
  for (const [index, reason] of ready.failures) {
    const tally = tallies[index];
    if (tally) tally.error ??= reason;
  }
}

/** The peer's last words. */
export function finish({ endpoint: lane, instructions: orders }: PeerSession): Promise<PeerResults> {
  return new Promise((resolve) => {
    lane.onMessage = (data) => resolve(data as PeerResults);
    orders.post(lane, FINISH, 0);
  });
}
