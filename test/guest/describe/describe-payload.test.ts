/** What a description of a payload shows beside its shape: a real post over each channel, its transfer list, its branches. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename } from 'node:path';
import { afterEach, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { ownedPath, WORK } from '../../../src/machine/temp-folders.ts';
import type { Channel } from '../../../src/model/names.ts';
import type { Recipe } from '../../../src/model/report/recipe.ts';
import type { Guest } from '../../../src/model/run/runtime.ts';
import { killAll } from '../../../src/runtimes/process/supervisor.ts';
import { branchCosts, branchesOf, branchVariants, without } from '../../../src/stats/branches/branches.ts';
import { PayloadFolder } from '../../support/payload-folder.ts';
import type { RuntimeSpec } from '../../support/runtimes.ts';
import { rejection } from '../../support/tool-errors.ts';
import { usually } from '../../support/whole.ts';
import { measureRequest } from '../measure/requests.ts';

const folder = new PayloadFolder();
afterEach(killAll);

const SPECS = usually<RuntimeSpec>(['node', 'bun@1.4.5'], ['deno@2.9.6']);

const DATA = folder.module(
  'data.mjs',
  `class Point { x = 1 }
   export const value = () => ({
     at: new Date(0), odd: NaN, point: new Point(), bytes: new Uint8Array(100_000).subarray(0, 100), text: 'x',
   });`,
);
const CALL = folder.value('() => ({ run() {}, id: 1 })');

/** What no receiver in another process can read, or is refused on the way. */
const ENDS = folder.value(
  `() => ({ code: new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])) })`,
);
const NO_TEXT = folder.value('() => ({ run() {}, toJSON() {} })');
/** Deno would call it for ever. */
const ENDLESS = folder.value('() => ({ id: 1, toJSON() { return { ...this }; } })');
/** Each value in the circle is refused again. */
const CIRCLE = folder.value('() => { const one = { in: {} }; one.in.one = one; return { id: 1, one }; }');
/** Its getter fills the list in: only the first post of it is refused. */
const FILLED = folder.value(`() => {
     const list = [{ get model() { list[0] = { model: 'x' }; return 'x'; }, run() {} }];
     return list;
   }`);
const BUFFER = folder.value("() => ({ b: Buffer.from('abcdef') })");
const DETACHED = folder.value(`() => {
     const view = new DataView(new ArrayBuffer(8));
     structuredClone(view.buffer, { transfer: [view.buffer] });
     return { view };
   }`);

/** V8 stores it as a dictionary, until its thread has received one. */
const DICTIONARY = folder.value(`() => {
     const made = {};
     for (let i = 0; i < 150; i++) made['k' + i] = i;
     return made;
   }`);

const BUN = [false, 'simple-object', null, null];

const CLONED = ['$.point'];
const LOST: Partial<Record<Channel, string[]>> = {
  worker: CLONED,
  'message-port': CLONED,
  broadcast: CLONED,
  'structured-clone': CLONED,
  'ipc-advanced': CLONED,
  'ipc-json': ['$.at', '$.bytes', '$.odd', '$.point'],
  storage: CLONED,
};
/** V8's delegates write a view alone; JavaScriptCore writes its buffer there too. */
const ALONE = (spec: string) =>
  spec.startsWith('bun') ? ['ipc-json'] : ['ipc-json', 'ipc-advanced', 'storage'];

/** Files that guests of this process store messages in. */
const foldersLeft = () => readdirSync(tmpdir()).filter((name) => name.startsWith(basename(ownedPath(WORK))));

folder.testInGuests('each channel shows its own losses, refusals and bytes', SPECS, async (guest, spec) => {
  const described = (recipe: Recipe, channel: Channel = 'worker', twice = false) =>
    guest.ask({ type: 'describe', recipe, channel, confirm: true, twice });
  const seen: unknown[] = [];
  for (let time = 0; time < 2; time++) {
    const { shape, ...rest } = await described(DICTIONARY, 'worker', true);
    const isDictionary = shape.patterns[0]!.flags.includes('dictionary');
    seen.push([isDictionary, rest.confirmation?.path, rest.afterReceiving, rest.shownOther]);
  }
  const later = [false, 'fast-object', null, null];
  const isV8 = !spec.startsWith('bun');
  assert.deepEqual(seen, isV8 ? [[true, 'dictionary-object', '$', null], later] : [BUN, BUN]);
  const channels = { ...LOST, ...(spec.startsWith('deno') && { 'node-worker': CLONED }) };
  for (const [name, paths] of Object.entries(channels)) {
    const channel = name as Channel;
    const { losses, message } = await described(DATA, channel);
    assert.deepEqual(losses?.map(({ path }) => path).sort(), paths, channel);
    const way = channel === 'ipc-json' ? 'json' : 'serializer';
    const { bytes } = message.find(({ path }) => path === way)!;
    const isWhole = bytes > 100_000 && bytes < 100_300;
    assert.equal(isWhole, !ALONE(spec).includes(channel), `${channel}: ${bytes}`);
    const called = await described(CALL, channel);
    assert.equal(called.confirmation?.path !== 'rejected', channel === 'ipc-json', channel);
  }
  if (spec.startsWith('bun')) {
    // Its class is written for other processes alone.
    const { message } = await described(BUFFER);
    assert.deepEqual(message, [{ path: 'serializer', bytes: 47 }]);
  }
  const posted = async (recipe: Recipe, channel: Channel) => {
    const { confirmation } = await described(recipe, channel);
    const rejected = confirmation?.path === 'rejected' ? confirmation.evidence : '';
    return { rejected, refused: confirmation?.refused };
  };
  for (const [recipe, channel] of [
    [ENDS, 'ipc-advanced'],
    [NO_TEXT, 'ipc-json'],
  ] as const) {
    const { rejected, refused } = await posted(recipe, channel);
    const reason =
      spec === 'bun@1.4.5' && channel === 'ipc-advanced' ? /DataClone/ : /it ends the receiver|serial/;
    if (spec === 'deno@2.9.6' && recipe === NO_TEXT) assert.equal(rejected, '');
    else assert.match(rejected, reason);
    if (recipe === NO_TEXT && rejected !== '') assert.equal(refused, '$');
  }
  assert.notEqual((await posted(FILLED, 'worker')).rejected, '');
  assert.equal((await posted(CIRCLE, 'ipc-json')).refused, '$.one.in.one');
  assert.equal(/never ends/.test((await posted(ENDLESS, 'ipc-json')).rejected), spec === 'deno@2.9.6');
  // Whether it is refused depends on the version; what follows arrives all the same.
  await posted(DETACHED, 'ipc-advanced');
  assert.equal((await posted(DATA, 'ipc-advanced')).rejected, '');
  await guest.close();
  assert.deepEqual(foldersLeft(), []);
});

// The transfer list is part of a payload: its verdict, bytes and times are those of the post with it.

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

// Branches.

/** Nine tenths of the values lie in `heavy`, in rows whose `deep` is most of each. */
const PAYLOAD = folder.module(
  'branches.mjs',
  `const row = (i) => ({ id: i, deep: { a: [i, i + 1, i + 2], b: 'text ' + i, c: { d: i / 3 } } });
   export const value = () => ({
     heavy: Array.from({ length: 900 }, (_, i) => row(i)),
     light: Array.from({ length: 100 }, (_, i) => row(i)),
   });`,
);

folder.testInGuests('each branch has its bytes and its time', SPECS, async (guest) => {
  const described = { type: 'describe', recipe: PAYLOAD, channel: 'worker', confirm: false } as const;
  const { shape } = await guest.ask(described);
  const paths = branchesOf(shape);
  for (const path of ['$.heavy', '$.heavy[*].deep', '$.light']) assert.ok(paths.includes(path), paths.join());
  const bytes = await guest.ask({ type: 'branch-bytes', recipe: PAYLOAD, paths });
  const variants = branchVariants(paths);
  const measured = await guest.ask(measureRequest(PAYLOAD, { variants }));
  for (const { variant, error } of measured.sets) assert.equal(error, null, variant);
  const costs = new Map(branchCosts(paths, [measured], bytes, 1).map((cost) => [cost.path, cost]));
  assert.deepEqual([...costs.keys()].sort(), [...paths].sort());
  for (const { path, send } of costs.values()) assert.equal(typeof send?.share, 'number', path);
  const between = (path: string, low: number, high: number) => {
    const share = costs.get(path)?.bytesShare;
    assert.ok(typeof share === 'number' && share > low && share < high, `${low} < ${share} < ${high}`);
  };
  between('$.heavy', 0.88, 0.92);
  between('$.light', 0.08, 0.12);
});

setFlagsFromString('--allow-natives-syntax');
const hasFastProperties = new Function('o', 'return %HasFastProperties(o)') as (o: unknown) => boolean;

for (const count of [3, 25, 120, 200, 1000]) {
  test(`V8 stores a parsed object of ${count} keys and the object without a branch alike`, () => {
    const keys = Array.from({ length: count }, (_, i) => `"key${i}":${i}`);
    const value = JSON.parse(`{${keys.join()},"deep":{${keys.join()}}}`) as { deep: object };
    const rest = without(value, '$.deep.key1') as typeof value;
    assert.equal(Object.keys(rest.deep).length, count - 1);
    assert.equal(hasFastProperties(rest.deep), hasFastProperties(value.deep));
    assert.equal(hasFastProperties(rest), hasFastProperties(value));
  });
}
