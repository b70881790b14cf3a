/** Platform objects that a clone may keep: their state is behind getters, their own symbols are the platform's. */
import {
  PLATFORM_CLASSES,
  type PlatformClassFacts,
  type PlatformClassName,
} from '../../model/vocabulary/platform-classes.ts';
import { accepts, getterOf, type Method, methodOf, realm } from './intrinsics.ts';
import { isIndexKey, ownData } from './own-data.ts';

export interface PlatformClass {
  name: PlatformClassName;
  prototype: object;
  facts: PlatformClassFacts;
  /** Getters of what makes the object up: size and type of a Blob. */
  state: ReadonlyMap<string, Method>;
  /** Of frames. */
  allocationSize: Method | undefined;
}

/** By their prototypes. */
const classes = new Map<object, PlatformClass>();
/** Classes that the runtime loads when they are first asked for: tens of milliseconds, for an object of them only. */
const notLoaded = new Map<string, PlatformClassName>();

for (const name of Object.keys(PLATFORM_CLASSES) as PlatformClassName[]) {
  if (PLATFORM_CLASSES[name].state === undefined) continue;
  if (getterOf(realm, name) === undefined) load(name);
  else notLoaded.set(name, name);
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

/** `prototype` may be that of a class that is not loaded yet. */
function loadFor(prototype: object): void {
  const made = ownData(prototype, 'constructor');
  const name = typeof made === 'function' ? ownData(made, 'name') : undefined;
  const known = typeof name === 'string' ? notLoaded.get(name) : undefined;
  if (known === undefined) return;
  notLoaded.delete(known);
  load(known);
}

/** The class of a platform object that has the state; undefined for all others, whatever their prototype. */
export function platformClass(
  value: object,
  isProxy: (value: object) => boolean = () => false,
): PlatformClass | undefined {
  const found = platformClassFrom(Reflect.getPrototypeOf(value), isProxy);
  for (const getter of found?.state.values() ?? []) if (accepts(getter, value)) return found;
  return undefined;
}

/** By this prototype and those above it, up to a Proxy. */
export function platformClassFrom(
  prototype: object | null,
  isProxy: (value: object) => boolean,
): PlatformClass | undefined {
  for (let at = prototype; at !== null && !isProxy(at); at = Reflect.getPrototypeOf(at)) {
    if (notLoaded.size > 0) loadFor(at);
    const found = classes.get(at);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Also of a class without state. Node keeps what ports and streams are behind symbols of its own. */
export function isOfPlatform(value: object): boolean {
  for (let at = Reflect.getPrototypeOf(value); at !== null; at = Reflect.getPrototypeOf(at)) {
    const made = ownData(at, 'constructor');
    const name = typeof made === 'function' ? ownData(made, 'name') : undefined;
    if (typeof name === 'string' && Object.hasOwn(PLATFORM_CLASSES, name) && realm[name] === made)
      return true;
  }
  return false;
}

/** A property that the platform gives each object of the class: `data` of an ImageData, the indices of a FileList. */
export const isPlatformKey = ({ facts: { own } }: PlatformClass, key: PropertyKey): boolean =>
  typeof key === 'string' && (own === 'index' ? isIndexKey(key) : key === own);
