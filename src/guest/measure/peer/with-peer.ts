import { seedFor } from '../../../core/stats/random.ts';
import { ToolError } from '../../../model/errors.ts';
import type { Measured } from '../../../model/wire.ts';
import { groundHere } from '../../platform/platform.ts';
import { now } from '../loop/clock.ts';
import { race } from '../loop/interleave.ts';
import { Takes } from '../loop/one-way-loop.ts';
import { gcOf, setsOf } from '../loop/results.ts';
import { Trips } from '../loop/round-trip-loop.ts';
import { firstOf, Schedule } from '../loop/schedule.ts';
import { Source } from '../loop/value-source.ts';
import { type Entrants, enter, fit } from '../loop/variants.ts';
import type { MeasureAsk, TellProgress } from '../measure.ts';
import type { Ground, Peer } from './endpoint.ts';
import type { Farewell, Ready } from './handshake.ts';
import { FINISH } from './instructions.ts';
import { type Errand, openSite, type Site } from './peer-session.ts';

/** Beside the guest's own bundle. */
const PEER = new URL('./peer.mjs', import.meta.url);

/** Times round trips to a fresh peer, which is gone when this ends, whatever happened. */
export function measureWithPeer(ask: MeasureAsk, progress: TellProgress): Promise<Measured> {
  return withPeer(ask, (site, ground, life) => measureAt(site, ask, ground, life, progress));
}

/** Work that ends early when the peer dies. */
type Work<T> = (site: Site, ground: Ground, life: { readonly over: boolean }) => Promise<T>;

/**
 * Starts a fresh peer and does the work with it; the peer is gone when this ends.
 *
 * @throws ToolError 'measure-failed' when the peer dies, 'channel-unsupported', and what the work throws
 */
export async function withPeer<T>(errand: Errand, work: Work<T>): Promise<T> {
  const ground = groundHere();
  const peer = spawn(errand, ground);
  const life = { over: false };
  const died = new Promise<never>((_, reject) => {
    peer.onDeath = (why) => {
      life.over = true;
      reject(new ToolError('measure-failed', { detail: why }));
    };
  });
  const site = openSite(errand, ground, peer);
  try {
    return await Promise.race([work(site, ground, life), died]);
  } finally {
    life.over = true;
    site.close();
    await peer.end();
  }
}

function spawn({ channel }: Errand, ground: Ground): Peer {
  if (channel !== 'ipc') return ground.spawnWorker(PEER);
  if (ground.spawnChild) return ground.spawnChild(PEER);
  const detail = 'this runtime has no child process with process.send and advanced serialization';
  throw new ToolError('channel-unsupported', { value: channel, detail });
}

/** Both sides hold their first values when this is done. @throws ToolError when the payload cannot be built */
export async function bothReady(site: Site, errand: Errand, ground: Ground): Promise<Entrants> {
  const [ready, entrants] = await Promise.all([
    site.meet(),
    enter(errand.contestants, new Source(errand.recipe, ground.leavesTraces), site.lane.transfers),
  ]);
  heed(ready, entrants);
  return entrants;
}

async function measureAt(
  site: Site,
  ask: MeasureAsk,
  ground: Ground,
  life: { readonly over: boolean },
  progress: TellProgress,
): Promise<Measured> {
  const entrants = await bothReady(site, ask, ground);
  const first = firstOf(
    ask.contestants.map(({ mode }) => mode),
    ask.seed,
  );
  const trips = new Trips(site, entrants, new Schedule(fit(entrants), seedFor(ask.seed, 0), first));
  const takes =
    site.control &&
    new Takes(site, site.control, entrants, new Schedule(fit(entrants), seedFor(ask.seed, 1)), life);
  const watch = ground.watchGc?.() ?? null;
  const began = now();
  const rounds = await race(ask, entrants, trips, takes, progress);
  const elapsed = now() - began;
  const farewell = await finish(site);
  return {
    type: 'measured',
    sets: setsOf(ask.contestants, entrants),
    rounds,
    gc: gcOf([watch?.stop() ?? null, farewell.gc], elapsed),
  };
}

function heed(ready: Ready, { tallies }: Entrants): void {
  if (ready.failed !== null) throw new ToolError('measure-failed', { detail: ready.failed });
  for (const [index, reason] of ready.faults) {
    const tally = tallies[index];
    if (tally) tally.error ??= reason;
  }
}

/** The peer's last words. */
export function finish({ lane, orders }: Site): Promise<Farewell> {
  return new Promise((resolve) => {
    lane.onMessage = (data) => resolve(data as Farewell);
    orders.give(lane, FINISH, 0);
  });
}
