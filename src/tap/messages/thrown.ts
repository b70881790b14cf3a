/** Posts that threw: their place, their error, and the refused value of the message. */
import type { FoundValue } from '../../model/documents/recorded/recording.ts';
import { isToProcess } from '../../model/recording/recording.ts';
import * as kept from '../realm/intrinsics.ts';
import { settings } from '../realm/platform.ts';
import { log } from '../records/thread-log.ts';
import type { Message } from './channel.ts';
import { governor } from './governor.ts';
import { looker } from './looks.ts';
import { amend, errorName, messageOf } from './program-error.ts';

interface ThrownCall extends Message {
  error: unknown;
  /** The same for messages of one class, if that is known. */
  alike: object;
}

/** Values visited for the first error of a site; later ones while there is time. */
const FIRST_NODES = 20_000;
const MORE_NODES = 2000;
/** For the developer who waits for the answer: the program's own error gets what was found. */
const DOCTOR_NODES = 2_000_000;
/** Counts that are written at once: a thread may be ended by what it threw. */
const AT_ONCE = 16;
const MAX_KINDS = 200;
/** Code of the error of a closed channel: nothing is wrong with the message. */
export const CLOSED = 'ERR_IPC_CHANNEL_CLOSED';

/** One site, error and refused value. */
interface Kind {
  id: number;
  count: number;
  written: number;
  /** Value that was refused in the last post. */
  found: FoundValue | null;
}

export class ThrownPosts {
  readonly #kinds = kept.create(null) as Record<string, Kind>;
  /** Sites and errors that have a post that was looked at. */
  readonly #known = kept.create(null) as Record<string, true>;
  /** Kind of the last post of a class of messages. */
  readonly #recent = new kept.Weak<object, Kind>();
  readonly #all: Kind[] = [];
  readonly #time = governor(kept.now(), 3, 0.005);

  constructor() {
    log.beforeFlush(() => this.#writeCounts());
  }

  add(call: ThrownCall): void {
    const from = kept.now();
    const { alike, error, patch } = call;
    const hasTime = settings.doctor || this.#time.left(from) > 0;
    // A post that is not looked at is taken to be like the previous one.
    const recent = hasTime ? undefined : kept.weakGet(this.#recent, alike);
    const one = recent ?? this.#looked(call);
    if (one === null) return;
    kept.weakSet(this.#recent, alike, one);
    one.count++;
    if (recent === undefined) this.#time.spentMs += kept.now() - from;
    const isRound = one.count <= AT_ONCE || (one.count & (one.count - 1)) === 0;
    if (isRound || log.isEnding) log.flush();
    log.took(kept.now() - from);
    if (settings.doctor) amend(error, one.found, log.stackOf(patch)[0]);
  }

  #looked(call: ThrownCall): Kind | null {
    const { channel, error, patch } = call;
    const site = log.siteOf(channel.api, patch);
    const name = errorName(error);
    const key = `${site}|${name}`;
    const found = this.#refusedIn(call, name, !this.#known[key]);
    this.#known[key] = true;
    return this.#kindOf(call, site, name, found);
  }

  #kindOf(
    { channel: { to }, patch }: ThrownCall,
    site: number,
    error: string,
    refused: FoundValue | null,
  ): Kind | null {
    const key = `${site}|${to}|${error}|${refused?.path}|${refused?.what}`;
    const known = this.#kinds[key];
    if (known !== undefined) {
      // The doctor needs the latest value: it may be at a different key that is data.
      known.found = refused;
      return known;
    }
    const id = this.#all.length;
    if (id === MAX_KINDS) {
      log.gapOnce('kinds of posts that threw, beyond the most that are kept');
      return null;
    }
    const fresh: Kind = { id, count: 0, written: 0, found: refused };
    this.#kinds[key] = fresh;
    this.#all[id] = fresh;
    const told = refused && { path: refused.path, what: refused.what };
    log.add({ record: 'thrown', id, site, to, error, refused: told, stack: log.stackOf(patch) });
    return fresh;
  }

  #refusedIn(call: ThrownCall, name: string, isFirst: boolean): FoundValue | null {
    if (name === CLOSED) return null;
    const { channel, value, transfer, error } = call;
    const nodes = settings.doctor ? DOCTOR_NODES : isFirst ? FIRST_NODES : MORE_NODES;
    const message = messageOf(error) ?? '';
    // A child that gets JSON text throws TypeErrors of JSON.stringify.
    const isText = name === 'TypeError' && isToProcess(channel.api);
    const search = { nodes, message, as: isText ? 'json' : 'clone' } as const;
    return looker.refused(value, transfer, search);
  }

  #writeCounts(): void {
    for (let i = 0; i < this.#all.length; i++) {
      const { id, count, written } = this.#all[i]!;
      if (count === written) continue;
      this.#all[i]!.written = count;
      log.add({ record: 'throws', id, count });
    }
  }
}
