/** The transfer list is part of a payload: its verdict, bytes and times are those of the post with it. */
import assert from 'node:assert/strict';
import { afterEach } from 'node:test';
import type { Channel } from '../../../src/model/names.ts';
import type { Recipe } from '../../../src/model/report/recipe.ts';
import type { Guest } from '../../../src/model/run/runtime.ts';
import { killAll } from '../../../src/runtimes/process/supervisor.ts';
import { PayloadFolder } from '../../support/payload-folder.ts';
import type { RuntimeSpec } from '../../support/runtimes.ts';
import { rejection } from '../../support/tool-errors.ts';
import { usually } from '../../support/whole.ts';
import { measureRequest } from '../measure/requests.ts';

const folder = new PayloadFolder();
afterEach(killAll);

const LISTS = folder.module(
  'lists.mjs',
  `const bytes = () => new Uint8Array(100_000);
   export const image = () => ({ id: 1, pixels: bytes() });
   export const tiles = () => ({ tiles: [{ data: bytes() }, { data: bytes().buffer }], all: bytes() });
   export const port = () => ({ port: new MessageChannel().port1 });
   export const plain = () => ({ id: 1 });
   export const twice = () => { const one = bytes(); return { a: one, b: new Uint8Array(one.buffer, 8) }; };
   export const transfer = (value, name) => {
     if (name === 'image') return [value.pixels.buffer];
     if (name === 'port') return [value.port];
     return name === 'twice' ? [...new Set([value.a.buffer, value.b.buffer])] : [];
   };`,
);
const THROWS = folder.module(
  'throws.mjs',
  'export const a = () => 1; export const transfer = () => { throw new Error("no list"); };',
);

const exported = (name: string, more: Partial<Recipe> = {}, from = LISTS): Recipe => ({
  ...from,
  ...more,
  build: { ...(from.build as Extract<Recipe['build'], { form: 'module' }>), export: name },
});

type Row = [name: string, recipe: Recipe, channel: Channel, list: [count: number, moved: number] | null];
const ROWS: Row[] = [
  ['what the module lists', exported('image'), 'worker', [1, 100_000]],
  ['over a port', exported('image'), 'message-port', [1, 100_000]],
  ['by structuredClone', exported('image'), 'structured-clone', [1, 100_000]],
  ['a channel that copies', exported('image'), 'ipc-advanced', null],
  ['a port', exported('port'), 'worker', [1, 0]],
  ['an empty list', exported('plain'), 'worker', null],
  ['one buffer behind two views', exported('twice'), 'worker', [1, 100_000]],
  ['paths of the user', exported('tiles', { transfer: ['$.tiles[*].data'] }), 'worker', [2, 200_000]],
  ['a path with its buffer', exported('tiles', { transfer: ['$.all.buffer'] }), 'worker', [1, 100_000]],
];

const described = (guest: Guest, recipe: Recipe, channel: Channel = 'worker') =>
  guest.ask({ type: 'describe', recipe, channel, confirm: true });

const SPECS = usually<RuntimeSpec>(['node', 'bun@1.4.5'], ['deno@2.9.6']);
folder.testInGuests('bytes, refusals and times take the transfer list into account', SPECS, async (guest) => {
  const { payloads } = await guest.ask({ type: 'open', recipe: LISTS, exports: null });
  assert.ok(payloads.every(({ source }) => source.export !== 'transfer'));
  for (const [name, recipe, channel, list] of ROWS) {
    const { shape, transfer, confirmation, message } = await described(guest, recipe, channel);
    assert.deepEqual(transfer, list && { count: list[0], moved: list[1] }, name);
    assert.notEqual(confirmation?.path, 'rejected', name);
    const bytes = message.find(({ path }) => path === 'serializer')?.bytes ?? 0;
    const buffers = shape.patterns.reduce((sum, row) => sum + (row.bytes?.backing ?? 0), 0);
    const copied = bytes - (buffers - (list?.[1] ?? 0));
    assert.ok(copied < 300, `${name}: ${bytes}`);
  }
  for (const name of ['image', 'port']) {
    const { sets } = await guest.ask(measureRequest(exported(name), { maxRounds: 5 }));
    const original = sets.find(({ variant }) => variant === 'original')!;
    assert.equal(original.error, null, name);
    assert.ok(original.roundTrip.length >= 5, name);
  }
  const threw = await rejection('factory-threw', described(guest, exported('a', {}, THROWS)));
  assert.equal(threw.facts.export, 'transfer');
  const nothing = exported('tiles', { transfer: ['$.none[*]'] });
  const absent = await rejection('transfer-absent', described(guest, nothing));
  assert.equal(absent.facts.path, '$.none[*]');
});

/** The same two views of memory of WebAssembly: it is named where it is refused, and copied where it is not moved. */
const WASM_SPECS = usually<RuntimeSpec>(['node@20.20.2', 'bun@1.4.5'], ['node@24.21.0', 'deno@2.9.6']);
folder.testInGuests(
  'WebAssembly memory in the transfer list is not reported as moved',
  WASM_SPECS,
  async (guest, spec) => {
    const recipe = folder.module(
      'wasm.mjs',
      `export const value = () => {
       const memory = new WebAssembly.Memory({ initial: 1 }).buffer;
       return { id: 1, parts: [new Uint8Array(memory, 0, 8)], of: new Uint8Array(8) };
     };
     export const transfer = ({ parts, of }) => [of.buffer, parts[0].buffer];`,
    );
    // Node 20 copies in silence what it cannot detach.
    const listed = spec === 'node@20.20.2' ? undefined : 'fixed';
    const { shape, transfer, confirmation, message } = await described(guest, recipe);
    const fixed = shape.patterns.filter(({ flags }) => flags.includes('wasm-memory'));
    assert.deepEqual(
      fixed.map(({ pattern }) => pattern),
      ['$.parts[*]'],
    );
    assert.equal(confirmation?.listed, listed);
    assert.deepEqual(transfer, { count: 2, moved: listed === undefined ? 8 : 0 });
    if (listed !== undefined) assert.equal(confirmation?.refused, '$.parts[0]');
    else
      assert.ok(
        message.every(({ bytes }) => bytes > 65_536 && bytes < 65_900),
        JSON.stringify(message),
      );
  },
);

const ODD_SPECS = usually<RuntimeSpec>(['node'], ['bun@1.4.5', 'deno@2.9.6']);
const PORT_SPECS = usually<RuntimeSpec>(['node'], ['node@26.10.0', 'deno@2.9.6', 'bun@1.4.5']);
const PORTS = 'const { port1, port2 } = new MessageChannel();';
const VIEW = 'const second = new Uint8Array(8); structuredClone(0, { transfer: [second.buffer] });';
const IN_LIST = { listed: 'other', refused: '$.of', count: 1, moved: 0 };
const UNREADABLE = { path: 'rejected', refused: '$.second' };

interface Listed {
  what: string;
  specs: readonly RuntimeSpec[];
  value: string;
  /** Of `of` and `second` of the value; default: both. */
  list?: string;
  said: object;
  channel?: Channel;
}

const LISTED: Listed[] = [
  // Node 20 to 26 crash if they clone one without its list.
  {
    ...{ what: 'a closed port is named', specs: ODD_SPECS, list: 'of', said: IN_LIST },
    value: `${PORTS} port1.close(); return { of: port1 };`,
  },
  {
    ...{ what: 'a Proxy of a buffer is named', specs: ODD_SPECS, list: 'of', said: IN_LIST },
    value: 'return { of: new Proxy(new ArrayBuffer(8), {}) };',
  },
  {
    ...{ what: 'a second port that is not in the list is named', specs: PORT_SPECS },
    value: `${PORTS} return { of: port1, second: new Uint8Array(8), in: [1, port2] };`,
    said: { path: 'rejected', refused: '$.in[1]' },
  },
  // A second reading of a payload whose port or buffer the post has moved crashes Node, or names that buffer.
  ...[`${PORTS} return { of: port1, second };`, 'return { of: new ArrayBuffer(8), second };'].map(
    (rest): Listed => ({
      ...{ what: 'a message that cannot be read has its cause', specs: ['node@20.20.2'] },
      ...{ value: `${VIEW} ${rest}`, said: UNREADABLE },
    }),
  ),
  {
    ...{ what: 'a buffer that is listed twice counts once', specs: ['deno@2.9.6'] },
    ...{ value: 'return { of: new ArrayBuffer(64) };', list: 'of, of', channel: 'structured-clone' },
    said: { count: 2, moved: 64 },
  },
];

for (const [at, { what, specs, value, list, said, channel = 'message-port' }] of LISTED.entries())
  folder.testInGuests(`transfer list: ${what}`, specs, async (guest) => {
    const listed = list ?? 'of, second.buffer';
    const text = `export const value = () => { ${value} }; export const transfer = ({ of, second }) => [${listed}];`;
    const recipe = folder.module(`listed-${at}.mjs`, text);
    const { transfer, confirmation } = await described(guest, recipe, channel);
    const all = { ...confirmation, ...transfer };
    assert.deepEqual({ ...all, ...said }, all);
  });
