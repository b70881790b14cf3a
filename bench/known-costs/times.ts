import { CHANNELS, type Channel, mayHave, type RuntimeName } from '../../src/model/names.ts';
import type { Measured } from '../../src/model/wire/wire.ts';
import { branchCosts, branchesOf, branchVariants } from '../../src/stats/branches/branches.ts';
import { type Row, ratioRow } from '../table.ts';
import { bothModes, FLOOR, inGuest, measure, ORIGINAL, payload, typical } from './guests.ts';

const BUN = 'bun@1.4.5';
const RUNTIMES = ['node', BUN, 'bun@1.2.20', 'deno@2.9.6'];
const ROWS = `export const value = () =>
  Array.from({ length: 256 }, (_, i) => ({ id: i, name: 'row ' + i, score: i / 3, active: i % 2 === 0 }));`;
const LEGS = ['send', 'receive', 'roundTrip'] as const;

/** Engines take a different path here: the measured times must show it. */
export async function knownTimes(): Promise<Row[]> {
  const rows = [...(await sharedStrings()), ...(await arrays()), ...(await sameTwice())];
  for (const spec of RUNTIMES) rows.push(...(await oneRuntime(spec)));
  for (const spec of ['node', BUN, 'deno@2.9.6']) rows.push(...(await branches(spec)));
  return rows;
}

async function sharedStrings(): Promise<Row[]> {
  const flat = await measure(BUN, payload(`export const value = () => ({ s: 'x'.repeat(3e6) });`));
  const nested = await measure(
    BUN,
    payload(`export const value = () => ({ task: { s: 'x'.repeat(3e6) } });`),
  );
  const text = `const s = 'y'.repeat(3e6); export const value = () => ({ task: { s: s.slice(1) + '!' } });`;
  const variants = [FLOOR, ORIGINAL, ...bothModes('unwrap-string', { paths: ['$.task.s'], form: 'bare' })];
  const unwrapped = await measure(BUN, payload(text), { variants });
  return [
    ratioRow(
      `${BUN}: send of 3 MB of text in a flat object / one level deeper`,
      typical(flat, 'original', 'send') / typical(nested, 'original', 'send'),
      0.01,
    ),
    ratioRow(
      `${BUN}: send of the text alone, in turns with the object / of the object`,
      typical(unwrapped, 'unwrap-string/in-place', 'send') / typical(unwrapped, 'original', 'send'),
      0.02,
    ),
  ];
}

async function arrays(): Promise<Row[]> {
  const filled = (array: string, set: string, length: string) =>
    payload(
      `export const value = () => { const a = ${array}; for (let i = 0; i < ${length}; i++) ${set}; return a; };`,
    );
  const packed = await measure('node', filled('[]', 'a.push(i)', '1e5'));
  const holey = await measure('node', filled('new Array(1e5)', 'a[i] = i', '1e5'));
  const of = (leg: 'send' | 'roundTrip') =>
    typical(packed, 'original', leg) / typical(holey, 'original', leg);
  const two = await measure('node', payload('export const value = () => [1, 2];'));
  const apart = await measure(
    'node',
    payload('export const value = () => { const a = [1]; a[1e6] = 2; return a; };'),
  );
  const small = await measure('node', filled('[]', 'a.push(i)', '2e4'));
  const trip = typical(small, 'original', 'roundTrip') - typical(small, 'floor', 'roundTrip');
  const oneWay = typical(small, 'original', 'send') + typical(small, 'original', 'receive');
  return [
    ratioRow('node: send of a packed array / of new Array(n), filled', of('send'), 0.5),
    ratioRow('node: round trip of the same', of('roundTrip'), 0.67),
    ratioRow(
      'node: receive of two numbers / of the same two at indices 1e6 apart',
      typical(two, 'original', 'receive') / typical(apart, 'original', 'receive'),
      0.05,
    ),
    ratioRow(
      'node: round trip beyond the floor / send and receive, an echo that is packed too',
      trip / oneWay,
      3,
    ),
  ];
}

async function sameTwice(): Promise<Row[]> {
  const variants = [ORIGINAL, { ...ORIGINAL, id: 'again' }];
  const measured = await measure('node', payload(ROWS), { variants, sliceMs: 600 });
  const [one, other] = variants.map(({ id }) => typical(measured, id, 'roundTrip'));
  const row = ratioRow('node: the same variant twice, apart by', Math.abs(one! / other! - 1), 0.15);
  return [row];
}

/** The worst of all channels, or of both sides. */
async function oneRuntime(spec: string): Promise<Row[]> {
  const rows = payload(ROWS);
  const floors: number[] = [];
  const name = spec.replace(/@.*/, '') as RuntimeName;
  const isAsked = (channel: Channel) =>
    mayHave(name, channel) && channel !== 'storage' && (channel !== 'node-worker' || name === 'deno');
  for (const channel of CHANNELS.filter(isAsked)) {
    const measured = await measure(spec, rows, { channel });
    floors.push(typical(measured, 'floor', 'roundTrip') / typical(measured, 'original', 'roundTrip'));
  }
  const converted = await measure(spec, rows, { variants: [ORIGINAL, ...bothModes('json-text')] });
  const inPlace = LEGS.map(
    (leg) =>
      typical(converted, 'json-text/in-place', leg) / typical(converted, 'json-text/with-conversion', leg),
  );
  const bytes = payload(
    'export const value = () => ({ bytes: new Uint8Array(300000).fill(7), n: [1, 2, 3] });',
  );
  const variants = [FLOOR, ORIGINAL, ...bothModes('transfer', { paths: ['$.bytes'] })];
  const moved = await measure(spec, bytes, { variants });
  const receive = (id: string) => typical(moved, id, 'receive');
  return [
    ratioRow(`${spec}: floor / rows, the worst of all channels`, Math.max(...floors), 0.5),
    ratioRow(`${spec}: json-text in place / with conversion, the worst side`, Math.max(...inPlace), 0.5),
    ratioRow(
      `${spec}: receive of 300 kB moved / copied`,
      receive('transfer/in-place') / receive('original'),
      1,
    ),
  ];
}

/** Nine tenths of the values are in `heavy`. */
const BRANCHES = `const row = (i) => ({ id: i, deep: { a: [i, i + 1, i + 2], b: 'text ' + i, c: { d: i / 3 } } });
export const value = () => ({
  heavy: Array.from({ length: 900 }, (_, i) => row(i)),
  light: Array.from({ length: 100 }, (_, i) => row(i)),
});`;

async function branches(spec: string): Promise<Row[]> {
  const recipe = payload(BRANCHES);
  const paths = await inGuest(spec, async (guest) => {
    const ask = { type: 'describe', recipe, channel: 'worker', confirm: false } as const;
    return branchesOf((await guest.ask(ask)).shape);
  });
  const results: Measured[] = [];
  for (const seed of [2, 3])
    results.push(await measure(spec, recipe, { variants: branchVariants(paths), seed }));
  const costs = branchCosts(paths, results, null, 1);
  const shareOf = (path: string) => costs.find((cost) => cost.path === path)?.send?.share ?? Number.NaN;
  return [
    ratioRow(
      `${spec}: time of the branch with 0.9 of the values, off by`,
      Math.abs(shareOf('$.heavy') - 0.9),
      0.1,
    ),
    ratioRow(`${spec}: time of the branch with 0.1 of the values`, shareOf('$.light'), 0.25),
  ];
}
