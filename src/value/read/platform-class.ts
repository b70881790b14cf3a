/** Classes of platform objects that a clone may keep: state is behind getters, own symbols belong to the platform. */
import {
  PLATFORM_CLASSES,
  type PlatformClassFacts,
  type PlatformClassName,
  type PlatformMemoryPlace,
} from '../../model/vocabulary/platform-classes.ts';
import { builtInName } from './built-in-types.ts';
import { accepts, callOn, getterOf, type Method, methodOf, realm, TYPED_ARRAY } from './intrinsics.ts';
import { isIndexKey, isNoProxy, onChain, ownData, type ProxyTest } from './own-data.ts';

export interface PlatformClass {
  name: PlatformClassName;
  prototype: object;
  facts: PlatformClassFacts;
  state: ReadonlyMap<string, Method>;
  allocationSize: Method | undefined;
}

const classes = new Map<object, PlatformClass>();
/** Classes that the runtime loads on first use. This takes tens of milliseconds, so it waits for such an object. */
const notLoaded = new Set<string>();

for (const name of Object.keys(PLATFORM_CLASSES) as PlatformClassName[]) {
  if (PLATFORM_CLASSES[name].state === undefined) continue;
  if (getterOf(realm, name) === undefined) load(name);
  else notLoaded.add(name);
}

function load(name: PlatformClassName): void {
  const { prototype } = (realm[name] ?? {}) as { prototype?: object };
  if (prototype === undefined) return;
  const facts = PLATFORM_CLASSES[name];
  const state = new Map<string, Method>();
  for (const key of facts.state ?? []) {
    const above = Reflect.getPrototypeOf(prototype) ?? {};
    const getter = getterOf(prototype, key) ?? getterOf(above, key);
    if (getter !== undefined) state.set(key, getter);
  }
  classes.set(prototype, {
    ...{ name, prototype, facts, state },
    allocationSize: methodOf(prototype, 'allocationSize'),
  });
}

function loadFor(prototype: object): void {
  const name = builtInName(prototype) ?? '';
  if (notLoaded.delete(name)) load(name as PlatformClassName);
}

/** undefined for an object without the state, with any prototype. */
export function platformClass(value: object, isProxy = isNoProxy): PlatformClass | undefined {
  const found = platformClassFrom(Reflect.getPrototypeOf(value), isProxy);
  for (const getter of found?.state.values() ?? []) if (accepts(getter, value)) return found;
  return undefined;
}

export function platformClassFrom(prototype: object | null, isProxy: ProxyTest): PlatformClass | undefined {
  const isEnd = (at: object) => at === Object.prototype || isProxy(at);
  return onChain(prototype, isEnd, (at) => {
    if (notLoaded.size > 0) loadFor(at);
    return classes.get(at);
  });
}

/** True also for a class without state. Node keeps the internals of ports and streams behind own symbols. */
export function isOfPlatform(value: object): boolean {
  const found = onChain(Reflect.getPrototypeOf(value), isNoProxy, (at) => {
    const name = builtInName(at) ?? '';
    return (Object.hasOwn(PLATFORM_CLASSES, name) && realm[name] === ownData(at, 'constructor')) || undefined;
  });
  return found ?? false;
}

/** True for a property of each object of the class: `data` of an ImageData, the indices of a FileList. */
export const isPlatformKey = ({ facts: { own } }: PlatformClass, key: PropertyKey): boolean =>
  typeof key === 'string' && (own === 'index' ? isIndexKey(key) : key === own);

export interface HeldMemory {
  bytes: number;
  /** Bytes that are copied into the message, and bytes that both sides use. */
  backing: number;
  shared: number;
  /** The backing store of a buffer or view; structured clone copies it once per message. */
  buffer?: object;
}

type Read = (name: string) => unknown;

const PIXEL_BYTES = 4;
/** Bytes of a sample, by the first part of its format: "f32-planar". */
const SAMPLE_BYTES: Readonly<Record<string, number>> = { u8: 1, s16: 2, s32: 4, f32: 4 };

const product = (read: Read, ...names: string[]): number =>
  names.reduce((bytes, name) => bytes * Number(read(name) ?? 0), 1);

function frameBytes(read: Read, value: object, { allocationSize }: PlatformClass): number {
  // This method throws for pixels of an unknown format.
  if (allocationSize !== undefined && accepts(allocationSize, value))
    return Number(callOn(allocationSize, value));
  return PIXEL_BYTES * product(read, 'codedWidth', 'codedHeight');
}

function dataBytes(read: Read, value: object): number {
  const data = ownData(value, 'data') ?? read('data');
  return ArrayBuffer.isView(data) ? (callOn(TYPED_ARRAY.byteLength, data) as number) : 0;
}

const BYTES: Readonly<
  Record<PlatformMemoryPlace, (read: Read, value: object, one: PlatformClass) => number>
> = {
  data: dataBytes,
  frame: frameBytes,
  pixels: (read) => PIXEL_BYTES * product(read, 'width', 'height'),
  samples: (read) =>
    product(read, 'numberOfFrames', 'numberOfChannels') *
    (SAMPLE_BYTES[String(read('format')).split('-')[0]!] ?? 0),
  byteLength: (read) => product(read, 'byteLength'),
};

export function platformMemory(value: object, one: PlatformClass): HeldMemory {
  const { memory, isCopied = false } = one.facts;
  const read = (name: string): unknown => {
    const getter = one.state.get(name);
    return getter === undefined ? undefined : callOn(getter, value);
  };
  const bytes = memory === undefined ? 0 : BYTES[memory](read, value, one);
  return { bytes, backing: isCopied ? bytes : 0, shared: isCopied ? 0 : bytes };
}
