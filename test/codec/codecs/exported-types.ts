/** Codecs of samples that a TypeScript file exports: `Payload` is the type that the file gives them. */
import { REMEDIES, type RemedyName } from '../../../src/codec/remedies/index.ts';
import { emitted, factsOf, shapeOf } from './emitted.ts';

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

const made = { id: 1, currency: 'EUR', side: 'buy', tags: ['a'], at: new Date(0) };
const list = [made, { ...made, note: 'b' }];

/** Export, its value, a remedy, and an assignment that must compile. */
const EXPORTS: [name: string, value: unknown, remedy: RemedyName, held: string][] = [
  ['trades', list, 'compiled', "'EUR' | 'USD' = payload[0]!.currency"],
  ['frozen', list, 'compiled', 'readonly Trade[] = payload'],
  ['constant', [{ id: 1, currency: 'EUR' }], 'compiled', "'EUR' = payload[0].currency"],
  ['made', list, 'compiled', 'Trade[] = payload'],
  ['late', new Map([['a', made]]), 'compiled', 'Map<Isin, Trade> = payload'],
  ['late', new Map([['a', made]]), 'plain', 'Map<Isin, Trade> = payload'],
  ['pending', made, 'compiled', 'Trade = payload'],
  ['odd name', { text: 'a', id: 1 }, 'compiled', 'string | undefined = payload.text'],
  ['default', { bytes: new Uint8Array(1), list }, 'compiled', 'Trade[] = payload.list'],
];

/** A file of exports with each ending, and codecs of it whose payloads are used as the types that it exports. */
export function exportedTypes(): Record<string, string> {
  const files: Record<string, string> = {};
  for (const [at, [name, value, remedy, held]] of EXPORTS.entries()) {
    const file = ['trades.ts', 'm.mts', 'x.tsx'][at % 3]!;
    files[file] = TRADES;
    const [plan] = REMEDIES[remedy].plans(shapeOf(value), factsOf(value, 'trades'));
    const text = emitted(REMEDIES[remedy], plan!, value, { exported: { file, export: name } });
    const typed = held.replace(/Trade|Isin/g, `import('./${file.replace(/tsx?$/, 'js')}').$&`);
    files[`exported-${at}.ts`] =
      `${text}export function hold(payload: Payload): unknown { const held: ${typed}; return held; }\n`;
  }
  return files;
}
