/** Documents as JSON: complete, and safe to print on a terminal and in a CI log. */
import type { Report } from '../../model/documents/report.ts';
import { visibleJson } from './escape.ts';

/** Known fields of a Report in reading order; others follow by name. */
const KEY_ORDER = [
  'schema tool machine seed recordings payloads id source error stands traffic runs file export code message',
  'runtime channel via library status shape verdict bare findings measurement trials advice',
  'name version engine os arch cpu cores memoryBytes nodes depth jsonBytes jsonSafe patterns truncated',
  'representation pattern parent kind flags rule level remedy path plan class confirmed aspired blockers upgrade',
  'unknowns what count example tag size bytes copied moved shared roundTrip send receive cold floor',
  'peakMemory gc median ratio ci p95 p99 samples processes histogram from to counts equality losses withConversion',
  'inPlace outcome outcomeInPlace reason action gain ownsBothForms byPath bytesShare profile by side where work ns',
  'share files messages shares top missing why clone user other',
].flatMap((keys) => keys.split(' '));

const PLACES = new Map(KEY_ORDER.map((key, place) => [key, place]));

function byPlace(a: string, b: string): number {
  const known = (PLACES.get(a) ?? KEY_ORDER.length) - (PLACES.get(b) ?? KEY_ORDER.length);
  if (known !== 0) return known;
  return a < b ? -1 : Number(a > b);
}

function ordered(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => byPlace(a, b)));
}

export const jsonReport = (report: Report): string => `${visibleJson(JSON.stringify(report, ordered, 2))}\n`;

export const escapedJson = (value: unknown): string => `${visibleJson(JSON.stringify(value, null, 2))}\n`;

export const plainJson = (value: unknown): string => visibleJson(JSON.stringify(value));

export const compactJson = (value: unknown): string => visibleJson(JSON.stringify(value, ordered));
