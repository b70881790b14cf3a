/** Platform objects that a clone may keep: their state is behind getters, their own symbols are the platform's. */
import { accepts, getterOf, type Method } from './intrinsics.ts';

export interface PlatformClass {
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

function platformClasses(): PlatformClass[] {
  const classes: PlatformClass[] = [];
  for (const [name, getters] of STATE) {
    const made = (globalThis as Record<string, unknown>)[name] as { prototype?: object } | undefined;
    if (made?.prototype === undefined) continue;
    const state = new Map<string, Method>();
    for (const key of getters) {
      const getter = getterOf(made.prototype, key) ?? inherited(made.prototype, key);
      if (getter !== undefined) state.set(key, getter);
    }
    classes.push({ name, prototype: made.prototype, state });
  }
  return classes;
}

const inherited = (prototype: object, key: string) => getterOf(Reflect.getPrototypeOf(prototype) ?? {}, key);

const CLASSES = platformClasses();

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
  for (let at = prototype; at !== null && !isProxy(at); at = Reflect.getPrototypeOf(at))
    for (const one of CLASSES) if (one.prototype === at) return one;
  return undefined;
}
