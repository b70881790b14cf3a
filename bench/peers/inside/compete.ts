import { openWorker } from '../../codecs/threads.mjs';
import { type Ask, type Competitor, openWays } from './open.ts';
import { arrivedWhole } from './same.ts';
import { turns } from './turns.ts';

export interface Timed {
  /** ns of round trips with conversion on both sides, by name, in the order taken. */
  samples: Record<string, number[]>;
  cannot: Record<string, string>;
}

const MIN_ROUNDS = 4;

/** One round trip in ns, and what came back. */
type Trip = (way: Competitor) => Promise<[ns: number, received: unknown]>;

/** A worker that has opened the same ways. */
async function openPeer(echo: URL, ask: Ask, names: readonly string[]) {
  const worker = openWorker(echo);
  let arrived: (message: unknown) => void;
  const next = () =>
    new Promise<unknown>((resolve) => {
      arrived = resolve;
    });
  worker.listen((message) => arrived(message));
  await next();
  const opened = next();
  worker.post(ask, []);
  if (String(await opened) !== String(names)) throw new Error('the worker opened other ways');
  const trip: Trip = async ({ toMessage, fromMessage, transferList, value }) => {
    const answer = next();
    const began = performance.now();
    const message = toMessage(value);
    worker.post(message, transferList(message));
    const received = fromMessage(await answer);
    return [(performance.now() - began) * 1e6, received];
  };
  return { trip, end: () => worker.end() };
}

/** Everyone in turns. What comes back is compared in the first round, which counts as warm-up. */
export async function compete(ask: Ask, echo: URL): Promise<Timed> {
  const { ways, cannot } = await openWays(ask);
  const names = ways.map(({ name }) => name);
  const { trip, end } = await openPeer(echo, ask, names);
  const order = turns(ways.length, ask.seed);
  const round = async (onTrip: (index: number, ns: number, received: unknown) => void) => {
    for (let turn = 0; turn < ways.length; turn++) {
      const index = order.next().value;
      for (let i = 0; i < ask.block; i++) onTrip(index, ...(await trip(ways[index]!)));
    }
  };
  const began = performance.now();
  const isOver = (ms: number) => performance.now() - began > ms;
  await round((index, _, received) => {
    const { name, value, isLenient } = ways[index]!;
    if (!arrivedWhole(value, received, isLenient)) throw new Error(`${name}: what came back is not equal`);
  });
  while (!isOver(ask.ms / 4)) await round(() => undefined);
  const samples = ways.map((): number[] => []);
  for (let rounds = 0; rounds < MIN_ROUNDS || !isOver(ask.ms * 1.25); rounds++)
    await round((index, ns) => samples[index]!.push(Math.round(ns)));
  await end();
  return { samples: Object.fromEntries(names.map((name, i) => [name, samples[i]!])), cannot };
}
