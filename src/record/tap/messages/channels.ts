/** Watched functions and classes, each one more frame on stacks, and the objects of a thread that post and receive. */
import { WAYS, type Way } from '../../threads/counters.ts';
import * as kept from '../realm.ts';
import { type CountedChannel, channelTo } from './buckets.ts';
import * as log from './log.ts';
import * as recorder from './recorder.ts';

export type Call = (this: unknown, ...args: unknown[]) => unknown;
export type Calls = (target: Call, self: unknown, args: unknown[]) => unknown;

/** Actions around each call. Errors of it are counted as failures of the recorder, and the call goes on. */
export interface Around<State> {
  kind?: 'setter' | 'class';
  /** May change the arguments. @param patch frames above it are the program's @returns undefined: no `after` */
  before(receiver: unknown, args: unknown[], patch: unknown): State | undefined;
  after?(state: State, result: unknown): void;
  threw?(state: State, error: unknown): void;
  /** If it matters to the engine whose code calls: what makes the call. @param args a list that the caller's realm made */
  callFor?(args: unknown[]): Calls;
}

function safely(run: () => void): void {
  try {
    run();
  } catch {
    log.failed();
  }
}

/**
 * A Proxy. Its name, length and attributes are those of the function, objects of a class and the classes that extend it
 * take it for the class, and it gets its arguments in a list of the realm whose code calls it.
 */
function watched<State>(original: Call, { kind, before, after, threw, callFor }: Around<State>): Call {
  const isClass = kind === 'class';
  function trap(target: Call, first: unknown, second: unknown): unknown {
    const self = isClass ? null : first;
    const args = (isClass ? first : second) as unknown[];
    // No function for each part: a call takes less time than making it.
    let state: State | undefined;
    let call: Calls = kept.apply;
    try {
      state = before(self, args, trap);
      call = callFor?.(args) ?? call;
    } catch {
      log.failed();
    }
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
    try {
      if (state !== undefined) after?.(state, result);
    } catch {
      log.failed();
    }
    return result;
  }
  const traps = { __proto__: null, [isClass ? 'construct' : 'apply']: trap };
  const proxy = new Proxy(original, traps as ProxyHandler<Call>);
  return proxy;
}

export function watch<State>(object: object | undefined, key: string, around: Around<State>): void {
  const owner = object && holderOf(object, key);
  const found = owner && kept.getOwnPropertyDescriptor(owner, key);
  const part = around.kind === 'setter' ? 'set' : 'value';
  const original: unknown = found?.[part];
  if (typeof original !== 'function' || !(found!.configurable || found!.writable)) return;
  kept.defineProperty(owner!, key, { ...found, [part]: watched(original as Call, around) });
}

/** Node and Deno do without it: there V8 would name `Worker.emit` after the class above in stacks. */
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

/** Calls `tell` at each read: the function that is read has no frame below it. @returns what restores the property */
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

export interface Receiver {
  /** null if the memory of the counters is not known. */
  fields: Float64Array | null;
  at: number;
  odd?: boolean;
}

export const receiverIn = (fields: Float64Array | null, way: Way): Receiver => ({
  fields,
  at: WAYS[way].received,
});

class Ports {
  opened = (_patch: unknown, ofProgram: CountedChannel): CountedChannel | null => ofProgram;
  readonly #channels = new kept.Weak<object, CountedChannel | null>();
  readonly #receivers = new kept.Weak<object, Receiver>();

  know(port: object, channel: CountedChannel | null, receiver: Receiver | null): void {
    kept.weakSet(this.#channels, port, channel);
    if (receiver !== null) this.receive(port, receiver);
  }

  known(port: object): CountedChannel | null | undefined {
    return kept.weakGet(this.#channels, port);
  }

  /** Channel of a port; null if the runtime itself posts on it. Throws for an object that is not a port. */
  channelOf(port: object, patch: unknown): CountedChannel | null {
    const known = this.known(port);
    if (known !== undefined) return known;
    const api = 'MessagePort.postMessage';
    // All ports share their classes: many programs open a port for each call.
    const channel = this.opened(patch, channelTo(null, api, null, api));
    this.know(port, channel, null);
    return channel;
  }

  receive(target: object, receiver: Receiver): void {
    kept.weakSet(this.#receivers, target, receiver);
  }

  /** Nothing is counted for a port of the program's own: which end of it is whose is not known. */
  arrived(target: object): void {
    const receiver = kept.weakGet(this.#receivers, target);
    if (receiver?.fields) receiver.fields[receiver.at]!++;
  }

  arrivedHalf(target: object): void {
    const receiver = kept.weakGet(this.#receivers, target);
    if (receiver === undefined) return;
    if (receiver.odd) this.arrived(target);
    receiver.odd = !receiver.odd;
  }
}

export const ports = new Ports();

/** null for messages of the runtime's own. @param patch frames above it are the program's */
type ChannelOf = (receiver: object, patch: unknown, message: unknown) => CountedChannel | null;

export interface Post {
  owner: object | undefined;
  key?: 'send' | 'structuredClone';
  to: CountedChannel | ChannelOf;
  /** List, or options with one, in the arguments; the second of them if this is not given. */
  transferOf?(args: readonly unknown[]): unknown;
  callFor?: Around<recorder.Posted>['callFor'];
}

const posting = ({ to, transferOf = (args) => args[1], callFor }: Post): Around<recorder.Posted> => ({
  ...(callFor && { callFor }),
  before(receiver, args, patch) {
    const value = args[0];
    if (recorder.isWithin(value)) return undefined;
    const channel = typeof to === 'function' ? to(receiver as object, patch, value) : to;
    if (channel === null) return undefined;
    return recorder.begin(recorder.messageOf(channel, value, kept.listedIn(transferOf(args)), patch));
  },
  after: recorder.end,
  threw: recorder.threw,
});

export function watchPosts(posts: readonly Post[]): void {
  for (const post of posts) watch(post.owner, post.key ?? 'postMessage', posting(post));
}

export const usualPosts = (messagePort: object | undefined): Post[] => [
  { owner: globalThis, key: 'structuredClone', to: channelTo(null, 'structuredClone') },
  { owner: messagePort, to: (port, patch) => ports.channelOf(port, patch) },
];
