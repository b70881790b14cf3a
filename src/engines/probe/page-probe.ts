/**
 * The probe of a page. Only time shows if Firefox shares a string or copies it: the string is cloned in turn with two
 * controls of its width, a string with a separate buffer (shared) and a piece of a longer string (copied).
 */

import type { Facts, Shape } from '../../model/documents/shape.ts';
import { type Channel, type EngineName, isJson, type PathName } from '../../model/names.ts';
import { orElse } from '../../model/or-else.ts';
import type { Confirmation, PathBytes } from '../../model/wire/wire.ts';
import { isLatin1 } from '../../value/describe/inspect/storage.ts';
import { filter, map } from '../../value/read/lists.ts';
import { runningBrowser } from './browser.ts';
import { examplesIn, type Fresh, notAnswered, rejectedWith, taken } from './oracle-result.ts';
import { pageTypes } from './page-types.ts';
import type { RuntimeProbe } from './probe.ts';
import { nativeOrNull, v8InPage } from './v8-storage.ts';

/** A string costs up to some tens of ms. */
const MAX_STRINGS = 8;
/** Ports copy every string, so they are not in this list. */
const SHARING: readonly Channel[] = ['worker', 'structured-clone', 'window'];

/** JSON.parse gives texts above it a buffer to share, and shorter ones none: seen on Firefox 153. */
const PARSED_BYTES = 1024;

/** The answer for the example is that for all of its row. */
function isAsked({ kind, size, flags }: Facts): boolean {
  if (kind !== 'string' || size === undefined) return false;
  const isWide = flags.includes('two-byte');
  const hasBuffer = (units: number) => (isWide ? 2 * units : units) > PARSED_BYTES;
  return isLongEnough(size.min, isWide) && hasBuffer(size.min) === hasBuffer(size.max);
}

const { crossOriginIsolated: isIsolated } = globalThis as { crossOriginIsolated?: boolean };

/** Throws what `fresh` throws. */
async function firefoxOracle(fresh: Fresh, shape: Shape, channel: Channel): Promise<Confirmation> {
  const value = await fresh();
  try {
    structuredClone(value);
  } catch (error) {
    return rejectedWith(error, value, shape);
  }
  if (!isIsolated)
    return notAnswered('the clock of a page that is not isolated is too coarse to tell strings apart');
  const strings = filter(shape.patterns, isAsked);
  if (strings.length === 0 || !SHARING.includes(channel))
    return notAnswered(
      'only long strings to a worker, a window or to structuredClone can be told apart, by their time',
    );
  // This must be a new value: the first clone of a value flattens joined strings.
  const asked = await fresh();
  const examples = examplesIn(asked, strings.slice(0, MAX_STRINGS), (text) =>
    typeof text === 'string' ? stringPath(text) : null,
  );
  const root = examples.find(({ pattern }) => pattern === '$')?.path ?? null;
  const path = typeof asked === 'string' ? root : examples.length > 0 ? 'serializer' : null;
  const evidence = `time of ${examples.length} of ${strings.length} long strings beside a shared and a copied one`;
  return taken(path, evidence, examples);
}

/** Shorter strings cost too little to compare: copying takes 8 ns a UTF-16 unit, 1 ns a Latin-1 unit. */
const MIN_UNITS = { latin1: 2048, wide: 128 } as const;
/** Strings of 514 bytes and more are shared, and all of them at the same cost. */
const SHARED_UNITS = 1024;
/** The copied control must take at least this many times as long as the shared control, or there is no answer. */
const SEPARATION = 4;
/** The string must also be this many times nearer to one control than to the other, in log time. */
const NEARER = 2;
const ROUNDS = 9;
/** A browser that has just started is busy with itself. */
const MAX_ATTEMPTS = 5;
/** A string is repeated in a message up to this many units, so that the call itself takes hardly any of the time. */
const MESSAGE_UNITS = 65_536;
const TIMING_MS = 0.5;
/** Number of timings in succession. The garbage of large texts is collected now and then. */
const LONG_TIMINGS = 3;
/** Steps of the clock in a timing: 20 us in an isolated page of an ordinary profile. */
const MIN_STEPS = 20;
const MAX_CLONES = 1000;

// Taken before user code loads.
const clone = structuredClone;
const now = performance.now.bind(performance);

const isLongEnough = (units: number, isWide: boolean) => units >= MIN_UNITS[isWide ? 'wide' : 'latin1'];

/** Latin-1 text may be stored wide, but its copy is then slower still, never as fast as a shared one. */
function controlsLike(text: string): { shared: string; copied: string } {
  const unit = isLatin1(text) ? 'control ' : 'cöntrol\u2192';
  const units = Math.max(text.length, SHARED_UNITS);
  const longer = unit.repeat(Math.ceil(units / unit.length) + 1);
  // Flattens what `repeat` has joined; reading a character may flatten only a part (SpiderMonkey JSString::getChar).
  clone(longer);
  // The clones of the timing flatten it, and the flattened text has a separate buffer.
  const shared = longer.slice(0, units >> 1) + longer.slice(units >> 1, units);
  return { shared, copied: longer.slice(3, 3 + text.length) };
}

/** Duration in ms. */
function timed(message: readonly string[], clones: number): number {
  const began = now();
  for (let i = 0; i < clones; i++) clone(message);
  return now() - began;
}

/** Number of clones that take long enough to be timed, also if there are no interruptions. */
function clonesFor(message: readonly string[]): number {
  let clones = 1;
  for (let long = 0; clones < MAX_CLONES && long < LONG_TIMINGS; ) {
    if (timed(message, clones) >= TIMING_MS) long++;
    else [clones, long] = [clones * 4, 0];
  }
  return clones;
}

/** Fastest of some turns of each message, ms a clone: interruptions only add. NaN if the clock is too coarse. */
function fastest(messages: readonly (readonly string[])[]): number[] {
  const turns = map(messages, (message) => ({ message, clones: clonesFor(message), best: Infinity }));
  for (let round = 0; round < ROUNDS; round++)
    for (const one of turns) one.best = Math.min(one.best, timed(one.message, one.clones));
  const least = MIN_STEPS * clockStep();
  return map(turns, ({ clones, best }) => (best < least ? Number.NaN : best / clones));
}

/** Step of the clock, ms: the shortest of some ticks, because any of them may be interrupted. */
function clockStep(): number {
  let step = Number.POSITIVE_INFINITY;
  for (let tick = 0; tick < 3; tick++) {
    const before = now();
    let after = before;
    while (after === before) after = now();
    step = Math.min(step, after - before);
  }
  return step;
}

/** Engines write a string in full each time it occurs. */
function repeatText(text: string, units: number): string[] {
  const message: string[] = [];
  for (let sum = 0; sum < MESSAGE_UNITS; sum += units) message.push(text);
  return message;
}

/** Path of the text; null if its time fits neither. Clones the text some thousand times. */
export function stringPath(text: string): PathName | null {
  const { length } = text;
  if (!isLongEnough(length, !isLatin1(text))) return null;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const { shared, copied } = controlsLike(text);
    const messages = [repeatText(shared, length), repeatText(copied, length), repeatText(text, length)];
    const [asShared, asCopied, own] = fastest(messages) as [number, number, number];
    const path = nearest(own, asShared, asCopied);
    if (path !== null) return path;
  }
  return null;
}

/** Compares the times of one clone, in any unit. */
export function nearest(own: number, shared: number, copied: number): PathName | null {
  if (!(shared > 0 && own > 0) || !(copied >= SEPARATION * shared)) return null;
  const toShared = Math.abs(Math.log(own / shared));
  const toCopied = Math.abs(Math.log(own / copied));
  if (own <= shared || NEARER * toShared <= toCopied) return 'string-shared';
  return own >= copied || NEARER * toCopied <= toShared ? 'string-copied' : null;
}

const utf8 = new TextEncoder();

/** Bytes of JSON text as UTF-8; none for a value without JSON text. */
const jsonTextBytes = (value: unknown): PathBytes[] =>
  orElse(() => [{ path: 'json', bytes: utf8.encode(JSON.stringify(value)).byteLength }], []);

const PROBES: Readonly<Partial<Record<EngineName, () => Partial<RuntimeProbe>>>> = {
  v8: () => ({
    ...v8InPage(),
    messageBytes: (value, _, channel) => (isJson(channel) ? jsonTextBytes(value) : []),
  }),
  spidermonkey: () => ({ confirm: firefoxOracle }),
};

/** Called before user code runs, because it compiles V8's natives, which Chromium has if the host started it. */
export function pageProbe(): RuntimeProbe {
  const { engine } = runningBrowser();
  return {
    engine,
    types: pageTypes(nativeOrNull('IsJSProxy', {})),
    utf8Bytes: (text) => utf8.encode(text).byteLength,
    confirm: async () => notAnswered('WebKit tells a page nothing of how it stores and sends values'),
    messageBytes: () => [],
    ...PROBES[engine]?.(),
  };
}
