/** Posts that threw: where, with which error, and which value of the message was refused. */
import type { FoundValue, Frame, RefusedValue } from '../../model/documents/recording.ts';
import type { PostingApi } from '../../model/recording/recording.ts';
import {
  apply,
  create,
  dataOf,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  now,
  setData,
  slice,
  startsWith,
} from '../realm/intrinsics.ts';
import { canBeRead, type TapPlatform } from '../realm/platform.ts';
import { rewriteStack } from '../records/clean-stack.ts';
import type { ThreadLog } from '../records/thread-log.ts';
import type { CountedChannel } from './channel.ts';
import { governor } from './governor.ts';
import type { Looks } from './looks.ts';

/** A call that threw. @property patch the function that the program called */
export interface ThrownCall {
  channel: Pick<CountedChannel, 'api' | 'to'>;
  value: unknown;
  transfer: unknown;
  error: unknown;
  patch: unknown;
}

/** Values visited for the first error of a site; later ones while there is time. */
const FIRST_NODES = 20_000;
const MORE_NODES = 2000;
/** For the developer who waits for the answer. */
const DOCTOR_NODES = 2_000_000;
/** Counts that are written at once: a thread may be ended by what it threw. */
const AT_ONCE = 16;
const MAX_KINDS = 200;
/** Nothing is wrong with the message. */
const CLOSED = 'ERR_IPC_CHANNEL_CLOSED';

/** One site, error and refused value. */
interface Kind {
  id: number;
  count: number;
  written: number;
}

export class ThrownPosts {
  readonly #platform: TapPlatform;
  readonly #log: ThreadLog;
  readonly #looks: Looks;
  readonly #isDoctor: boolean;
  readonly #kinds = create(null) as Record<string, Kind>;
  /** The last one of a site and error. */
  readonly #last = create(null) as Record<string, Kind>;
  readonly #all: Kind[] = [];
  readonly #time = governor(now(), 3, 0.005);

  /** @param isDoctor the program's own error gets what was found */
  constructor(platform: TapPlatform, log: ThreadLog, looks: Looks, isDoctor: boolean) {
    this.#platform = platform;
    this.#log = log;
    this.#looks = looks;
    this.#isDoctor = isDoctor;
    log.beforeFlush = () => this.#writeCounts();
  }

  add(call: ThrownCall): void {
    const from = now();
    const { error, patch } = call;
    const site = this.#log.siteOf(call.channel.api, patch);
    const name = errorName(error, this.#platform);
    const last = this.#last[`${site}|${name}`];
    const isDue = last === undefined || this.#isDoctor || this.#time.left(from) > 0;
    const refused = isDue ? this.#refusedIn(call, name, last === undefined) : null;
    // One that was not looked at is taken to be like the one before.
    const one = isDue ? this.#kindOf(call, site, name, refused) : last;
    if (one === undefined) return;
    this.#last[`${site}|${name}`] = one;
    one.count++;
    this.#time.spentMs += now() - from;
    const isRound = one.count <= AT_ONCE || (one.count & (one.count - 1)) === 0;
    if (isRound || this.#log.isEnding) this.#log.flush();
    this.#log.took(now() - from);
    if (this.#isDoctor) amend(error, refused, this.#log.stackOf(patch)[0], this.#platform);
  }

  #kindOf(
    { channel: { to }, patch }: ThrownCall,
    site: number,
    error: string,
    refused: RefusedValue | null,
  ): Kind | undefined {
    const key = `${site}|${to}|${error}|${refused?.path}|${refused?.what}`;
    const known = this.#kinds[key];
    if (known !== undefined) return known;
    const id = this.#all.length;
    if (id === MAX_KINDS) {
      this.#log.gapOnce('kinds of posts that threw, beyond the most that are kept');
      return undefined;
    }
    const fresh = { id, count: 0, written: 0 };
    this.#kinds[key] = fresh;
    this.#all[id] = fresh;
    const told = refused && { path: refused.path, what: refused.what };
    this.#log.add({ record: 'thrown', id, site, to, error, refused: told, stack: this.#log.stackOf(patch) });
    return fresh;
  }

  #refusedIn(call: ThrownCall, name: string, isFirst: boolean): FoundValue | null {
    if (name === CLOSED) return null;
    const { channel, value, transfer, error } = call;
    const platform = this.#platform;
    const nodes = this.#isDoctor ? DOCTOR_NODES : isFirst ? FIRST_NODES : MORE_NODES;
    const message = messageOf(error, platform) ?? '';
    // A child that gets JSON text throws TypeErrors of JSON.stringify.
    const isText = name === 'TypeError' && endsInSend(channel.api);
    const search = { nodes, message, as: isText ? 'json' : 'clone' } as const;
    return this.#looks.running(() => {
      platform.loadLook();
      return platform.refused(value, transfer, search);
    });
  }

  #writeCounts(): void {
    for (let i = 0; i < this.#all.length; i++) {
      const { id, count, written } = this.#all[i]!;
      if (count === written) continue;
      this.#all[i]!.written = count;
      this.#log.add({ record: 'throws', id, count });
    }
  }
}

const endsInSend = (api: PostingApi) => api === 'process.send' || api === 'ChildProcess.send';

type Getter = (this: unknown) => unknown;
const LONGEST_NAME = 100;
const dom = globalThis.DOMException?.prototype as object | undefined;
const domGetter = (key: 'message' | 'name') =>
  (dom && getOwnPropertyDescriptor(dom, key))?.get as Getter | undefined;
const domName = domGetter('name');
const domMessage = domGetter('message');

/** By data properties and the platform's own getters: nothing of the program's runs. */
function errorName(error: unknown, { types }: TapPlatform): string {
  if (!canBeRead(error, types)) return typeof error;
  const code = dataOf(error, 'code');
  if (typeof code === 'string' && startsWith(code, 'ERR_')) return slice(code, 0, LONGEST_NAME);
  const name = ofPlatform(error, domName);
  if (name !== null) return name;
  let at: object | null = error;
  while (canBeRead(at, types)) {
    const own = dataOf(at, 'name');
    if (typeof own === 'string') return slice(own, 0, LONGEST_NAME);
    at = getPrototypeOf(at);
  }
  return 'Error';
}

function messageOf(error: unknown, { types }: TapPlatform): string | null {
  if (!canBeRead(error, types)) return null;
  const own = dataOf(error, 'message');
  return typeof own === 'string' ? own : ofPlatform(error, domMessage);
}

function ofPlatform(error: object, getter: Getter | undefined): string | null {
  try {
    const text = getter === undefined ? null : apply(getter, error, []);
    return typeof text === 'string' ? text : null;
  } catch {
    return null;
  }
}

/** Adds to the message of the program's error what was refused, and where it was posted. */
function amend(
  error: unknown,
  refused: FoundValue | null,
  at: Frame | undefined,
  platform: TapPlatform,
): void {
  try {
    if (!canBeRead(error, platform.types)) return;
    const message = messageOf(error, platform);
    if (message === null) return;
    const what = refused === null ? 'refused' : `${refused.whole} is ${refused.what}`;
    const place = at === undefined ? '' : `, posted at ${at.file}:${at.line}`;
    const longer = `${message} [${what}${place}]`;
    // First: the engine may make it of the message when it is first read.
    rewriteStack(error, message, longer);
    setData(error, 'message', longer, false);
  } catch {
    // It is told as it was.
  }
}
