/** Platform objects that a clone may keep: their state is behind getters, their own symbols are the platform's. */
import { accepts, getterOf, type Method, realm } from './intrinsics.ts';
import { ownData } from './own-data.ts';

interface PlatformClass {
  name: string;
  prototype: object;
  /** Getters of what makes the object up: size and type of a Blob. */
  state: ReadonlyMap<string, Method>;
}

/** A File is a Blob, so it comes first. */
const STATE: readonly [string, readonly string[]][] = [
  ['DOMException', ['name', 'message', 'code']],
  ['File', ['size', 'type', 'name', 'lastModified']],
  ['Blob', ['size', 'type']],
];

const CLASSES: PlatformClass[] = [];
/** Classes that the runtime loads when they are first asked for: tens of milliseconds, for an object of them only. */
const notLoaded = new Map<string, readonly string[]>();

for (const [name, getters] of STATE) {
  if (getterOf(realm, name) === undefined) load(name, getters);
  else notLoaded.set(name, getters);
}

function load(name: string, getters: readonly string[]): void {
  const made = realm[name] as { prototype?: object } | undefined;
  if (made?.prototype === undefined) return;
  const state = new Map<string, Method>();
  for (const key of getters) {
    const above = Reflect.getPrototypeOf(made.prototype) ?? {};
    const getter = getterOf(made.prototype, key) ?? getterOf(above, key);
    if (getter !== undefined) state.set(key, getter);
  }
  CLASSES.push({ name, prototype: made.prototype, state });
}

/** `prototype` may be that of a class that is not loaded yet. */
function loadFor(prototype: object): void {
  const made = ownData(prototype, 'constructor');
  const name = typeof made === 'function' ? ownData(made, 'name') : undefined;
  const getters = typeof name === 'string' ? notLoaded.get(name) : undefined;
  if (getters === undefined) return;
  notLoaded.delete(name as string);
  load(name as string, getters);
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
    for (const one of CLASSES) if (one.prototype === at) return one;
  }
  return undefined;
}
