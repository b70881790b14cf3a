import { parsePath } from '../../core/paths.ts';
import { ToolError } from '../../model/errors.ts';
import { CHANNELS, type Channel, IPC_CHANNELS, LIBRARIES, SENDERS, type Sender } from '../../model/names.ts';
import { listOf } from './typed.ts';

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

/** Value of --total, ms; null when it is absent. */
export const totalOf = (flag: unknown): number | null =>
  flag === undefined ? null : milliseconds(String(flag), '--total');

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

const channelOf = oneOf([...CHANNELS, 'ipc'], '--channel');

/** null when the option is absent. */
export function channelsOf(flag: unknown): Channel[] | null {
  // Which of them a program has depends on how it starts the process.
  const channels = listOf(flag).flatMap((name) => {
    const channel = channelOf(name);
    return channel === 'ipc' ? IPC_CHANNELS : [channel];
  });
  return channels.length === 0 ? null : [...new Set(channels)];
}

/** undefined when the option is absent. */
export const senderOf = (flag: unknown): Sender | undefined =>
  flag === undefined ? undefined : oneOf(SENDERS, '--sender')(String(flag));

/** A path of the payload: "$.tiles[*].pixels". */
export function pathOf(text: string): string {
  if (parsePath(text) !== null) return text;
  throw new ToolError('usage', {
    detail: `--transfer: '${text}' is no path. Write it like $.pixels or $.tiles[*].data`,
  });
}

export const libraryOf = oneOf(LIBRARIES, '--via');
export const inputKindOf = oneOf(['text', 'bytes', 'json'] as const, '--as');

/** A word that names a payload. */
export const PAYLOAD_FILE = /\.(json|ndjson|jsonl|txt|[mc]?[jt]s|cprof|bin)$/i;

/** @throws ToolError 'usage' where no browser is waited for */
export function listenOf(flag: unknown, runtimes: readonly string[]): string | null {
  if (typeof flag !== 'string') return null;
  if (runtimes.includes('url')) return flag;
  throw new ToolError('usage', { detail: `--listen ${flag} says where the link of -r url is served` });
}

/**
 * A variadic `-r node bun orders.json` swallows the payload that follows it. A word that ends like a payload
 * file is not a runtime and goes back to the payloads.
 */
export function splitRuntimes(specs: string[]): { runtimes: string[]; payloads: string[] } {
  return {
    runtimes: specs.filter((spec) => !PAYLOAD_FILE.test(spec)),
    payloads: specs.filter((spec) => PAYLOAD_FILE.test(spec)),
  };
}
