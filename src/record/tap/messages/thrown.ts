/** Posts that threw: their place, their error, and the refused value of the message. */

import type { FoundValue, Frame } from '../../../model/documents/recorded/recording.ts';
import { attempt, orElse } from '../../../model/or-else.ts';
import { isToProcess } from '../../../model/recording/recording.ts';
import { ownStack } from '../../../value/read/own-data.ts';
import { refused } from '../look/look.ts';
import * as kept from '../realm/intrinsics.ts';
import { canBeRead, settings } from '../realm/platform.ts';
import type { Message } from '../records/bucket.ts';
import * as log from '../records/thread-log.ts';
import { governor, looking } from './looker.ts';

const LONGEST_NAME = 100;
const dom = (globalThis.DOMException?.prototype ?? {}) as object;
const DOM_GETTERS = {
  name: kept.getOwnPropertyDescriptor(dom, 'name')?.get as (() => unknown) | undefined,
  message: kept.getOwnPropertyDescriptor(dom, 'message')?.get as (() => unknown) | undefined,
};

/** Reads data properties and the platform's own getters, so that the program's code does not run. */
function textIn(error: object, key: keyof typeof DOM_GETTERS): string | null {
  const getter = DOM_GETTERS[key];
  const text: unknown = getter && orElse(() => kept.apply(getter, error, []), null);
  if (typeof text === 'string') return text;
  for (let at: object | null = error; canBeRead(at); at = kept.getPrototypeOf(at)) {
    const own = kept.dataOf(at, key);
    if (typeof own === 'string') return own;
  }
  return null;
}

function errorName(error: unknown): string {
  if (!canBeRead(error)) return typeof error;
  const code = kept.dataOf(error, 'code');
  const isCode = typeof code === 'string' && kept.startsWith(code, 'ERR_');
  return kept.slice(isCode ? code : (textIn(error, 'name') ?? 'Error'), 0, LONGEST_NAME);
}

const messageOf = (error: unknown): string | null =>
  canBeRead(error) ? textIn(error, 'message') || null : null;

/** Adds the refused value and the place to the message of the program's error. If that fails, it stays unchanged. */
function amend(error: unknown, refused: FoundValue | null, at: Frame | undefined): void {
  attempt(() => {
    if (!canBeRead(error)) return;
    const message = messageOf(error);
    if (message === null) return;
    const what = refused === null ? 'refused' : `${refused.whole} is ${refused.what}`;
    const place = at === undefined ? '' : `, posted at ${at.file}:${at.line}`;
    const longer = `${message} [${what}${place}]`;
    // First: the engine may make it of the message when it is first read.
    rewriteStack(error, message, longer);
    kept.setData(error, 'message', longer, false);
  });
}

const ErrorHere = Error;
const formatter = kept.getOwnPropertyDescriptor(Error, 'prepareStackTrace')?.value as unknown;

/** Puts another message into a stack, which begins with it. */
function rewriteStack(error: object, message: string, other: string): void {
  // The program formats stacks itself: nothing is known of what it makes of them.
  if (kept.getOwnPropertyDescriptor(ErrorHere, 'prepareStackTrace')?.value !== formatter) return;
  const found = kept.getOwnPropertyDescriptor(error, 'stack');
  if (found === undefined) return;
  const stack = ownStack(error);
  const at = typeof stack === 'string' && message !== '' ? kept.indexOf(stack, message) : -1;
  if (at < 0) return;
  const value = kept.slice(stack as string, 0, at) + other + kept.slice(stack as string, at + message.length);
  if (!kept.hasOwn(found, 'value')) kept.apply(found.set!, error, [value]);
  else if (found.writable) kept.setData(error, 'stack', value, false);
}

interface ThrownCall extends Message {
  error: unknown;
  alike: object;
}

/** Values visited for the first error of a class of messages; later ones while there is time. */
const FIRST_NODES = 20_000;
const MORE_NODES = 2000;
/** For the developer who waits for the answer: the program's own error gets what was found. */
const DOCTOR_NODES = 2_000_000;
/** Counts that are written at once: a thread may be ended by what it threw. */
const AT_ONCE = 16;
const MAX_KINDS = 200;
/** Code of the error of a closed channel: nothing is wrong with the message. */
export const CLOSED = 'ERR_IPC_CHANNEL_CLOSED';

interface Kind {
  posts: log.Tally;
  /** Value that was refused in the last post. */
  found: FoundValue | null;
}

const kinds = kept.create(null) as Record<string, Kind>;
/** Kind of the last post of a class of messages. */
const recentKinds = new kept.Weak<object, Kind>();
let kindCount = 0;
const time = governor(kept.now(), 3, 0.005);

export function addThrown(call: ThrownCall): void {
  const from = kept.now();
  const { alike, error, patch } = call;
  const hasTime = settings.doctor || time.left(from) > 0;
  // A post that is not looked at is taken to be like the previous one.
  const recent = hasTime ? undefined : kept.weakGet(recentKinds, alike);
  const one = recent ?? kindOf(call);
  if (one === null) return;
  kept.weakSet(recentKinds, alike, one);
  const count = ++one.posts.count;
  if (recent === undefined) time.spentMs += kept.now() - from;
  const isRound = count <= AT_ONCE || (count & (count - 1)) === 0;
  if (isRound || log.isEnding) log.flush();
  log.took(kept.now() - from);
  if (settings.doctor) amend(error, one.found, log.stackOf(patch)[0]);
}

function kindOf(call: ThrownCall): Kind | null {
  const { channel, patch } = call;
  const site = log.siteOf(channel.api, patch);
  const error = errorName(call.error);
  const found = refusedIn(call, error);
  const key = `${site.id}|${error}|${channel.to}|${found?.path}|${found?.what}`;
  const known = kinds[key];
  if (known !== undefined) {
    // The doctor needs the latest value: it may be at a different key that is data.
    known.found = found;
    return known;
  }
  if (kindCount === MAX_KINDS) {
    log.gapOnce('kinds of posts that threw, beyond the most that are kept');
    return null;
  }
  const id = kindCount++;
  const fresh: Kind = { posts: log.tally((count) => ({ record: 'throws', id, count })), found };
  kinds[key] = fresh;
  const told = found && { path: found.path, what: found.what };
  const place = { ...site.told, to: channel.to, stack: log.stackOf(patch) };
  log.add({ record: 'thrown', id, ...place, error, refused: told });
  return fresh;
}

function refusedIn(call: ThrownCall, name: string): FoundValue | null {
  if (name === CLOSED) return null;
  const { channel, value, listed, error, alike } = call;
  const isFirst = kept.weakGet(recentKinds, alike) === undefined;
  const nodes = settings.doctor ? DOCTOR_NODES : isFirst ? FIRST_NODES : MORE_NODES;
  const message = messageOf(error) ?? '';
  // A child that gets JSON text throws TypeErrors of JSON.stringify.
  const isText = name === 'TypeError' && isToProcess(channel.api);
  const search = { nodes, message, as: isText ? 'json' : 'clone' } as const;
  return looking(() => refused(value, listed, search));
}
