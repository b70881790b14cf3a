/** The plugins of bundlers, in the bundlers. vite takes plugins of rollup's form: its own runs in rollup here. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { build } from 'esbuild';
import { type Plugin, rollup } from 'rollup';
import { writeDeclarations } from '../../../src/faces/bundlers/codecs.ts';
import esbuildCodecs from '../../../src/faces/bundlers/esbuild.ts';
import type { CodecPluginOptions } from '../../../src/faces/bundlers/options.ts';
import rollupCodecs from '../../../src/faces/bundlers/rollup.ts';
import viteCodecs from '../../../src/faces/bundlers/vite.ts';
import { strictErrors } from '../../codec/codecs/strict.ts';
import { ROOT } from '../../support/spawn-cli.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const folder = tempFolder('bundlers');
const put = (name: string, text: string) => writeFileSync(join(folder, name), text);

const ORDERS = readFileSync(join(ROOT, 'fixtures', 'orders.json'), 'utf8');
put('orders.json', ORDERS);
put('events.ndjson', '{"at":1,"who":"a"}\n{"at":2.5,"who":"b","more":true}\n');
put('text.json', '"one text"');
put(
  'main.js',
  `export * as orders from './orders.json?codec';
export * as events from './events.ndjson?codec';\n`,
);
const TRADES = `export interface Trade { id: number; currency: 'EUR' | 'USD' }
const secret = 'a value of the sample';
export const trades = (): Trade[] => [{ id: secret.length, currency: 'EUR' }, { id: 2, currency: 'USD' }];\n`;
put('trades.ts', TRADES);
put(
  'worker.js',
  `import { fromMessage } from './trades.ts?codec';
import { fromMessage as ofOrders } from './orders.json?codec';
onmessage = ({ data }) => postMessage(ofOrders(fromMessage(data)));\n`,
);
put('bad.js', "export * from './text.json?codec';\n");

const withRollup = (plugin: Plugin) => async (entry: string) => {
  const bundle = await rollup({ input: join(folder, entry), plugins: [plugin] });
  const { output } = await bundle.generate({ format: 'es' });
  return { code: output[0].code, watched: bundle.watchFiles };
};

type BundlerOf = (
  options: CodecPluginOptions,
) => (entry: string) => Promise<{ code: string; watched?: string[] }>;

const esbuildOf: BundlerOf = (options) => async (entry) => {
  const plugins = [esbuildCodecs(options)];
  const terms = { bundle: true, write: false, format: 'esm', logLevel: 'silent' } as const;
  const { outputFiles } = await build({ ...terms, entryPoints: [join(folder, entry)], plugins });
  return { code: outputFiles[0]!.text };
};

const BUNDLERS: Record<string, BundlerOf> = {
  esbuild: esbuildOf,
  rollup: (options) => withRollup(rollupCodecs(options)),
  vite: (options) => withRollup(viteCodecs(options)),
};

interface Module {
  toMessage(payload: unknown, onMiss: (path: string) => void): unknown;
  fromMessage(message: unknown): unknown;
}

for (const [name, bundlerOf] of Object.entries(BUNDLERS))
  test(`${name}: a sample with ?codec is its codec`, async () => {
    const types = join(folder, `${name}.d.ts`);
    const { code, watched } = await bundlerOf({ types })('main.js');
    const { orders, events } = (await import(
      `data:text/javascript;base64,${Buffer.from(code).toString('base64')}`
    )) as { orders: Module; events: Module };
    const misses: string[] = [];
    const arrives = ({ toMessage, fromMessage }: Module, payload: unknown) =>
      fromMessage(structuredClone(toMessage(payload, (path) => misses.push(path))));
    const payload = JSON.parse(ORDERS) as unknown;
    assert.deepEqual(arrives(orders, payload), payload);
    assert.deepEqual(arrives(events, { at: 7, who: 'c' }), { at: 7, who: 'c' });
    assert.deepEqual(misses, []);
    assert.doesNotMatch(code, /\/\/ schema:/);
    assert.ok(watched === undefined || watched.includes(join(folder, 'orders.json')));
    await assert.rejects(
      bundlerOf({})('bad.js'),
      /text\.json: no codec: the payload is a text\. Post it as it is/,
    );
    // No code and no value of a sample gets into the bundle of a worker.
    const worker = await bundlerOf({})('worker.js');
    assert.match(worker.code, /readTrade/);
    assert.doesNotMatch(worker.code, /secret|a value of the sample|EUR/);
    const { customer } = (payload as { orders: { customer: object }[] }).orders[0]!;
    const texts = Object.values(customer).filter((one) => typeof one === 'string' && one.length > 5);
    assert.ok(texts.length > 0 && texts.every((text) => !worker.code.includes(text as string)));
  });

test('vite: bundles of workers have the plugin by themselves', async () => {
  const { config } = viteCodecs({}) as { config?: () => { worker: { plugins: () => Plugin[] } } };
  const { code } = await withRollup(config!().worker.plugins()[0]!)('worker.js');
  assert.match(code, /readTrade/);
});

const USE = `import { fromMessage, type Message, type Payload, toMessage } from './orders.json?codec';
import * as events from '../data/events.ndjson?codec';
const of = (payload: Payload): Message => toMessage(payload, (path: string) => path);
interface Own extends Payload { readonly own?: true }
export const own: Own = fromMessage<Own>({} as Message);
// @ts-expect-error not of this payload
export const foreign = fromMessage<{ orders: string }>({} as Message);
export const totals: number[] = fromMessage(of({} as Payload)).orders.flatMap(({ items }) => items.map(({ unitPrice }) => unitPrice));
export const more: boolean | undefined = events.fromMessage({} as events.Message).more;
// @ts-expect-error no such key
export const none = events.fromMessage({} as events.Message).none;\n`;

test('declarations know the types of each sample, its own type, or the type that the user names for it', async () => {
  const types = join(folder, 'own.d.ts');
  const own = 'export interface Own { orders: { id: number; currency: "EUR" | "USD" }[] }\n';
  put('own-types.ts', own);
  const named = { [join(folder, 'orders.json')]: `${join(folder, 'own-types.ts')}#Own` };
  await esbuildOf({ types, type: named })('main.js');
  await esbuildOf({ types, type: named })('worker.js');
  const use = `import * as orders from './orders.json?codec';
import { fromMessage, type Payload, toMessage } from './trades.ts?codec';
import type { Own } from './own-types.js';
import type { Trade } from './trades.js';
export const all: Trade[] = fromMessage(toMessage([] as Payload));
export const one: Own = orders.fromMessage({} as orders.Message);
// @ts-expect-error no such currency
export const none: 'CHF' = fromMessage(toMessage([]))[0]!.currency;
// @ts-expect-error no such type
orders.toMessage({ orders: [{ id: 1, currency: 'CHF' }] });\n`;
  const files = { 'own.d.ts': readFileSync(types, 'utf8'), 'own-types.ts': own, 'trades.ts': TRADES };
  assert.equal(await strictErrors(join(folder, 'own'), { ...files, 'use.ts': use }), '');
  const known = { 'codecs.d.ts': readFileSync(join(folder, 'esbuild.d.ts'), 'utf8'), 'use.ts': USE };
  assert.equal(await strictErrors(join(folder, 'strict'), known), '');
  await assert.rejects(
    esbuildOf({ types, type: { [join(folder, 'orders.json')]: 'own-types.ts' } })('main.js'),
    /'own-types\.ts' names no type\. Write src\/types\.ts#Page/,
  );
});

const file = join(folder, 'src', 'codecs.d.ts');
const sampleAt = (name: string) => join(folder, 'samples', name);
const written = () => readFileSync(file, 'utf8');

mkdirSync(join(folder, 'samples'));
mkdirSync(join(folder, 'samples', 'more'));
for (const name of ['a.json', 'b.json', 'more/b.json']) writeFileSync(sampleAt(name), '{}');

const HEAD = '// clone-prof codecs: written by the bundler plugin. One module for each sample.\n';
const block = (name: string, ...lines: string[]) => blockAs(name, name, ...lines);
const blockAs = (name: string, as: string, ...lines: string[]) =>
  `\n// sample: ../samples/${name}\ndeclare module "*/${as}?codec" {\n${lines.map((line) => `  ${line}\n`).join('')}}\n`;

test('declarations of one sample after the other', () => {
  const type = (text: string) => `export interface A {\n  ${text};\n}\n`;
  const lines = (text: string) => ['export interface A {', `  ${text};`, '}'];
  writeDeclarations(file, { sample: sampleAt('b.json'), declarations: type('b: 1') });
  assert.equal(written(), HEAD + block('b.json', ...lines('b: 1')));
  writeDeclarations(file, { sample: sampleAt('a.json'), declarations: type('a: 1') });
  assert.equal(written(), HEAD + block('a.json', ...lines('a: 1')) + block('b.json', ...lines('b: 1')));
  writeDeclarations(file, { sample: sampleAt('b.json'), declarations: type('b: 2') });
  assert.equal(written(), HEAD + block('a.json', ...lines('a: 1')) + block('b.json', ...lines('b: 2')));
  rmSync(sampleAt('a.json'));
  writeDeclarations(file, { sample: sampleAt('b.json'), declarations: type('b: 2') });
  assert.equal(written(), HEAD + block('b.json', ...lines('b: 2')));
});

test('samples with the same name are distinguished by their folders', () => {
  for (const name of ['b.json', 'more/b.json'])
    writeDeclarations(file, { sample: sampleAt(name), declarations: 'export {};\n' });
  const both = blockAs('b.json', 'samples/b.json', 'export {};') + block('more/b.json', 'export {};');
  assert.equal(written(), HEAD + both);
});

test('a file that clone-prof did not write is not overwritten', () => {
  const other = join(folder, 'foreign.d.ts');
  writeFileSync(other, 'export {};\n');
  const write = () => writeDeclarations(other, { sample: sampleAt('b.json'), declarations: '' });
  assert.throws(write, /foreign\.d\.ts: cannot be written \(it is there, and clone-prof did not write it/);
  assert.equal(readFileSync(other, 'utf8'), 'export {};\n');
});
