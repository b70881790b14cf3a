/** Facts from the prototype of a value, read by descriptors: plain, of a different realm, or of a class. */
import { builtInName } from '../../read/built-in-names.ts';
import { onChain } from '../../read/own-data.ts';
import { platformClassFrom } from '../../read/platform-class.ts';
import type { TypeDetection } from '../../read/types.ts';
import { STRUCTURE } from './flags.ts';

interface PrototypeFacts {
  /** STRUCTURE bits: class-instance or subclass, null-prototype, other-realm, to-json. */
  bits: number;
  /** Class name, if it is neither Object nor Array. */
  name?: string;
}

const { getOwnPropertyDescriptor, getPrototypeOf } = Reflect;

/** Flag of an object, or of an array, whose prototype is of another class. */
type Derived = 'class-instance' | 'subclass';

/** Caches results by prototype: no user code runs during a walk, so they do not change. */
export class Prototypes {
  readonly types: TypeDetection;
  readonly #known = {
    'class-instance': new Map<object | null, PrototypeFacts>(),
    subclass: new Map<object | null, PrototypeFacts>(),
  };

  constructor(types: TypeDetection) {
    this.types = types;
  }

  /** Requires that `value` is not a Proxy. */
  of(value: object, derived: Derived): PrototypeFacts {
    const prototype = getPrototypeOf(value);
    const known = this.#known[derived].get(prototype);
    if (known !== undefined) return known;
    const facts = this.#inspect(prototype, derived);
    this.#known[derived].set(prototype, facts);
    return facts;
  }

  #inspect(prototype: object | null, derived: Derived): PrototypeFacts {
    if (prototype === null) return { bits: STRUCTURE['null-prototype'] };
    if (this.types.isProxy(prototype)) return { bits: STRUCTURE[derived] };
    const toJson = this.hasToJson(prototype) ? STRUCTURE['to-json'] : 0;
    const ofArrays = derived === 'subclass';
    if (prototype === Object.prototype || prototype === Array.prototype) {
      if ((prototype === Array.prototype) === ofArrays) return { bits: toJson };
    } else if (ofArrays ? this.#isArrayPrototype(prototype) : this.#isObjectPrototype(prototype))
      return { bits: toJson | STRUCTURE['other-realm'] };
    // A subclass of a DOMException loses as much as the DOMException itself.
    const platform = platformClassFrom(prototype, this.types.isProxy);
    const name = platform?.name ?? builtInName(prototype, this.types.isProxy);
    return { bits: toJson | STRUCTURE[derived], ...(name === undefined ? {} : { name }) };
  }

  /** Class name of a value: the name of the nearest prototype with a name. */
  className(value: object): string | undefined {
    return onChain(getPrototypeOf(value), this.types.isProxy, (at) => builtInName(at, this.types.isProxy));
  }

  /** True for Object.prototype of any realm: it ends a chain and has an accessor that no other object has. */
  #isObjectPrototype(prototype: object): boolean {
    if (prototype === Object.prototype) return true;
    if (getPrototypeOf(prototype) !== null) return false;
    const accessor = getOwnPropertyDescriptor(prototype, '__proto__');
    return accessor?.get !== undefined && builtInName(prototype, this.types.isProxy) === 'Object';
  }

  /** Array.prototype is an array too, in every realm. */
  #isArrayPrototype(prototype: object): boolean {
    const above = Array.isArray(prototype) ? getPrototypeOf(prototype) : null;
    return above !== null && !this.types.isProxy(above) && this.#isObjectPrototype(above);
  }

  /** True if the object or one of its prototypes has the method. */
  hasToJson(value: object): boolean {
    const called = onChain(value, this.types.isProxy, (at) => {
      const found = getOwnPropertyDescriptor(at, 'toJSON');
      return found && (found.get !== undefined || typeof found.value === 'function');
    });
    return called ?? false;
  }
}
