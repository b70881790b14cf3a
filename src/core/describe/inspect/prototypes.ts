/** What the prototype of a value says: plain, of another realm, or of a class; read by descriptors only. */
import { STRUCTURE } from '../flags.ts';
import type { TypeDetection } from '../probe.ts';

export interface PrototypeFacts {
  /** STRUCTURE bits: class-instance or subclass, null-prototype, other-realm, to-json. */
  bits: number;
  /** Class name, when it is neither Object nor Array. */
  name?: string;
}

const { getOwnPropertyDescriptor, getPrototypeOf } = Reflect;
const LONGEST_NAME = 100;
const LONGEST_CHAIN = 1000;

export class Prototypes {
  readonly #brands: TypeDetection;
  readonly #objects = new Map<object | null, PrototypeFacts>();
  readonly #arrays = new Map<object | null, PrototypeFacts>();

  constructor(brands: TypeDetection) {
    this.#brands = brands;
  }

  /** `value` is no Proxy. Remembered per prototype: nothing of the user's runs during a walk. */
  ofObject(value: object): PrototypeFacts {
    const prototype = getPrototypeOf(value);
    const known = this.#objects.get(prototype);
    if (known !== undefined) return known;
    const lineage = this.#lineage(prototype, 'class-instance', (p) => this.#isObjectPrototype(p));
    this.#objects.set(prototype, lineage);
    return lineage;
  }

  ofArray(value: object): PrototypeFacts {
    const prototype = getPrototypeOf(value);
    const known = this.#arrays.get(prototype);
    if (known !== undefined) return known;
    // Array.prototype is itself an array, in every realm.
    const lineage = this.#lineage(prototype, 'subclass', (p) => {
      const above = Array.isArray(p) ? getPrototypeOf(p) : null;
      return above !== null && !this.#brands.isProxy(above) && this.#isObjectPrototype(above);
    });
    this.#arrays.set(prototype, lineage);
    return lineage;
  }

  #lineage(
    prototype: object | null,
    derived: 'class-instance' | 'subclass',
    isBase: (prototype: object) => boolean,
  ): PrototypeFacts {
    if (prototype === null) return { bits: STRUCTURE['null-prototype'] };
    if (this.#brands.isProxy(prototype)) return { bits: STRUCTURE[derived] };
    const toJson = this.#hasToJson(prototype) ? STRUCTURE['to-json'] : 0;
    if (prototype === Object.prototype || prototype === Array.prototype) {
      const expected = (prototype === Array.prototype) === (derived === 'subclass');
      if (expected) return { bits: toJson };
    } else if (isBase(prototype)) return { bits: toJson | STRUCTURE['other-realm'] };
    const name = this.nameOf(prototype);
    return { bits: toJson | STRUCTURE[derived], ...(name === undefined ? {} : { name }) };
  }

  /** Class name of a value: that of the nearest prototype that has one. */
  className(value: object): string | undefined {
    let at = getPrototypeOf(value);
    for (let i = 0; at !== null && i < LONGEST_CHAIN; i++) {
      if (this.#brands.isProxy(at)) return undefined;
      const name = this.nameOf(at);
      if (name !== undefined) return name;
      at = getPrototypeOf(at);
    }
    return undefined;
  }

  /** Name of the class whose `prototype` this is, by own data properties only. */
  nameOf(prototype: object): string | undefined {
    const made: unknown = getOwnPropertyDescriptor(prototype, 'constructor')?.value;
    if (typeof made !== 'function' || this.#brands.isProxy(made)) return undefined;
    const name: unknown = getOwnPropertyDescriptor(made, 'name')?.value;
    return typeof name === 'string' && name !== '' ? name.slice(0, LONGEST_NAME) : undefined;
  }

  /** Object.prototype of another realm: the end of a chain, with the accessor that only it has. */
  #isObjectPrototype(prototype: object): boolean {
    if (prototype === Object.prototype) return true;
    if (getPrototypeOf(prototype) !== null) return false;
    const accessor = getOwnPropertyDescriptor(prototype, '__proto__');
    return accessor?.get !== undefined && this.nameOf(prototype) === 'Object';
  }

  #hasToJson(prototype: object): boolean {
    let at: object | null = prototype;
    for (let i = 0; at !== null && i < LONGEST_CHAIN; i++) {
      if (this.#brands.isProxy(at)) return false;
      const found = getOwnPropertyDescriptor(at, 'toJSON');
      if (found !== undefined) return found.get !== undefined || typeof found.value === 'function';
      at = getPrototypeOf(at);
    }
    return false;
  }
}
