import type { Channel } from '../../src/model/names.ts';
import type { Recipe } from '../../src/model/report/recipe.ts';
import type { Variant } from '../../src/model/wire/wire.ts';
import { type Row, ratioRow } from '../table.ts';
import { bothModes, folder, inGuest, ORIGINAL, payload } from './guests.ts';

const SIZE = 1_000_000;

async function perMessage(
  spec: string,
  recipe: Recipe,
  { channel = 'worker', variant = ORIGINAL }: { channel?: Channel; variant?: Variant } = {},
): Promise<number> {
  const use = await inGuest(spec, (guest) =>
    guest.ask({ type: 'memory', recipe, channel, variant, messages: 48 }),
  );
  return use.perMessage;
}

const WHOLE = payload(`export const value = 'x'.repeat(${SIZE});`);
const PIECE = payload(`export const value = ('x'.repeat(${SIZE}) + 'y').slice(1);`);

/** Times the size of the text, which is also its size on the wire. */
const TEXTS: [
  spec: string,
  what: string,
  recipe: Recipe,
  channel: Channel,
  weight: number,
  within: number,
][] = [
  ['bun@1.4.5', 'shared', WHOLE, 'worker', 0, 0.1],
  ['bun@1.4.5', 'copied', PIECE, 'worker', 1, 0.25],
  ['bun@1.4.5', 'shared', WHOLE, 'message-port', 0, 0.1],
  ['node', 'wire and result', WHOLE, 'worker', 2.4, 0.6],
  ['node', 'result', WHOLE, 'structured-clone', 1, 0.25],
  ['deno@2.9.6', 'wire and result', WHOLE, 'worker', 2, 1],
];

export async function knownMemory(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [spec, what, recipe, channel, weight, within] of TEXTS) {
    const seen = (await perMessage(spec, recipe, { channel })) / SIZE;
    const name = `${spec}: memory of a text over ${channel}, ${what}: off from ${weight} times its size by`;
    rows.push({ ...ratioRow(name, Math.abs(seen - weight), within), note: `${seen.toFixed(2)} x` });
  }
  return [...rows, ...(await remedies()), ...(await profiles())];
}

async function remedies(): Promise<Row[]> {
  const bytes = payload(`export const value = { bytes: new Uint8Array(${SIZE}).fill(1) };`);
  const [, transferred] = bothModes('transfer', { paths: ['$.bytes'] });
  const moved = await perMessage('node', bytes, { variant: transferred! });
  const copied = await perMessage('node', bytes);
  const objects = payload(
    'export const value = Array.from({ length: 2000 }, (_, id) => ({ id, name: String(id), at: { x: id / 2 } }));',
  );
  const [, text] = bothModes('json-text');
  const restored = await perMessage('node', objects, { variant: text! });
  return [
    ratioRow('node: memory of 1 MB of bytes, transferred / its size', moved / SIZE, 0.3),
    ratioRow('node: its size / memory of 1 MB of bytes, copied', SIZE / copied, 1 / 0.85),
    ratioRow('node: 100 kB / memory of 2,000 rows restored from JSON text', 100_000 / restored, 1),
  ];
}

/** Half of the work is a getter of the user. */
const CARTS = payload(`const cart = (id) => ({ id, lines: [{ sku: 'sku ' + id, count: 2 }], get total() {
  let sum = 0;
  for (let i = 0; i < 400; i++) sum += Math.sqrt(i * id);
  return sum;
} });
export const value = () => Array.from({ length: 200 }, (_, id) => cart(id));`);

async function profiles(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const spec of ['node', 'bun@1.4.5', 'deno@2.9.6']) {
    const where = { ms: 400, folder: folder.path, name: spec };
    const { profile } = await inGuest(spec, (guest) =>
      guest.ask({ type: 'profile', recipe: CARTS, channel: 'worker', ...where }),
    );
    const { clone = 0, user = 0 } = profile.shares ?? {};
    rows.push(
      ratioRow(`${spec}: 0.1 / share of cloning in a profile`, 0.1 / clone, 1),
      ratioRow(`${spec}: 0.05 / share of the getter in it`, 0.05 / user, 1),
    );
  }
  return rows;
}
