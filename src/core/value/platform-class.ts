/** Classes of platform objects that a clone may keep: state is behind getters, own symbols belong to the platform. */
import {
  PLATFORM_CLASSES,
  type PlatformClassFacts,
  type PlatformClassName,
} from '../../model/vocabulary/platform-classes.ts';
import { accepts, getterOf, type Method, methodOf, realm } from './intrinsics.ts';
import { isIndexKey, onChain, ownData } from './own-data.ts';

export interface PlatformClass {
  name: PlatformClassName;
  prototype: object;
  facts: PlatformClassFacts;
  /** Getters of the state of an object: size and type of a Blob. */
  state: ReadonlyMap<string, Method>;
  /** Method of frames. */
  allocationSize: Method | undefined;
}

/** Classes by their prototypes. */
const classes = new Map<object, PlatformClass>();
/** Classes that the runtime loads on first use. This takes tens of milliseconds, so it waits for such an object. */
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

/** Loads the class of `prototype` if it has not been loaded yet. */
function loadFor(prototype: object): void {
  const made = ownData(prototype, 'constructor');
  const name = typeof made === 'function' ? ownData(made, 'name') : undefined;
  const known = typeof name === 'string' ? notLoaded.get(name) : undefined;
  if (known === undefined) return;
  notLoaded.delete(known);
  load(known);
}

/** Returns the class of a platform object that has the state; undefined for all others, with any prototype. */
export function platformClass(
  value: object,
  isProxy: (value: object) => boolean = () => false,
): PlatformClass | undefined {
  const found = platformClassFrom(Reflect.getPrototypeOf(value), isProxy);
  for (const getter of found?.state.values() ?? []) if (accepts(getter, value)) return found;
  return undefined;
}

/** Returns the class of this prototype or a prototype above it, up to a Proxy. */
export function platformClassFrom(
  prototype: object | null,
  isProxy: (value: object) => boolean,
): PlatformClass | undefined {
  return onChain(prototype, isProxy, (at) => {
    if (notLoaded.size > 0) loadFor(at);
    return classes.get(at);
  });
}

/** True also for a class without state. Node keeps the internals of ports and streams behind own symbols. */
export function isOfPlatform(value: object): boolean {
  for (let at = Reflect.getPrototypeOf(value); at !== null; at = Reflect.getPrototypeOf(at)) {
    const made = ownData(at, 'constructor');
    const name = typeof made === 'function' ? ownData(made, 'name') : undefined;
    if (typeof name === 'string' && Object.hasOwn(PLATFORM_CLASSES, name) && realm[name] === made)
      return true;
  }
  return false;
}

/** True for a property of each object of the class: `data` of an ImageData, the indices of a FileList. */
export const isPlatformKey = ({ facts: { own } }: PlatformClass, key: PropertyKey): boolean =>
  typeof key === 'string' && (own === 'index' ? isIndexKey(key) : key === own);
