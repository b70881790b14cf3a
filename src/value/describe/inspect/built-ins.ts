/** Facts of errors and other built-ins: the parts that a clone sends, and the parts that it omits. */

import type { EngineName } from '../../../model/names.ts';
import type { Kind } from '../../../model/vocabulary/shape.ts';
import { builtInName, CONSTRUCTOR_OF, isOfBuiltIn, isStandardError } from '../../read/built-in-names.ts';
import { callOn, hasLoneSurrogate } from '../../read/intrinsics.ts';
import { ERROR_ENVIRONMENT, isIndexKey, onChain, ownData, ownStack } from '../../read/own-data.ts';
import {
  type HeldMemory,
  isPlatformKey,
  type PlatformClass,
  platformClass,
  platformMemory,
} from '../../read/platform-class.ts';
import type { BuiltInType, TypeDetection } from '../../read/types.ts';
import { ERROR, STRUCTURE } from './flags.ts';
import { integrityBits } from './own-properties.ts';
import type { Prototypes } from './prototypes.ts';

const { getOwnPropertyDescriptor, getPrototypeOf, ownKeys } = Reflect;

const ERROR_KEYS: ReadonlySet<PropertyKey> = new Set([...ERROR_ENVIRONMENT, 'message', 'cause', 'errors']);

type InspectedError = { bits: number; tag: string; steps: string[]; values: unknown[] };

/** Value of Error.prepareStackTrace before user code ran. */
const formatter = ownData(Error, 'prepareStackTrace');

/** True if the engine itself formats the stacks in the realm of this Error constructor. */
function formatsItself(made: unknown, { isProxy }: TypeDetection): boolean {
  if (typeof made !== 'function' || isProxy(made)) return false;
  const found = getOwnPropertyDescriptor(made, 'prepareStackTrace');
  if (found === undefined) return true;
  return 'value' in found && (found.value === undefined || found.value === formatter);
}

/**
 * V8 and Bun format the stack when it is first read: they call Error.prepareStackTrace and read the name and message of
 * the error, any of which may run the user's code. The error may come from a different realm.
 */
function isSafeToRead(error: object, types: TypeDetection): boolean {
  if (types.readsStacks === false || !formatsItself(Error, types)) return false;
  const open = new Set(['name', 'message']);
  for (let at: object | null = error; at !== null && !types.isProxy(at); at = getPrototypeOf(at)) {
    for (const key of open) {
      const found = getOwnPropertyDescriptor(at, key);
      if (found === undefined) continue;
      if (!('value' in found) || typeof found.value === 'object' || typeof found.value === 'function')
        return false;
      open.delete(key);
    }
    if (at !== error && builtInName(at, types.isProxy) === 'Error')
      return formatsItself(ownData(at, 'constructor'), types);
  }
  return false;
}

function hasOddStack(error: object, types: TypeDetection): boolean {
  if (!isSafeToRead(error, types)) return false;
  const stack = ownStack(error);
  return stack !== undefined && typeof stack !== 'string';
}

/**
 * True if the name or message is a Symbol, which no engine can convert to text: cloning the error throws, and so does
 * reading its stack, and in Bun also listing its keys.
 */
export const hasSymbolText = (error: object, types: TypeDetection): boolean =>
  typeof errorName(error, types) === 'symbol' || typeof ownData(error, 'message') === 'symbol';

/** Returns the name that the engine reads, which decides the class that arrives; undefined if a getter provides it. */
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

/**
 * Describes an error. A message that is not a string is never cloned.
 *
 * @param isSerialized a DOMException is written as an Error, whose cause is sent
 */
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
  const oddStack = hasOddStack(value, types) ? STRUCTURE['altered-slot'] : lostStack;
  const tag = prototypes.className(value) ?? 'Error';
  const bits = oddStack | classBits(value, tag, prototypes, engine) | integrityBits(value);
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

/** Kinds that may have own properties or a subclass. */
const EXTENSIBLE: ReadonlySet<Kind> = new Set<Kind>(['date', 'regexp', 'map', 'set', 'boxed', 'promise']);
/** Classes that are not of the platform's own table. */
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

/** Flags, and the tag to show: the tag of the type, or the name of a subclass. */
export type TaggedBits = { bits: number; tag: string | undefined; memory?: HeldMemory };

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
