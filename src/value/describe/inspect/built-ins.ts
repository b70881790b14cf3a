/** Facts of buffers, errors and other built-ins, and the types of the rare ones, which no API reports. */

import type { EngineName } from '../../../model/names.ts';
import { throws } from '../../../model/or-else.ts';
import type { Kind } from '../../../model/vocabulary/shape.ts';
import {
  type BuiltInType,
  CONSTRUCTOR_OF,
  isOfBuiltIn,
  isStandardError,
  type TypeDetection,
} from '../../read/built-in-types.ts';
import {
  ARRAY_BUFFER,
  accepts,
  callOn,
  getterOf,
  hasLoneSurrogate,
  isInBounds,
  isNative,
  isResizable,
  MAX_LISTED,
  type Method,
  methodOf,
  realm,
  SHARED_BUFFER,
  TYPED_ARRAY,
  viewRange,
} from '../../read/intrinsics.ts';
import { flatMap } from '../../read/lists.ts';
import { ERROR_ENVIRONMENT, isIndexKey, onChain, ownData, type ProxyTest } from '../../read/own-data.ts';
import {
  type HeldMemory,
  isPlatformKey,
  type PlatformClass,
  platformClass,
  platformMemory,
} from '../../read/platform-class.ts';
import { BUFFER, ERROR, STRUCTURE } from './flags.ts';
import { integrityBits, type Prototypes } from './properties.ts';

const { getOwnPropertyDescriptor, getPrototypeOf, ownKeys } = Reflect;

// Types that no API reports: found by a prototype, confirmed by a method that throws if the slot is missing.

interface SlotCheck {
  type: BuiltInType;
  /** Throws a TypeError on objects without the slot; absent if a call would change the object. */
  method: Method | undefined;
}

/** An older engine may not have the namespace. */
function prototypesIn(namespace: unknown): [string, object][] {
  if (typeof namespace !== 'object' || namespace === null) return [];
  return flatMap(
    Object.entries(Object.getOwnPropertyDescriptors(namespace)),
    ([name, { value }]: [string, PropertyDescriptor]): [string, object][] => {
      const prototype: unknown = typeof value === 'function' ? value.prototype : undefined;
      return typeof prototype === 'object' && prototype !== null ? [[name, prototype]] : [];
    },
  );
}

const firstGetter = (prototype: object): Method | undefined =>
  flatMap(ownKeys(prototype), (key) => getterOf(prototype, key) ?? [])[0];

function slotChecks(): Map<object, SlotCheck> {
  const unregister = methodOf(FinalizationRegistry.prototype, 'unregister')!;
  const unregisterNothing = function (this: unknown) {
    return callOn(unregister, this, {});
  };
  const table = new Map<object, SlotCheck>();
  const add = (type: BuiltInType, prototype: object, method: string) =>
    table.set(prototype, { type, method: methodOf(prototype, method) });
  // types.isBigIntObject of Bun up to 1.3.14 returns false if the object has a property.
  add({ kind: 'boxed', tag: 'BigInt' }, BigInt.prototype, 'valueOf');
  add({ kind: 'weakref' }, WeakRef.prototype, 'deref');
  const refuse = (prototype: object, tag: string, method: Method | undefined) =>
    table.set(prototype, { type: { kind: 'not-cloneable', tag }, method });
  refuse(FinalizationRegistry.prototype, 'FinalizationRegistry', unregisterNothing);
  for (const [name, prototype] of prototypesIn(Intl)) {
    const method = methodOf(prototype, 'resolvedOptions') ?? methodOf(prototype, 'toString');
    refuse(prototype, `Intl.${name}`, method);
  }
  for (const [name, prototype] of prototypesIn(realm.Temporal))
    refuse(prototype, `Temporal.${name}`, firstGetter(prototype));
  // Older engines may not have these classes. The slot check is a getter.
  for (const name of ['DisposableStack', 'AsyncDisposableStack']) {
    const made = ownData(realm, name) as { prototype: object } | undefined;
    if (made !== undefined) refuse(made.prototype, name, getterOf(made.prototype, 'disposed'));
  }
  return table;
}

const SLOT_CHECKS = slotChecks();

/** Segments of Intl.Segmenter: the prototype has no constructor, and getting it from a segmenter takes 10 ms. */
function segmentsCheck(at: object): SlotCheck | undefined {
  const method = methodOf(at, 'containing');
  if (typeof method !== 'function' || !isNative(method)) return undefined;
  return { type: { kind: 'not-cloneable', tag: 'Segments' }, method };
}

const iteratorPrototype = getPrototypeOf(getPrototypeOf([][Symbol.iterator]())!);

/** A built-in iterator, by its prototype: `next`, the only slot check, would advance it. */
function iteratorCheck(at: object): SlotCheck | undefined {
  const next = getPrototypeOf(at) === iteratorPrototype ? ownData(at, 'next') : undefined;
  if (typeof next !== 'function' || !isNative(next)) return undefined;
  const tag: unknown = ownData(at, Symbol.toStringTag);
  return { type: { kind: 'iterator', tag: typeof tag === 'string' ? tag : 'Iterator' }, method: undefined };
}

/** Type by the prototypes of this realm on the chain; undefined for an ordinary object. `value` is not a Proxy. */
export function rareBuiltIn(value: object, isProxy: ProxyTest): BuiltInType | undefined {
  const isEnd = (at: object) => at === Object.prototype || isProxy(at);
  const check = onChain(
    getPrototypeOf(value),
    isEnd,
    (at) => SLOT_CHECKS.get(at) ?? iteratorCheck(at) ?? segmentsCheck(at),
  );
  return check && (check.method === undefined || accepts(check.method, value)) ? check.type : undefined;
}

// Facts: the parts that a clone sends, and the parts that it omits.

export interface BufferFacts extends HeldMemory {
  kind: Kind;
  bits: number;
  tag?: string;
  buffer: object;
}

function ownBits(value: object, name: string, length: number, prototypes: Prototypes): number {
  let bits = Object.isExtensible(value) ? 0 : BUFFER['non-extensible'];
  const depth = name === 'Buffer' ? 3 : 2;
  if (!isOfBuiltIn(value, (one) => one === name, depth, prototypes.types.isProxy)) bits |= BUFFER.subclass;
  if (length > MAX_LISTED) return bits;
  for (const key of ownKeys(value))
    if (typeof key === 'symbol' || !isIndexKey(key)) bits |= BUFFER['extra-props'];
  return bits;
}

export function isDetached(buffer: object): boolean {
  if (ARRAY_BUFFER.detached !== undefined) return callOn(ARRAY_BUFFER.detached, buffer) === true;
  // Engines without the getter: creating a view on a detached buffer throws (ES2023, 23.2.5.1.3 step 5).
  return throws(() => new Uint8Array(buffer as ArrayBuffer));
}

function memoryFacts(buffer: object, kind: Kind, types: TypeDetection): BufferFacts {
  const isShared = kind === 'sharedarraybuffer';
  const bytes = callOn(isShared ? SHARED_BUFFER.byteLength! : ARRAY_BUFFER.byteLength, buffer) as number;
  let bits = bytes === 0 ? BUFFER.empty : 0;
  if (isResizable(buffer)) bits |= BUFFER.resizable;
  // WebAssembly JS API, "create a fixed length memory buffer": the buffer of a shared memory is the only frozen one.
  if (isShared && Object.isFrozen(buffer)) bits |= BUFFER['wasm-memory'];
  if (isShared) return { kind, bits, bytes, buffer, backing: 0, shared: bytes };
  if (bytes === 0 && isDetached(buffer)) bits |= BUFFER.detached;
  if (types.isUntransferable?.(buffer) === true) bits |= BUFFER.untransferable;
  if (types.isWasmMemory?.(buffer) === true) bits |= BUFFER['wasm-memory'];
  return { kind, bits, bytes, buffer, backing: bytes, shared: 0 };
}

export function bufferFacts(buffer: object, kind: Kind, prototypes: Prototypes): BufferFacts {
  const facts = memoryFacts(buffer, kind, prototypes.types);
  facts.bits |= ownBits(buffer, CONSTRUCTOR_OF[kind]!, 0, prototypes);
  if (prototypes.hasToJson(buffer)) facts.bits |= BUFFER['to-json'];
  return facts;
}

const INHERITED = BUFFER.detached | BUFFER.resizable | BUFFER['wasm-memory'] | BUFFER.untransferable;

function nodeBufferBits(bits: number, behind: BufferFacts, types: TypeDetection): number {
  const whole = bits | BUFFER['node-buffer'];
  const pooled = (bits & BUFFER['view-of-larger']) !== 0 && behind.bytes === types.poolBytes;
  return pooled ? (whole | BUFFER.pooled) & ~BUFFER.untransferable : whole;
}

/** The whole buffer behind a view is cloned, even if the view is small (HTML StructuredSerializeInternal). */
export function viewFacts(view: object, prototypes: Prototypes): BufferFacts {
  const { types } = prototypes;
  const name = callOn(TYPED_ARRAY.name, view) as string | undefined;
  const { buffer, offset, bytes } = viewRange(view);
  const behind = memoryFacts(buffer, types.of(buffer).kind, types);
  const kind: Kind = name === undefined ? 'dataview' : 'typedarray';
  let bits = behind.bits & INHERITED;
  const { backing, shared } = behind;
  const facts = { kind, tag: name ?? 'DataView', bytes, buffer, backing, shared };
  if ((bits & (BUFFER.resizable | BUFFER.detached)) === BUFFER.resizable && !isInBounds(view))
    return { ...facts, bits: bits | BUFFER['out-of-bounds'] };
  if (bytes === 0) bits |= BUFFER.empty;
  if (bytes < behind.bytes) bits |= BUFFER['view-of-larger'];
  if (behind.kind === 'sharedarraybuffer') bits |= BUFFER['shared-backing'];
  // A fixed view of the same extent looks the same, but the usual constructor call makes a length-tracking view.
  if ((behind.bits & BUFFER.resizable) !== 0 && offset + bytes === behind.bytes)
    bits |= BUFFER['length-tracking'];
  const isNodeBuffer = types.isNodeBuffer(view);
  bits |= ownBits(view, isNodeBuffer ? 'Buffer' : facts.tag, name === undefined ? 0 : bytes, prototypes);
  // Every Buffer inherits one.
  const hasToJson = isNodeBuffer ? Object.hasOwn(view, 'toJSON') : prototypes.hasToJson(view);
  if (hasToJson || (name?.startsWith('Big') && prototypes.hasToJson(BigInt.prototype)))
    bits |= BUFFER['to-json'];
  return { ...facts, bits: isNodeBuffer ? nodeBufferBits(bits, behind, types) : bits };
}

const ERROR_KEYS: ReadonlySet<PropertyKey> = new Set([...ERROR_ENVIRONMENT, 'message', 'cause', 'errors']);

type InspectedError = { bits: number; tag: string; steps: string[]; values: unknown[] };

/** No engine converts a Symbol to text: cloning throws, as do reading the stack, and in Bun listing the keys. */
export const hasSymbolText = (error: object, types: TypeDetection): boolean =>
  typeof errorName(error, types) === 'symbol' || typeof ownData(error, 'message') === 'symbol';

/** The engine's name of it decides the class that arrives; undefined if a getter provides it. */
const errorName = (error: object, { isProxy }: TypeDetection): unknown =>
  onChain(error, isProxy, (at) => getOwnPropertyDescriptor(at, 'name'))?.value;

/** SpiderMonkey has stacks behind the prototype: an own one was set by the program. */
const STACK_IS_OWN = Object.hasOwn(new Error(), 'stack');

function classBits(error: object, tag: string, prototypes: Prototypes, engine: EngineName): number {
  const name = errorName(error, prototypes.types);
  const isKept = typeof name === 'string' && (name !== 'AggregateError' || engine === 'spidermonkey');
  const arriving = isKept && isStandardError(name) ? name : 'Error';
  const keeps = tag === arriving && isOfBuiltIn(error, isStandardError, 2, prototypes.types.isProxy);
  return keeps ? 0 : STRUCTURE.subclass;
}

/** Bits of the name and message of a DOMException, which are slots. */
function textBits(value: object, { state }: PlatformClass): number {
  let bits = 0;
  for (const key of ['name', 'message']) {
    const text = String(callOn(state.get(key)!, value));
    if (/[\u0080-\uffff]/.test(text)) bits |= ERROR['beyond-ascii'];
    if (hasLoneSurrogate(text)) bits |= ERROR['lone-surrogate'];
  }
  return bits;
}

const WITH_CAUSE: ReadonlySet<PropertyKey> = new Set([...ERROR_ENVIRONMENT, 'cause']);

/** @param isSerialized a DOMException is written as an Error, whose cause is sent */
export function inspectError(
  value: object,
  prototypes: Prototypes,
  engine: EngineName,
  isSerialized = false,
): InspectedError {
  const { types } = prototypes;
  const platform = platformClass(value, types.isProxy);
  // SpiderMonkey sends the stack of the error's making. An AggregateError keeps its class and its errors there.
  const isFirefox = engine === 'spidermonkey';
  const stack = isFirefox && !STACK_IS_OWN ? ownData(value, 'stack') : undefined;
  const isLost = typeof stack === 'string' || (platform !== undefined && stack !== undefined);
  const lostStack = isLost ? STRUCTURE['extra-props'] : 0;
  // A DOMException that is an error sends its slots. Its stack is not read, because getters provide name and message.
  if (platform !== undefined) {
    const cause = isSerialized ? getOwnPropertyDescriptor(value, 'cause') : undefined;
    const isSent = cause !== undefined && 'value' in cause;
    const own = platformBits(value, platform, isSent ? WITH_CAUSE : ERROR_ENVIRONMENT);
    const bits = own | textBits(value, platform) | lostStack | (isSent ? STRUCTURE['has-cause'] : 0);
    return { bits, tag: platform.name, steps: isSent ? ['cause'] : [], values: isSent ? [cause.value] : [] };
  }
  const tag = prototypes.className(value) ?? 'Error';
  const bits = lostStack | classBits(value, tag, prototypes, engine) | integrityBits(value);
  const error: InspectedError = { bits, tag, steps: [], values: [] };
  for (const key of ownKeys(value)) if (!ERROR_KEYS.has(key)) error.bits |= STRUCTURE['extra-props'];
  for (const key of ['message', 'cause', 'errors'] as const) {
    const descriptor = getOwnPropertyDescriptor(value, key);
    if (descriptor === undefined) continue;
    if (key === 'cause') error.bits |= STRUCTURE['has-cause'];
    if (key === 'cause' && typeof descriptor.value !== 'string') error.bits |= ERROR['cause-not-text'];
    const child: unknown = descriptor.value;
    const isSent = {
      message: typeof child === 'string',
      // WebKit converts it to text.
      cause: engine !== 'jsc' && engine !== 'webkit',
      errors: isFirefox && Array.isArray(child) && errorName(value, types) === 'AggregateError',
    }[key];
    if (key === 'errors' && !isSent) error.bits |= STRUCTURE.aggregate;
    if (!('value' in descriptor)) {
      error.bits |= STRUCTURE.accessor;
      continue;
    }
    if (key === 'message' && !isSent) error.bits |= STRUCTURE['altered-slot'];
    if (!isSent) continue;
    error.steps.push(key);
    error.values.push(child);
  }
  return error;
}

const BOXED: ReadonlySet<string> = new Set(['Number', 'String', 'Boolean', 'BigInt', 'Symbol']);

const EXTENSIBLE: ReadonlySet<Kind> = new Set<Kind>(['date', 'regexp', 'map', 'set', 'boxed', 'promise']);
const OF_WASM: ReadonlySet<string | undefined> = new Set(['Module', 'Memory']);

function isBuiltInKey(key: string | symbol, { kind }: BuiltInType): boolean {
  if (kind === 'regexp') return key === 'lastIndex';
  return kind === 'boxed' && typeof key === 'string' && (key === 'length' || isIndexKey(key));
}

/** Bits of a platform object. Own symbols, such as those in a Blob or DOMException, belong to the platform. */
function platformBits(value: object, one: PlatformClass, expected: ReadonlySet<PropertyKey>): number {
  let bits = integrityBits(value);
  if (getPrototypeOf(value) !== one.prototype) bits |= STRUCTURE.subclass;
  for (const key of ownKeys(value))
    if (typeof key === 'string' && !expected.has(key) && !isPlatformKey(one, key))
      bits |= STRUCTURE['extra-props'];
  return bits;
}

const NO_KEYS: ReadonlySet<PropertyKey> = new Set();

type TaggedBits = { bits: number; tag: string | undefined; memory?: HeldMemory };

export function inspectBuiltIn(value: object, type: BuiltInType, prototypes: Prototypes): TaggedBits {
  const { kind, tag } = type;
  let bits = type.transferable === true ? STRUCTURE.transferable : 0;
  if (kind === 'platform') {
    const known = platformClass(value, prototypes.types.isProxy);
    if (known !== undefined) {
      bits |= platformBits(value, known, NO_KEYS);
      return { bits, tag, ...(known.facts.memory && { memory: platformMemory(value, known) }) };
    }
  }
  if (!EXTENSIBLE.has(kind) && !OF_WASM.has(tag)) return { bits, tag };
  bits |= integrityBits(value);
  for (const key of ownKeys(value)) if (!isBuiltInKey(key, type)) bits |= STRUCTURE['extra-props'];
  if (kind === 'regexp' && ownData(value, 'lastIndex') !== 0) bits |= STRUCTURE['altered-slot'];
  const isName = (name: string) =>
    kind === 'boxed' ? BOXED.has(name) : name === (CONSTRUCTOR_OF[kind] ?? tag);
  // Engines with `import source` have the class AbstractModuleSource above Module.
  const above = kind === 'platform' ? 2 : 1;
  if (isOfBuiltIn(value, isName, above, prototypes.types.isProxy)) return { bits, tag };
  return { bits: bits | STRUCTURE.subclass, tag: prototypes.className(value) ?? tag };
}
