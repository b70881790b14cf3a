/**
 * Patch codecs beside the whole state, JSON text and libraries that make patches: states as programs have them, that change
 * step by step. All in this process, in turns: conversion, a structured clone and what the receiver does with it.
 */
import { patchModule } from '../src/codec/patch/patch.ts';
import { medianOf } from './interleave.ts';
import { type Row, ratioRow } from './table.ts';

const STEPS = 150;
const WARM = 30;
/** Advised from there on. */
const WORTH = 0.75;
const NOT_SLOWER = 1;

interface Item extends Record<string, unknown> {
  id: number;
}

interface World {
  session: { user: string; lastSeen: number };
  items: Item[];
  byId: Record<string, Item>;
}

type Change = (state: World, step: number) => World;

const item = (id: number): Item => ({
  ...{ id, title: `Item number ${id}`, text: `what is said of item ${id}, in some words`, price: id * 1.25 },
  ...{ tags: ['new', 'sale'], done: id % 3 === 0, at: { x: id / 2, y: -id } },
});

const world = (items: number, byId: number): World => ({
  session: { user: 'somebody', lastSeen: 0 },
  items: Array.from({ length: items }, (_, id) => item(id)),
  byId: Object.fromEntries(Array.from({ length: byId }, (_, id) => [`item-${id}`, item(id)])),
});

const entity = (id: number): Item => ({
  ...{
    id,
    kind: id % 4 === 0 ? 'tree' : 'wolf',
    x: id * 1.5,
    y: id * 2.5,
    speed: 0.5,
    health: 100,
    alive: true,
  },
});

const inPlace: Change = (state, step) => {
  state.session.lastSeen = step;
  return state;
};
const immutably: Change = (state, step) => ({ ...state, session: { ...state.session, lastSeen: step } });
const moved: Change = (state, step) => {
  for (let i = step % 20; i < state.items.length; i += 20) {
    (state.items[i]!.x as number) += 0.5;
    (state.items[i]!.y as number) -= 0.25;
  }
  return state;
};
const inserted: Change = (state, step) => {
  state.items.unshift(item(10_000 + step));
  state.items.pop();
  return inPlace(state, step);
};

const STATES: readonly [name: string, make: () => World, change: Change, immutable: boolean][] = [
  ['state of 200 kB, one field changes in place', () => world(600, 600), inPlace, false],
  ['... of a program that never changes what was sent', () => world(600, 600), immutably, true],
  [
    'game of 1,000 entities, 5 % move',
    () => ({ ...world(0, 0), items: Array.from({ length: 1000 }, (_, id) => entity(id)) }),
    moved,
    false,
  ],
  ['list of 1,000 items, one comes at the front and one goes', () => world(1000, 0), inserted, false],
];

/** Sends one state and gives what arrives. */
type Way = (state: World) => unknown;

interface JsonPatch {
  compare(before: unknown, after: unknown): unknown[];
  applyPatch(to: unknown, patch: unknown[]): unknown;
}

interface JsonDiffPatch {
  create(options: object): {
    diff(before: unknown, after: unknown): unknown;
    patch(to: unknown, delta: unknown): unknown;
  };
}

function ourWay(immutable: boolean): Way {
  const { createSender, createReceiver } = patchModule();
  const [sender, receiver] = [createSender({ immutable }), createReceiver()];
  return (state) => receiver.fromMessage(structuredClone(sender.toMessage(state)));
}

/** Both sides keep a copy, and change it in place. */
function libraryWay(
  diff: (before: unknown, after: unknown) => unknown,
  patch: (to: unknown, by: unknown) => void,
): Way {
  const kept: unknown[] = [];
  return (state) => {
    if (kept.length === 0) kept.push(structuredClone(state), structuredClone(state));
    else {
      const change = diff(kept[0], state);
      const received = structuredClone(change);
      patch(kept[1], received);
      patch(kept[0], structuredClone(change));
    }
    return kept[1];
  };
}

/** `npm install --no-save fast-json-patch jsondiffpatch`: what is not there is left out. */
async function rivals(): Promise<Record<string, () => Way>> {
  const optional = (name: string) => import(name).catch(() => null) as Promise<unknown>;
  const loaded = (await optional('fast-json-patch')) as { default: JsonPatch } | null;
  const delta = (await optional('jsondiffpatch')) as JsonDiffPatch | null;
  const found: Record<string, () => Way> = {};
  if (loaded !== null) {
    const { compare, applyPatch } = loaded.default;
    found['fast-json-patch'] = () => libraryWay(compare, (to, by) => applyPatch(to, by as unknown[]));
  }
  if (delta !== null)
    found.jsondiffpatch = () => {
      const differ = delta.create({ objectHash: ({ id }: Item) => id });
      return libraryWay(
        (before, after) => differ.diff(before, after),
        (to, by) => by !== undefined && differ.patch(to, by),
      );
    };
  return found;
}

interface Timed {
  name: string;
  way: Way;
  state: World;
  samples: number[];
}

function run(all: readonly Timed[], change: Change): void {
  for (let step = 0; step < STEPS + WARM; step++)
    for (let nth = 0; nth < all.length; nth++) {
      const one = all[(nth + step) % all.length]!;
      one.state = change(one.state, step);
      const began = performance.now();
      const received = one.way(one.state);
      const ms = performance.now() - began;
      if (step >= WARM) one.samples.push(ms);
      if (step % 50 === 49 && JSON.stringify(received) !== JSON.stringify(one.state))
        throw new Error(`${one.name} brought another state`);
    }
}

export async function patches(): Promise<Row[]> {
  const others = await rivals();
  const rows: Row[] = [];
  for (const [name, make, change, immutable] of STATES) {
    const ways: Record<string, () => Way> = {
      whole: () => (state) => structuredClone(state),
      'JSON text': () => (state) => JSON.parse(structuredClone(JSON.stringify(state))) as unknown,
      patch: () => ourWay(immutable),
      ...others,
    };
    const all = Object.entries(ways).map(
      ([one, open]): Timed => ({ name: one, way: open(), state: make(), samples: [] }),
    );
    run(all, change);
    const times = new Map(all.map((one) => [one.name, medianOf(one.samples)]));
    const ours = times.get('patch')!;
    for (const [one, ms] of times)
      if (one !== 'patch')
        rows.push({
          ...ratioRow(`${name}: patch / ${one}`, ours / ms, one === 'whole' ? WORTH : NOT_SLOWER),
          raw: all,
        });
    rows.at(-1)!.note = `whole ${times.get('whole')!.toPrecision(3)} ms`;
  }
  return rows;
}
