/** What the contests of one runtime say together. */
import { medianOf } from '../interleave.ts';
import type { Row } from '../table.ts';
import type { Contest } from './contest.ts';

/** In so many of 24 payloads another may be as fast as the codec. */
const MAY_LOSE = 2 / 24;
/** To the best peer, on any payload. */
const WORST = 1.1;
const SHARE = 0.3;
/** Of the limit: walking and building by the same code, and a copy of the bytes. */
const OF_LIMIT = 2;

const NO_PEERS = ['original', 'codec', 'limit'];

const peersOf = ({ shares }: Contest) => Object.entries(shares).filter(([name]) => !NO_PEERS.includes(name));

/** Name and share of the fastest peer. */
const bestOf = (one: Contest) => peersOf(one).sort(([, a], [, b]) => a - b)[0]!;

const limited = (row: Omit<Row, 'held'>): Row => ({ ...row, held: row.value <= (row.budget ?? 0) });

export function contestRow(one: Contest): Row {
  const { payload, runtime, trip, shares, cannot } = one;
  const [best, share] = bestOf(one);
  const isBroken = 'codec' in cannot;
  const all = Object.entries(shares).filter(([name]) => name !== 'original');
  const told = all.map(([name, value]) => `${name} ${value.toFixed(2)}`);
  const unable = Object.keys(cannot).map((name) =>
    name === 'codec' ? `codec cannot: ${cannot[name]}` : `${name} cannot`,
  );
  const isCodec = shares.codec !== undefined;
  return {
    what: `${payload} on ${runtime}: ${isCodec ? 'codec' : `no codec; ${best}`}`,
    value: shares.codec ?? share,
    unit: 'x',
    budget: null,
    held: isBroken ? false : null,
    note: `${[...told, ...unable].join(', ')}; ${trip.toPrecision(3)} ms as it is`,
    raw: one,
  };
}

/** None without a codec: that peers were timed says nothing about it. */
export function summaryRows(runtime: string, contests: readonly Contest[], peers: readonly string[]): Row[] {
  const timed = contests.filter(({ shares }) => shares.codec !== undefined);
  if (timed.length === 0) return [];
  const without = contests.filter((one) => !timed.includes(one));
  const codec = ({ shares }: Contest) => shares.codec!;
  const toBest = timed.map((one) => ({ one, ratio: codec(one) / bestOf(one)[1] }));
  const worst = toBest.reduce((a, b) => (b.ratio > a.ratio ? b : a));
  return [
    limited({
      what: `${runtime}: payloads that no codec carries`,
      value: without.length,
      unit: `of ${contests.length}`,
      budget: 0,
      note: without.map(({ payload }) => payload).join(', '),
    }),
    ...['original', ...peers].map((peer) => lostTo(peer, runtime, timed)),
    limited({
      what: `${runtime}: codec / best peer, worst of ${timed.length}`,
      value: worst.ratio,
      unit: 'x',
      budget: WORST,
      note: `${worst.one.payload}, ${bestOf(worst.one)[0]}`,
    }),
    limited({
      what: `${runtime}: codec / original, median of ${timed.length}`,
      value: medianOf(timed.map(codec)),
      unit: 'x',
      budget: SHARE,
    }),
    limited({
      what: `${runtime}: codec / limit, median of ${timed.length}`,
      value: medianOf(timed.map((one) => codec(one) / one.shares.limit!)),
      unit: 'x',
      budget: OF_LIMIT,
    }),
  ];
}

function lostTo(peer: string, runtime: string, timed: readonly Contest[]): Row {
  const unable = timed.filter(({ cannot }) => peer in cannot);
  const lost = timed.filter(({ shares }) => (shares[peer] ?? Number.POSITIVE_INFINITY) <= shares.codec!);
  return limited({
    what: `${runtime}: codec not faster than ${peer}`,
    value: lost.length,
    unit: `of ${timed.length}`,
    budget: Math.floor(MAY_LOSE * timed.length),
    note: [
      ...(unable.length > 0 ? [`cannot ${unable.length}`] : []),
      ...lost.map(({ payload }) => payload),
    ].join(', '),
  });
}
