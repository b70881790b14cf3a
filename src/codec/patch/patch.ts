import type { Plan } from '../../model/documents/trial.ts';
import { type CallTarget, type Codec, type Remedy, RemedyRefused } from '../../model/rules/remedy.ts';
import { callCode, TO_WORKER } from '../code/call.ts';
import { functionsOf } from '../code/javascript.ts';
import { oncePerPlan } from '../code/remedy-from-code.ts';
import { STEPS, TO_PATCH, WRITE_PATCH } from './write-code.ts';

const VALUES = `const isScalar = (value/*: unknown */)/*: boolean */ =>
  typeof value === 'object' ? value === null : typeof value !== 'function' && typeof value !== 'symbol';

/** SET: all that is neither plain data nor a date, and lists with holes. */
function kindOf(value/*: unknown */)/*: number */ {
  if (typeof value !== 'object' || value === null) return SET;
  if (Array.isArray(value)) return hasHoles(value) ? SET : LIST;
  const prototype/*: unknown */ = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return OBJECT;
  return prototype === Date.prototype ? DATE : SET;
}

/** Kind of a value that was made by patches. */
function ownKind(value/*: unknown */)/*: number */ {
  if (typeof value !== 'object' || value === null) return SET;
  return Array.isArray(value) ? LIST : value instanceof Date ? DATE : OBJECT;
}

/** Nothing of the program's own, which may change it. */
function withoutOthers(value/*: unknown */)/*: unknown */ {
  if (isScalar(value)) return value;
  const kind = kindOf(value);
  if (kind === LIST) return (value/*as Items */).map(withoutOthers);
  if (kind !== OBJECT) return kind === DATE ? value : NOTHING;
  const copy = { ...(value/*as Keyed */) };
  for (const [key, inner] of Object.entries(copy)) setKey(copy, key, withoutOthers(inner));
  return copy;
}

/** Holes are found as undefined. */
const hasHoles = (list/*: Items */)/*: boolean */ =>
  list.length > 1e7 || (list.includes(undefined) && [...list.keys()].some((at) => !Object.hasOwn(list, at)));

/** Object.is takes longer. */
const isEqual = (a/*: unknown */, b/*: unknown */)/*: boolean */ => (a === b && a !== 0) || Object.is(a, b);

const timeOf = (date/*: unknown */)/*: number */ => Date.prototype.getTime.call(date);

/** Values inside a value that is sent unchanged: they may stand elsewhere too. */
function insideOf(value/*: object */)/*: unknown[] */ {
  if (ArrayBuffer.isView(value)) return [];
  const type = Object.prototype.toString.call(value);
  if (type === '[object Map]') return [...(value/*as Map<unknown, unknown> */)].flat();
  if (type === '[object Set]') return [...(value/*as Set<unknown> */)];
  return type === '[object Error]' ? [(value/*as Error */).cause] : Object.values(value);
}`;

const MATCHES = String.raw`function areSame(before/*: Items */, now/*: Items */)/*: boolean */ {
  if (before.length !== now.length) return false;
  for (let i = 0; i < now.length; i++) if (before[i] !== now[i]) return false;
  return true;
}

/** Null if the keys would not stand in this order: previous keys as they were, then new keys. */
function goneKeys(previous/*: Keyed */, before/*: string[] */, next/*: Keyed */, keys/*: string[] */)/*: string[] | null */ {
  const stay = before.filter((key) => isSent(next, key));
  const came = keys.filter((key) => !isSent(previous, key));
  const isInOrder = areSame([...stay, ...came].filter(isName), keys.filter(isName));
  return isInOrder ? before.filter((key) => !isSent(next, key)) : null;
}

/** A property that is not enumerable is not. */
const isSent = (object/*: object */, key/*: string */)/*: boolean */ =>
  Object.prototype.propertyIsEnumerable.call(object, key);

/** Keys that are numbers stand in the order of engines. */
const isName = (key/*: string */)/*: boolean */ => !/^(0|[1-9]\d{0,8})$/.test(key);

/** Undefined if the lists do not hold records with a unique id each. */
function placesById(previous/*: Items */, next/*: Items */)/*: number[] | null | undefined */ {
  const id = kindOf(next[0]) === OBJECT ? Object.keys(next[0]/*as Keyed */).find(isIdName) : undefined;
  if (id === undefined || previous.length === 0) return undefined;
  const idOf = (list/*: Items */, i/*: number */) => (list[i]/*as Keyed | null | undefined */)?.[id];
  let same = 0;
  while (same < next.length && same < previous.length && idOf(previous, same) === idOf(next, same)) same++;
  if (same === next.length && same === previous.length) return null;
  const places = new Map(previous.map((_, i) => [idOf(previous, i), i]));
  const ids = new Set(next.map((_, i) => idOf(next, i)));
  if (places.size < previous.length || ids.size < next.length) return undefined;
  return Array.from(ids, (one) => places.get(one) ?? NEW);
}

const isIdName = (key/*: string */)/*: boolean */ => /^_?(id|key|uuid)$/i.test(key);`;

const READ_PATCH = `/** The payload that a patch makes of previous, which is not changed: both share equal parts. */
export function applyPatch(previous/*: unknown */, patch/*: Patch */)/*: Payload */ {
  const made = patch.length === 1 ? previous : new PatchReader(patch).read(previous);
  return made/*as Payload */;
}

class PatchReader {
  patch/*: Patch */;
  at/*: number */;
  keys/*: string[] */;

  constructor(patch/*: Patch */) {
    this.patch = patch;
    this.at = patch.length - 1;
    this.keys = this.next()/*as string[] */;
  }

  next()/*: unknown */ {
    return this.patch[this.at--];
  }

  read(previous/*: unknown */)/*: unknown */ {
    const kind = this.next();
    if (kind === SET) return this.next();
    return kind === OBJECT ? this.object(previous/*as Keyed */) : this.list(previous/*as Items */, kind === PICK);
  }

  object(previous/*: Keyed */)/*: Keyed */ {
    const changed = this.next()/*as number */;
    const gone = new Set/*<unknown> */();
    for (let left = this.next()/*as number */; left > 0; left--) gone.add(this.key());
    const isThere = ([key]/*: [string, unknown] */) => !gone.has(key);
    const copy =
      gone.size === 0 ? { ...previous } : Object.fromEntries(Object.entries(previous).filter(isThere));
    for (let left = changed; left > 0; left--) {
      const key = this.key();
      setKey(copy, key, this.read(copy[key]));
    }
    return copy;
  }

  list(previous/*: Items */, isPicked/*: boolean */)/*: Items */ {
    const copy = isPicked ? pick(previous, this.next()/*as unknown[] */) : previous.slice();
    for (let left = this.next()/*as number */; left > 0; left--) {
      const index = this.next()/*as number */;
      copy[index] = this.read(copy[index]);
    }
    return copy;
  }

  key()/*: string */ {
    return this.keys[this.next()/*as number */]/*as string */;
  }
}

function pick(previous/*: Items */, runs/*: unknown[] */)/*: Items */ {
  const list/*: Items */ = [];
  for (let at = 0; at < runs.length; at += 2) {
    const first = runs[at]/*as number */;
    if (first === NEW) list.push(runs[at + 1]);
    else for (let i = 0; i < (runs[at + 1]/*as number */); i++) list.push(previous[first + i]);
  }
  return list;
}

function setKey(object/*: object */, key/*: string */, value/*: unknown */)/*: void */ {
  if (key !== '__proto__') (object/*as Keyed */)[key] = value;
  else Object.defineProperty(object, key, { value, configurable: true, enumerable: true, writable: true });
}`;

const SENDER = `/** One for each receiver, or for all that get each of its messages. */
export function createSender({ wholeEvery = 100, immutable = false }/*: SenderOptions */ = {})/*: Sender */ {
  const from = Math.random().toString(36).slice(2);
  let kept/*: unknown */ = NOTHING;
  let [at, since] = [0, 0];
  return {
    toMessage(next) {
      const writer = new PatchWriter(!immutable);
      const patch = writer.patch(since < wholeEvery ? kept : NOTHING, next);
      const isWhole = patch[patch.length - 2] === SET;
      // A copy exists only of a tree of plain data: nothing else can be compared with the next payload.
      const isCopied = !isWhole || isScalar(next) || patch[0] !== next;
      const own = writer.isPlain ? patch : (withoutOthers(patch)/*as Patch */);
      kept = !isCopied ? NOTHING : immutable ? next : applyPatch(kept, own);
      since = isWhole ? 1 : since + 1;
      const whole = patch[0]/*as Payload */;
      return isWhole ? { from, at: at++, whole } : { from, at: at++, patch };
    },
    reset() {
      kept = NOTHING;
    },
  };
}`;

const RECEIVER = `export function createReceiver({ onMiss }/*: ReceiverOptions */ = {})/*: Receiver */ {
  let kept/*: unknown */;
  let [from, at, isMissing] = ['', 0, false];
  return {
    fromMessage(message) {
      if ('whole' in message) kept = message.whole;
      else if (message.from === from && message.at === at) kept = applyPatch(kept, message.patch);
      else {
        if (!isMissing) onMiss?.();
        isMissing = true;
        return undefined;
      }
      [from, at, isMissing] = [message.from, message.at + 1, false];
      return kept/*as Payload */;
    },
  };
}`;

const END_TYPES = [
  '/** A list of steps, which is read from its end. */',
  'export type Patch = unknown[];',
  '',
  'export interface SenderOptions {',
  '  /** Number of messages per whole payload, for receivers that came later or have missed a message: 100. */',
  '  wholeEvery?: number;',
  '  /** No object that was sent is changed afterwards: the same object is not read again, and nothing is copied. */',
  '  immutable?: boolean;',
  '}',
  '',
  'export interface Sender {',
  '  /** Post each message, in this order. */',
  '  toMessage(next: Payload): Message;',
  '  /** The next message is whole: for a receiver that has missed one. */',
  '  reset(): void;',
  '}',
  '',
  'export interface ReceiverOptions {',
  '  /** A message was missed: ask the sender for a whole one. */',
  '  onMiss?: () => void;',
  '}',
  '',
  'export interface Receiver {',
  '  /** Read it, do not change it: the next payload shares what is equal. Undefined until a whole message comes. */',
  '  fromMessage(message: Message): Payload | undefined;',
  '}',
];

/** The whole module except the type of its payload, with types in comments. It is the same for all payloads. */
export const PATCH_SOURCE = [
  SENDER,
  RECEIVER,
  TO_PATCH,
  STEPS,
  WRITE_PATCH,
  VALUES,
  MATCHES,
  READ_PATCH,
].join('\n\n');

export interface PatchMessage {
  from: string;
  at: number;
  whole?: unknown;
  patch?: unknown[];
}

export interface PatchModule {
  toPatch(previous: unknown, next: unknown): unknown[];
  applyPatch(previous: unknown, patch: unknown[]): unknown;
  createSender(options?: { wholeEvery?: number; immutable?: boolean }): {
    toMessage(next: unknown): PatchMessage;
    reset(): void;
  };
  createReceiver(options?: { onMiss?: () => void }): { fromMessage(message: PatchMessage): unknown };
}

export const patchModule = () => functionsOf<PatchModule>(PATCH_SOURCE);

/** Both ends in one thread: for messages that it sends, and for messages from its peer. */
const endsOf = oncePerPlan(() => {
  const { createSender, createReceiver } = patchModule();
  const pair = () => ({ sender: createSender(), receiver: createReceiver() });
  // Warm-up messages have separate ends, and are not counted.
  return { ...pair(), sent: 0, warming: pair() };
});

function apply(value: unknown, plan: Plan): PatchMessage {
  const ends = endsOf(plan);
  const message = ends.sender.toMessage(value);
  const nth = ends.sent++;
  // A later message may be whole occasionally, and its time counts.
  if (nth === 1 && 'whole' in message)
    throw new RemedyRefused('it is sent whole: most of it changes, or an object stands at two places');
  return message;
}

function restore(message: unknown, plan: Plan): unknown {
  const payload = endsOf(plan).receiver.fromMessage(message as PatchMessage);
  if (payload === undefined) throw new RemedyRefused('a message was missed');
  return payload;
}

function callsTo(target: CallTarget): Codec['calls'] {
  const passed = { message: 'sender.toMessage(payload)', payload: 'receiver.fromMessage(message)' };
  const { sender, receiver } = callCode(passed, target);
  return {
    sender: `const sender = createSender(); // one for each receiver\n${sender}`,
    receiver: `const receiver = createReceiver(); // onMiss: ask the sender to reset()\n${receiver}`,
  };
}

export const patch: Remedy = {
  name: 'patch',
  title: 'send what has changed since the message before',
  costs: [
    'the sender keeps a copy of what it sent, and compares all of the next payload with it',
    'the receiver must get every message, or ask for a whole one, and must not change what it gets',
  ],
  ofSequence: true,
  // No post accepts a Proxy, but a patch would send a copy of it.
  plans: ({ patterns }, { isSequence = false }) =>
    isSequence && patterns.every(({ kind }) => kind !== 'proxy') ? [{ path: '$' }] : [],
  compile: (plan) => void endsOf(plan),
  apply,
  restore,
  warmUp(value, plan) {
    const { sender, receiver } = endsOf(plan).warming;
    receiver.fromMessage(sender.toMessage(value));
  },
  codec: (_, target = TO_WORKER): Codec => ({
    source: PATCH_SOURCE,
    calls: callsTo(target),
    messageType: '{ from: string; at: number } & ({ whole: Payload } | { patch: Patch })',
    declares: END_TYPES,
    assumes: [],
  }),
};
