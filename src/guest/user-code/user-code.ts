/** Runs user code, restores what it replaced, and reads what it threw. */
import { cutText } from '../../model/cut.ts';
import { ToolError } from '../../model/errors.ts';
import { orElse } from '../../model/or-else.ts';

type Reject = (error: unknown) => void;

interface Survivor {
  readonly builtIns: readonly object[];
  onUncaught(listener: Reject): void;
  printError(text: string): void;
}

const running = new Set<Reject>();
let platformBuiltIns: readonly object[] = [];
let survives = false;

/** An error that escapes (a timer, an unhandled rejection) rejects the call, which would else be pending for ever. */
export function userCode<T>(work: () => T | Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    /** `await`, not `then`: user code may have replaced that, until its built-ins are restored here. */
    const settle = async (): Promise<void> => {
      saveBuiltIns();
      try {
        const value = await work();
        restoreBuiltIns();
        resolve(value);
      } catch (error) {
        restoreBuiltIns();
        reject(error);
      } finally {
        running.delete(reject);
      }
    };
    running.add(reject);
    void settle();
  });
}

/** From now on no error of user code ends the guest. An escaped error rejects all calls of `userCode` that are pending. */
export function surviveUserCode({ builtIns, onUncaught, printError }: Survivor): void {
  // A service worker serves as several peers.
  if (survives) return;
  survives = true;
  platformBuiltIns = builtIns;
  onUncaught((error) => {
    for (const reject of running) reject(error);
    running.clear();
    printError(thrownStack(error));
  });
}

/** Without Date and Math: a module may replace the clock or random numbers, so that its payload stays the same. */
const NAMES = `
  Object Function Array String Number Boolean Symbol BigInt RegExp Error TypeError Map Set WeakMap
  WeakSet Promise Proxy Reflect JSON Atomics ArrayBuffer SharedArrayBuffer DataView Uint8Array
  Int32Array BigInt64Array Float64Array performance structuredClone setTimeout clearTimeout
  setImmediate queueMicrotask MessageChannel MessagePort BroadcastChannel Worker
`;

/** Prototypes without a global name: the prototypes of iterators, and of all typed arrays. */
const unnamed = (): object[] => [
  Object.getPrototypeOf([][Symbol.iterator]()) as object,
  Object.getPrototypeOf(new Map()[Symbol.iterator]()) as object,
  Object.getPrototypeOf(new Set()[Symbol.iterator]()) as object,
  Object.getPrototypeOf(''[Symbol.iterator]()) as object,
  Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]())) as object,
  Object.getPrototypeOf(Uint8Array) as object,
  Object.getPrototypeOf(Uint8Array.prototype) as object,
];

// Taken before user code can replace them.
const {
  apply,
  defineProperty,
  deleteProperty,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  has,
  isExtensible,
  ownKeys,
} = Reflect;
const { is } = Object;
const setHas = Set.prototype.has;

const properties: [owner: object, key: PropertyKey, descriptor: PropertyDescriptor][] = [];
/** Objects, each with its own keys and what it inherits from: an own method that user code adds would be called instead. */
const owners: { owner: object; own: Set<PropertyKey>; prototype: object | null }[] = [];

function save(owner: object): void {
  const own = ownKeys(owner);
  for (const key of own) {
    const descriptor = getOwnPropertyDescriptor(owner, key);
    if (descriptor?.configurable) properties.push([owner, key, descriptor]);
  }
  owners.push({ owner, own: new Set(own), prototype: getPrototypeOf(owner) });
}

function saveBuiltIns(): void {
  if (properties.length > 0) return;
  for (const name of NAMES.trim().split(/\s+/)) {
    const value = (globalThis as Record<string, unknown>)[name] as { prototype?: object } | undefined;
    if (!value) continue;
    // A data property even if the runtime has an accessor (Node's `performance`): its setter would keep the user's.
    const descriptor = { value, writable: true, enumerable: false, configurable: true };
    properties.push([globalThis, name, descriptor]);
    save(value);
    save(value.prototype ?? (getPrototypeOf(value) as object));
  }
  for (const owner of [...unnamed(), ...platformBuiltIns]) save(owner);
}

/**
 * Own properties that hide an inherited one (`performance.now = () => 5`), and a `then`, which makes objects promises.
 * Called when all that objects had at first is restored.
 */
function removeHiding(): void {
  for (let i = 0; i < owners.length; i++) {
    const { owner, own, prototype } = owners[i]!;
    const keys = ownKeys(owner);
    // What it had is back, if it could be added: as many keys are the same keys.
    if (keys.length === own.size && isExtensible(owner)) continue;
    for (let k = 0; k < keys.length; k++) {
      const key = keys[k]!;
      const isHiding = key === 'then' || (prototype !== null && has(prototype, key));
      if (isHiding && !apply(setHas, own, [key])) deleteProperty(owner, key);
    }
  }
}

/**
 * Restores what user code replaced or deleted. Additions stay, because payloads may need it, except methods that would
 * be called instead of a built-in. Uses no iterator and no method that user code may have replaced.
 */
export function restoreBuiltIns(): void {
  for (let i = 0; i < properties.length; i++) {
    const { 0: owner, 1: key, 2: before } = properties[i]!;
    const now = getOwnPropertyDescriptor(owner, key);
    if (!now || !is(now.value, before.value) || now.get !== before.get || now.set !== before.set)
      defineProperty(owner, key, before);
  }
  removeHiding();
}

// What user code threw need not be an Error, and may throw when it is read.

/** A stack begins with the message, and ends with the frames that are looked for. */
const MAX_STACK_LENGTH = 16_384;

function property(of: unknown, name: string): string | undefined {
  const value = orElse(() => (of as Record<string, unknown> | null | undefined)?.[name], undefined);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** "TypeError: x is not a function", cut. For the tool's errors the detail, as the text around it says what failed. */
export function thrownMessage(error: unknown): string {
  if (error instanceof ToolError && error.facts.detail !== undefined) return error.facts.detail;
  const message = property(error, 'message');
  if (message === undefined)
    return cutText(orElse(() => String(error), 'a value that cannot be turned into text'));
  const name = property(error, 'name');
  const short = cutText(message);
  return name === undefined || message.startsWith(name) ? short : `${cutText(name)}: ${short}`;
}

export function thrownBy(call: () => unknown): string | null {
  try {
    call();
    return null;
  } catch (error) {
    return thrownMessage(error);
  }
}

export function thrownStack(error: unknown): string {
  const stack = property(error, 'stack') ?? thrownMessage(error);
  return stack.length > MAX_STACK_LENGTH ? `…${stack.slice(-MAX_STACK_LENGTH)}` : stack;
}

export const thrownCode = (error: unknown): string | undefined => property(error, 'code');
