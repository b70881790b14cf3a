import type { RemedyName } from '../../src/codec/remedies/index.ts';
import type { Channel } from '../../src/model/names.ts';
import { medianOf } from '../interleave.ts';
import { type Row, ratioRow } from '../table.ts';
import { FLOOR, measure, ORIGINAL, payload, typical } from './guests.ts';

const DATES = 'Array.from({ length: 2000 }, (_, i) => new Date(1.7e12 + i * 1000))';
const BESIDE = `({ bytes: new Uint8Array(10000), rows: Array.from({ length: 500 }, (_, i) => ({ id: i, tags: ['a'], refs: [i, 5] })) })`;

const BESIDE_TEXT = `({ html: '<p class="a">'.repeat(8000), ...${BESIDE} })`;

/** A rewrite with conversion, and at most which share of the original's time it takes there. */
interface Claim {
  what: string;
  value: string;
  remedy: RemedyName;
  plan: Record<string, unknown>;
  /** A worker's, unless it says so. */
  channel?: Channel;
  shares: Record<string, number>;
}

/** Where `plans` of these remedies propose them. */
const FASTER: readonly Claim[] = [
  {
    what: '2,000 Dates as numbers',
    value: DATES,
    remedy: 'plain',
    plan: { forms: [{ path: '$[*]', form: 'date' }] },
    shares: { 'bun@1.4.5': 0.8 },
  },
  {
    what: '1,000 rows with a BigInt, sent as a number',
    value: 'Array.from({ length: 1000 }, (_, i) => ({ id: BigInt(i) * 123456789n, name: `name ${i}` }))',
    remedy: 'plain',
    plan: { forms: [{ path: '$[*].id', form: 'bigint' }] },
    shares: { 'bun@1.4.5': 0.85 },
  },
  {
    what: 'rows with tiny arrays beside a buffer as JSON text',
    value: BESIDE,
    remedy: 'json-text',
    plan: { path: '$.rows', paths: ['$.rows'] },
    shares: { node: 0.85, 'deno@2.9.6': 0.85, 'bun@1.4.5': 0.75 },
  },
  {
    what: 'rows with tiny arrays beside 100 kB of text as JSON text',
    value: BESIDE_TEXT,
    remedy: 'json-text',
    plan: { path: '$.rows', paths: ['$.rows'] },
    shares: { node: 0.95, 'deno@2.9.6': 0.95 },
  },
  {
    what: '64 KiB as base64 text between processes',
    value: '({ id: 1, data: new Uint8Array(65536).map((_, i) => i * 7) })',
    remedy: 'base64',
    plan: { path: '$.data', paths: ['$.data'] },
    channel: 'ipc-json',
    shares: { node: 0.3, 'deno@2.9.6': 0.3, 'bun@1.4.5': 0.3 },
  },
];

const PROCESSES = 3;

async function shareOf(spec: string, { value, remedy, plan, channel = 'worker' }: Claim): Promise<number> {
  const rewritten = { id: remedy, remedy, plan: { path: '$', ...plan }, mode: 'with-conversion' } as const;
  const variants = [FLOOR, ORIGINAL, rewritten];
  const shares: number[] = [];
  for (let seed = 1; seed <= PROCESSES; seed++) {
    const measured = await measure(spec, payload(`export const value = () => ${value};`), {
      variants,
      seed,
      channel,
    });
    shares.push(typical(measured, remedy, 'roundTrip') / typical(measured, 'original', 'roundTrip'));
  }
  return medianOf(shares);
}

/** Rewrites are proposed on the engines where they pay. */
export async function knownRemedies(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const claim of FASTER)
    for (const [spec, most] of Object.entries(claim.shares))
      rows.push(ratioRow(`${spec}: ${claim.what} / the original`, await shareOf(spec, claim), most));
  return rows;
}
