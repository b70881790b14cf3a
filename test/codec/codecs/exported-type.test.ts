/** `Payload` of a sample that a TypeScript file exports is the type that the file gives it. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { REMEDIES, type RemedyName } from '../../../src/codec/remedies/index.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { emitted, factsOf, shapeOf } from './emitted.ts';
import { strictErrors } from './strict.ts';

const folder = tempFolder('exported');

const TRADES = `
export interface Trade {
  readonly id: number;
  currency: 'EUR' | 'USD';
  side: Side;
  note?: string;
  tags: readonly string[];
  at: Date;
}
enum Side { buy = 'buy', sell = 'sell' }
declare const brand: unique symbol;
export type Isin = string & { [brand]: true };
const trade = (): Trade => ({ id: 1, currency: 'EUR', side: Side.buy, tags: ['a'], at: new Date(0) });
export const trades: Trade[] = [trade()];
export const frozen: readonly Trade[] = trades;
export const constant = [{ id: 1, currency: 'EUR' }] as const;
export const made = (count = 3): Trade[] => Array.from({ length: count }, trade);
export const late = async (): Promise<Map<Isin, Trade>> => new Map([['a' as Isin, trade()]]);
export const pending: Promise<Trade> = late().then(() => trade());
const odd: { text?: string; id: number } = { text: '', id: 1 };
export { odd as 'odd name' };
export default { bytes: new Uint8Array(1), list: trades };
`;

const trade = () => ({ id: 1, currency: 'EUR', side: 'buy', tags: ['a'], at: new Date(0) });
const list = () => [trade(), { ...trade(), note: 'b' }];

/** Export, its value, the remedy, and what must hold of the payload that arrives. */
const EXPORTS: [name: string, value: unknown, remedy: RemedyName, holds: string][] = [
  [
    'trades',
    list(),
    'compiled',
    "const all: Trade[] = payload; const one: 'EUR' | 'USD' = all[0]!.currency;",
  ],
  ['frozen', list(), 'compiled', 'const all: readonly Trade[] = payload;'],
  ['constant', [{ id: 1, currency: 'EUR' }], 'compiled', "const one: 'EUR' = payload[0].currency;"],
  ['made', list(), 'compiled', 'const all: Trade[] = payload;'],

  ['late', new Map([['a', trade()]]), 'compiled', 'const all: Map<Isin, Trade> = payload;'],
  ['late', new Map([['a', trade()]]), 'plain', 'const all: Map<Isin, Trade> = payload;'],
  ['pending', trade(), 'compiled', 'const one: Trade = payload;'],
  ['odd name', { text: 'a', id: 1 }, 'compiled', 'const text: string | undefined = payload.text;'],
  ['odd name', { text: 'a', id: 1 }, 'json-text', 'const text: string | undefined = payload.text;'],
  ['default', { bytes: new Uint8Array(1), list: list() }, 'compiled', 'const all: Trade[] = payload.list;'],
  ['default', { bytes: new Uint8Array(1), list: list() }, 'transfer', 'const all: Trade[] = payload.list;'],
];

/** Ending of the file with the exports, and how it is compiled. */
const SETTINGS: [ending: string, options: object][] = [
  ['ts', { module: 'esnext', moduleResolution: 'bundler' }],
  ['ts', { module: 'nodenext' }],
  ['mts', { module: 'nodenext' }],
  ['tsx', { module: 'preserve', jsx: 'preserve' }],
];

function filesFor(ending: string): Record<string, string> {
  const files: Record<string, string> = { [`trades.${ending}`]: TRADES, 'package.json': '{"type":"module"}' };
  for (const [at, [name, value, remedy, holds]] of EXPORTS.entries()) {
    const [plan] = REMEDIES[remedy].plans(shapeOf(value), factsOf(value, 'trades'));
    const exported = { file: `trades.${ending}`, export: name };
    const text = emitted(REMEDIES[remedy], plan!, value, { exported });
    files[`${at}.codec.ts`] = text;
    const uses = ['Trade', 'Isin'].filter((type) => new RegExp(`\\b${type}\\b`).test(holds));
    const compiled = ending.replace(/tsx?$/, 'js');
    files[`${at}.use.ts`] = [
      ...(uses.length === 0 ? [] : [`import type { ${uses.join(', ')} } from './trades.${compiled}';`]),
      `import type { Payload } from './${at}.codec.js';`,
      `export function use(payload: Payload) { ${holds} return [${[...holds.matchAll(/const (\w+)/g)].map(([, one]) => one)}]; }`,
    ].join('\n');
  }
  return files;
}

for (const [at, [ending, options]] of SETTINGS.entries())
  test(`the types of trades.${ending} under ${JSON.stringify(options)}`, async () => {
    assert.equal(await strictErrors(join(folder, `${at}`), filesFor(ending), options), '');
  });
