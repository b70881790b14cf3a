/** Version ranges: comparators joined by spaces (and) or `||` (or), `*` for all. A pre-release counts as its release. */

import type { RuntimeId } from '../../model/documents/names.ts';
import { ENGINE_OF, RUNTIME_NAMES } from '../../model/names.ts';
import { filter, flatMap, map } from '../../value/read/lists.ts';

type VersionNumbers = readonly number[];

/** Each test gets the order of a version relative to the version in the range. */
const OPERATORS = {
  '>=': (order: number) => order >= 0,
  '>': (order: number) => order > 0,
  '<': (order: number) => order < 0,
  '<=': (order: number) => order <= 0,
  '=': (order: number) => order === 0,
};

type Comparator = { operator: keyof typeof OPERATORS; parts: VersionNumbers };

const VERSION = /^v?(\d+(?:\.\d+)*)(?:[-+].*)?$/;
const COMPARATOR = /^(>=|<=|>|<|=)?(v?\d.*)$/;

/** @throws RangeError if the text is not a version */
function versionNumbers(version: string): VersionNumbers {
  const numbers = VERSION.exec(version.trim())?.[1];
  if (numbers === undefined) throw new RangeError(`not a version: ${JSON.stringify(version)}`);
  return map(numbers.split('.'), Number);
}

function compareParts(a: VersionNumbers, b: VersionNumbers): number {
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Negative if `a` is older than `b`, 0 if they are the same release. */
export const compareVersions = (a: string, b: string) => compareParts(versionNumbers(a), versionNumbers(b));

function comparatorOf(text: string): Comparator {
  const found = COMPARATOR.exec(text);
  if (found === null) throw new RangeError(`not a version range: ${JSON.stringify(text)}`);
  return { operator: (found[1] ?? '=') as keyof typeof OPERATORS, parts: versionNumbers(found[2]!) };
}

const alternativesOf = (range: string): Comparator[][] =>
  map(range.split('||'), (part) =>
    map(
      filter(part.trim().split(/\s+/), (text) => text !== '' && text !== '*'),
      comparatorOf,
    ),
  );

/** @throws RangeError if either is malformed */
export function inRange(version: string, range: string): boolean {
  const own = versionNumbers(version);
  return alternativesOf(range).some((all) =>
    all.every(({ operator, parts }) => OPERATORS[operator](compareParts(own, parts))),
  );
}

/** Versions at which the result of `inRange` may change, in the words of the range. */
export const turningPoints = (range: string): string[] =>
  flatMap(alternativesOf(range), (all) => map(all, ({ parts }) => parts.join('.')));

/** One range for the versions of several: `*` if it covers all, else without ranges that others of them cover. */
export function unionOf(ranges: readonly string[]): string {
  // Between the version right behind a turning point and the next one, no range begins or ends.
  const around = (at: string) => [at, `${at}.0.0.1`];
  const versions = ['0', ...flatMap(flatMap(ranges, turningPoints), around)];
  if (versions.every((version) => ranges.some((range) => inRange(version, range)))) return '*';
  let kept = [...new Set(ranges)];
  for (const range of kept) {
    const others = filter(kept, (other) => other !== range);
    const covering = others.some((other) =>
      versions.every((version) => !inRange(version, range) || inRange(version, other)),
    );
    // One after the other: of two words for the same versions, one stays.
    if (covering) kept = others;
  }
  return kept.join(' || ');
}

/** Splits "bun@1.4" into name and wanted version: undefined without "@", "" for "bun@". Neither part is validated. */
export function parseRuntimeSpec(spec: string): { name: string; wanted: string | undefined } {
  const [, name = '', wanted] = /^([^@]*)(?:@(.*))?$/s.exec(spec.trim()) ?? [];
  return { name, wanted };
}

/** Returns the id of a runtime that is not installed, from a spec like "deno@2.9"; null for a path or unknown name. */
export function runtimeOfSpec(spec: string): RuntimeId | null {
  const { name: text, wanted: version = 'missing' } = parseRuntimeSpec(spec);
  const name = RUNTIME_NAMES.find((known) => known === text);
  return name === undefined ? null : { name, version, engine: ENGINE_OF[name] };
}
