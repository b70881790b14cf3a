import type { LoadWish } from '../core/measure/load.ts';
import { ToolError } from '../model/errors.ts';
import { CHANNELS, type Channel, LIBRARIES, type LibraryName } from '../model/names.ts';

export const ANALYZE_FORMATS = ['terminal', 'json', 'markdown', 'html'] as const;
export type AnalyzeFormat = (typeof ANALYZE_FORMATS)[number];

/** `analyze` options as the user gave them, validated. Times in ms. */
export interface AnalyzeOptions {
  payloads: string[];
  runtimes: string[];
  channels: Channel[];
  exports: string[] | null;
  via: LibraryName[];
  format: AnalyzeFormat;
  output: string | null;
  budgetMs: number;
  measure: boolean;
  /** Folder for profiles, as the user named it. */
  profile: string | null;
  byPath: boolean;
  load: LoadWish | null;
  timeoutMs: number;
  seed: number;
  as: 'text' | 'bytes' | 'json' | null;
  offline: boolean;
}

const UNITS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, min: 60_000 };

/** "500ms", "5s", "2m"; a bare number is seconds. */
export function milliseconds(text: string, option: string): number {
  const match = /^(\d+(?:\.\d+)?)\s*(ms|s|m|min)?$/.exec(text.trim());
  const value = match ? Number(match[1]) * (UNITS[match[2] ?? 's'] ?? Number.NaN) : Number.NaN;
  if (!(value > 0)) {
    throw new ToolError('usage', {
      detail: `${option}: '${text}' is not a time. Write it like 500ms, 5s or 2m`,
    });
  }
  return value;
}

/** A whole number from 0 to 2^32-1, as the seeded generator takes it. */
export function seedOf(text: string): number {
  const seed = Number(text);
  if (!/^\d+$/.test(text) || seed > 0xffffffff) {
    throw new ToolError('usage', { detail: `--seed: '${text}' is not a whole number from 0 to 4294967295` });
  }
  return seed;
}

/** One of a closed set of names; an unknown one is a usage error that lists them. */
export function oneOf<T extends string>(names: readonly T[], option: string): (text: string) => T {
  return (text) => {
    const found = names.find((name) => name === text);
    if (found === undefined) {
      throw new ToolError('usage', { detail: `${option}: '${text}' is unknown. Known: ${names.join(', ')}` });
    }
    return found;
  };
}

export const channelOf = oneOf(CHANNELS, '--channel');
export const libraryOf = oneOf(LIBRARIES, '--via');
export const formatOf = oneOf(ANALYZE_FORMATS, '--format');
export const inputKindOf = oneOf(['text', 'bytes', 'json'] as const, '--as');

const PROFILE_FOLDER = 'profiles';

const PAYLOAD_FILE = /\.(json|ndjson|jsonl|txt|[mc]?[jt]s|cprof|bin)$/i;

/**
 * A variadic `-r node bun orders.json` swallows the payload that follows it. A word that has a payload's ending is no
 * runtime, so it goes back to the payloads.
 */
export function splitRuntimes(specs: string[]): { runtimes: string[]; payloads: string[] } {
  return {
    runtimes: specs.filter((spec) => !PAYLOAD_FILE.test(spec)),
    payloads: specs.filter((spec) => PAYLOAD_FILE.test(spec)),
  };
}

/** `--profile orders.json` names a payload, not a folder: the word goes back to the payloads. */
export function splitProfile(flag: unknown): { profile: string | null; payloads: string[] } {
  if (flag === undefined || flag === false) return { profile: null, payloads: [] };
  if (typeof flag !== 'string') return { profile: PROFILE_FOLDER, payloads: [] };
  return PAYLOAD_FILE.test(flag)
    ? { profile: PROFILE_FOLDER, payloads: [flag] }
    : { profile: flag, payloads: [] };
}
