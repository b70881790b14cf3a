/**
 * Functions and classes of the runtime that are watched: a function with the name and length of the runtime's own, and
 * a Proxy of a class. Each is one more frame on the stacks of errors that they throw.
 */
import * as kept from '../realm/intrinsics.ts';
import * as log from '../records/thread-log.ts';

export type Call = (this: unknown, ...args: unknown[]) => unknown;
export type Calls = (target: Call, self: unknown, args: unknown[]) => unknown;

/** Actions around each call. Errors of it are counted as failures of the recorder, and the call goes on. */
export interface Around<State> {
  /** A method if nothing else is given. */
  kind?: 'setter' | 'class';
  /** May change the arguments. @param patch frames above it are the program's @returns undefined: no `after` */
  before(receiver: unknown, args: unknown[], patch: unknown): State | undefined;
  after?(state: State, result: unknown): void;
  threw?(state: State, error: unknown): void;
  /** If it matters to the engine whose code calls: what makes the call. @param args a list that the caller's realm made */
  callFor?(args: unknown[]): Calls;
}

function watched<State>(original: Call, { before, after, threw }: Around<State>): Call {
  const { patch } = {
    patch(this: unknown, ...args: unknown[]): unknown {
      // No function for each part: a call takes less time than making it.
      let state: State | undefined;
      try {
        state = before(this, args, patch);
      } catch {
        log.failed();
      }
      let result: unknown;
      try {
        result = kept.apply(original, this, args);
      } catch (error) {
        if (state !== undefined) safely(() => threw?.(state, error));
        throw error;
      }
      try {
        if (state !== undefined) after?.(state, result);
      } catch {
        log.failed();
      }
      return result;
    },
  };
  for (const key of ['name', 'length'] as const)
    kept.defineProperty(patch, key, kept.getOwnPropertyDescriptor(original, key)!);
  return patch;
}

/** undefined if it fails, which is counted. */
function safely<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    log.failed();
    return undefined;
  }
}

/**
 * A Proxy of a class, which its objects and the classes that extend it take for the class; or of a function that
 * matters who calls: unlike a function, a Proxy gets its arguments in a list of the realm whose code calls it.
 */
function proxied<State>(original: Call, { kind, before, after, threw, callFor }: Around<State>): Call {
  const isClass = kind === 'class';
  /** As `apply` (self, args) or `construct` (args, newTarget). */
  function trap(target: Call, first: unknown, second: unknown): unknown {
    const self = isClass ? null : first;
    const args = (isClass ? first : second) as unknown[];
    const state = safely(() => before(self, args, trap));
    const call = safely(() => callFor?.(args)) ?? kept.apply;
    let result: unknown;
    try {
      // An object of the class itself: engines name objects that a Proxy makes after the class below.
      result = isClass
        ? kept.construct(target, args, (second === proxy ? target : second) as Call)
        : call(target, self, args);
    } catch (error) {
      if (state !== undefined) safely(() => threw?.(state, error));
      throw error;
    }
    if (state !== undefined) safely(() => after?.(state, result));
    return result;
  }
  const traps = { __proto__: null, [isClass ? 'construct' : 'apply']: trap };
  const proxy = new Proxy(original, traps as ProxyHandler<Call>);
  return proxy;
}

/** Watches a function or a class of the runtime: if there is one, and it can be replaced. */
export function watch<State>(object: object | undefined, key: string, around: Around<State>): void {
  const owner = object && holderOf(object, key);
  const found = owner && kept.getOwnPropertyDescriptor(owner, key);
  const part = around.kind === 'setter' ? 'set' : 'value';
  const original: unknown = found?.[part];
  if (typeof original !== 'function' || !(found!.configurable || found!.writable)) return;
  const wrap = around.kind === 'class' || around.callFor !== undefined ? proxied : watched;
  kept.defineProperty(owner!, key, { ...found, [part]: wrap(original as Call, around) });
}

/**
 * Objects of the class call what the program knows by its name their constructor. Node and Deno do without it: there V8
 * would name `Worker.emit` after the class above in stacks.
 */
export function nameConstructor(owner: object, key: string): void {
  const { value } = kept.getOwnPropertyDescriptor(owner, key) ?? {};
  const prototype = typeof value === 'function' ? (value.prototype as object) : {};
  const found = kept.getOwnPropertyDescriptor(prototype, 'constructor');
  if (found?.configurable)
    kept.defineProperty(prototype, 'constructor', { ...found, value: value as unknown });
}

/** The object itself or the prototype that has the property: functions of the global object may be inherited. */
export function holderOf(object: object, key: PropertyKey): object {
  for (let at: object | null = object; at !== null; at = kept.getPrototypeOf(at))
    if (kept.getOwnPropertyDescriptor(at, key) !== undefined) return at;
  return object;
}

/**
 * Calls `tell` at each read of a property, which can be assigned as before, and returns a function that restores it. A
 * function that is read and then called has no frame of the recorder below it.
 */
export function onRead(owner: object, key: PropertyKey, tell: (self: object) => void): () => void {
  const found = kept.getOwnPropertyDescriptor(owner, key);
  const inherited = kept.getPrototypeOf(owner) as Record<PropertyKey, unknown> | null;
  let own = found;
  kept.defineProperty(owner, key, {
    configurable: true,
    enumerable: found?.enumerable === true,
    get(this: object) {
      try {
        tell(this);
      } catch {
        // It is not counted.
      }
      if (own === undefined) return inherited?.[key];
      return own.get === undefined ? (own.value as unknown) : kept.apply(own.get, this, []);
    },
    set(this: object, value: unknown) {
      if (this === owner) own = { value };
      else kept.setData(this, key, value);
    },
  });
  return () => {
    if (found === undefined) kept.deleteProperty(owner, key);
    else kept.defineProperty(owner, key, found);
  };
}
