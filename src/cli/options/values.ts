/** Words of the command line become values. All throw ToolError 'usage' for what they do not understand. */
import { parsePath } from '../../core/paths.ts';
import { ToolError } from '../../model/errors.ts';
import { CHANNELS, type Channel, IPC_CHANNELS, LIBRARIES, SENDERS } from '../../model/names.ts';
import type { SiteChoice } from '../../model/recording/recording.ts';
import type { Fetching } from '../../services/work.ts';

/** What was typed after the name of a command. */
export interface Typed {
  args: string[];
  flags: Readonly<Record<string, unknown>>;
}
type Flags = Typed['flags'];

export const usage = (detail: string) => new ToolError('usage', { detail });

/** Values of an option that may be given several times or with several words. */
export const listOf = (flag: unknown): string[] => (Array.isArray(flag) ? flag.map(String) : []);

export const textOf = (flag: unknown): string | null => (typeof flag === 'string' ? flag : null);

/** null when the option is absent. */
export const parseOptional = <T>(flag: unknown, parse: (text: string) => T): T | null =>
  flag === undefined ? null : parse(String(flag));

/** Format of commands that print for people or for programs. */
export const terminalOrJson = ({ flags }: Typed) =>
  flags.format === 'json' ? ('json' as const) : ('terminal' as const);

const UNITS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, min: 60_000 };

/** A longer timer fires at once (HTML, timer initialization steps; Node's TimeoutOverflowWarning). */
const LONGEST_MS = 2 ** 31 - 1;

/** "500ms", "5s", "2m"; a bare number is seconds. */
export function milliseconds(flag: unknown, option: string): number {
  const match = /^(\d+(?:\.\d+)?)\s*(ms|s|m|min)?$/.exec(String(flag).trim());
  const value = match ? Number(match[1]) * (UNITS[match[2] ?? 's'] ?? Number.NaN) : Number.NaN;
  if (value > 0) return Math.min(value, LONGEST_MS);
  throw usage(`${option}: '${flag}' is not a time. Write it like 500ms, 5s or 2m`);
}

export const timeoutOf = ({ timeout }: Flags): number => milliseconds(timeout, '--timeout');

/** Times for measuring, ms, and the seed. `totalMs`: for the whole run; null: each payload and runtime has its budget. */
export const budgetsOf = ({ budget, total, seed }: Flags) => ({
  budgetMs: milliseconds(budget, '--budget'),
  totalMs: parseOptional(total, (text) => milliseconds(text, '--total')),
  seed: seedOf(String(seed)),
});

/** A whole number from 0 to 2^32-1, as the seeded generator takes it. */
function seedOf(text: string): number {
  if (/^\d+$/.test(text) && Number(text) <= 0xffffffff) return Number(text);
  throw usage(`--seed: '${text}' is not a whole number from 0 to 4294967295`);
}

/** One of a closed set of names; an unknown one is a usage error that lists them. */
export function parseOneOf<T extends string>(names: readonly T[], option: string): (text: string) => T {
  return (text) => {
    const found = names.find((name) => name === text);
    if (found !== undefined) return found;
    throw usage(`${option}: '${text}' is unknown. Known: ${names.join(', ')}`);
  };
}

export const libraryOf = parseOneOf(LIBRARIES, '--via');
const senderOf = parseOneOf(SENDERS, '--sender');
const channelOf = parseOneOf([...CHANNELS, 'ipc'], '--channel');

/** null when the option is absent. */
function channelsOf(flag: unknown): Channel[] | null {
  // Which of them a program has depends on how it starts the process.
  const channels = listOf(flag).flatMap((name) => {
    const channel = channelOf(name);
    return channel === 'ipc' ? IPC_CHANNELS : [channel];
  });
  return channels.length === 0 ? null : [...new Set(channels)];
}

/** How messages are posted; null and undefined where that was not said. */
export const postingOf = ({ channel, sender }: Flags) => ({
  channels: channelsOf(channel),
  sender: parseOptional(sender, senderOf) ?? undefined,
});

/** How inputs are read. */
export const readingOf = ({ export: names, as }: Flags) => ({
  exports: names === undefined ? null : listOf(names),
  as: parseOptional(as, parseOneOf(['text', 'bytes', 'json'] as const, '--as')),
});

/** A path of the payload: "$.tiles[*].pixels". */
export function pathOf(text: string): string {
  if (parsePath(text) !== null) return text;
  throw usage(`--transfer: '${text}' is not a path. Write it like $.pixels or $.tiles[*].data`);
}

export const fetchingOf = ({ offline, projectNpmrc, weakIntegrity }: Flags): Fetching => ({
  offline: offline === true,
  projectNpmrc: projectNpmrc === true,
  weakIntegrity: weakIntegrity === true,
});

/** How browsers are waited for that somebody opens the link of `-r url` with. */
export interface Waiting {
  /** Where the link is served; null: on this machine only. */
  listen: string | null;
  timeoutMs: number;
}

export function waitingOf(flags: Flags, runtimes: readonly string[]): Waiting {
  const listen = textOf(flags.listen);
  if (listen !== null && !runtimes.includes('url'))
    throw usage(`--listen ${listen} says where the link of -r url is served`);
  return { listen, timeoutMs: timeoutOf(flags) };
}

/** A word that names a payload. */
export const PAYLOAD_FILE = /\.(json|ndjson|jsonl|txt|[mc]?[jt]s|cprof|bin)$/i;

/**
 * A variadic `-r node bun orders.json` swallows the payload that follows it. A word that ends like a payload
 * file is not a runtime and goes back to the payloads.
 */
export function splitRuntimes(flag: unknown): { runtimes: string[]; payloads: string[] } {
  const specs = listOf(flag);
  return {
    runtimes: specs.filter((spec) => !PAYLOAD_FILE.test(spec)),
    payloads: specs.filter((spec) => PAYLOAD_FILE.test(spec)),
  };
}

/** Which sites of a recording are meant. */
export function sitesOf({ top, site }: Flags): SiteChoice {
  if (top !== undefined && !/^[1-9]\d{0,4}$/.test(String(top)))
    throw usage(`--top: '${top}' is not a number of sites, from 1 to 99999`);
  return { top: parseOptional(top, Number), site: parseOptional(site, String) };
}
