/** Facts from the prototype of a value, read by descriptors: plain, of a different realm, or of a class. */
import { builtInName } from '../../value/built-in-names.ts';
import { platformClassFrom } from '../../value/platform-class.ts';
import { STRUCTURE } from './flags.ts';
import type { TypeDetection } from './probe.ts';

interface PrototypeFacts {
  /** STRUCTURE bits: class-instance or subclass, null-prototype, other-realm, to-json. */
  bits: number;
  /** Class name, if it is neither Object nor Array. */
  name?: string;
}

const { getOwnPropertyDescriptor, getPrototypeOf } = Reflect;
const MAX_CHAIN = 1000;

/** Caches results by prototype: no user code runs during a walk, so they do not change. */
export class Prototypes {
  readonly types: TypeDetection;
  readonly #objects = new Map<object | null, PrototypeFacts>();
  readonly #arrays = new Map<object | null, PrototypeFacts>();

  constructor(types: TypeDetection) {
    this.types = types;
  }

  /** Requires that `value` is not a Proxy. */
  ofObject(value: object): PrototypeFacts {
    return this.#of(getPrototypeOf(value), this.#objects, 'class-instance');
  }

  ofArray(value: object): PrototypeFacts {
    return this.#of(getPrototypeOf(value), this.#arrays, 'subclass');
  }

  #of(
    prototype: object | null,
    known: Map<object | null, PrototypeFacts>,
    derived: 'class-instance' | 'subclass',
  ): PrototypeFacts {
    const before = known.get(prototype);
    if (before !== undefined) return before;
    const facts = this.#inspect(prototype, derived);
    known.set(prototype, facts);
    return facts;
  }

  #inspect(prototype: object | null, derived: 'class-instance' | 'subclass'): PrototypeFacts {
    if (prototype === null) return { bits: STRUCTURE['null-prototype'] };
    if (this.types.isProxy(prototype)) return { bits: STRUCTURE[derived] };
    const toJson = this.#hasToJson(prototype) ? STRUCTURE['to-json'] : 0;
    const ofArrays = derived === 'subclass';
    if (prototype === Object.prototype || prototype === Array.prototype) {
      if ((prototype === Array.prototype) === ofArrays) return { bits: toJson };
    } else if (ofArrays ? this.#isArrayPrototype(prototype) : this.#isObjectPrototype(prototype))
      return { bits: toJson | STRUCTURE['other-realm'] };
    // A subclass of a DOMException loses as much as the DOMException itself.
    const platform = platformClassFrom(prototype, (one) => this.types.isProxy(one));
    const name = platform?.name ?? this.#className(prototype);
    return { bits: toJson | STRUCTURE[derived], ...(name === undefined ? {} : { name }) };
  }

  /** Class name of a value: the name of the nearest prototype with a name. */
  className(value: object): string | undefined {
    return this.#firstOnChain(getPrototypeOf(value), (at) => this.#className(at));
  }

  /**
   * True if the prototype belongs to a built-in class of any realm, not to a class derived from it.
   *
   * @param depth maximum number of prototypes above: one for Map, two for TypeError
   */
  isBuiltIn(value: object, isName: (name: string) => boolean, depth: number): boolean {
    let at = getPrototypeOf(value);
    if (at === null || this.types.isProxy(at) || !isName(this.#className(at) ?? '')) return false;
    for (let above = 0; at !== null; above++) {
      if (above > depth || this.types.isProxy(at)) return false;
      at = getPrototypeOf(at);
    }
    return true;
  }

  #className(prototype: object): string | undefined {
    const isProxy = (made: object) => this.types.isProxy(made);
    return builtInName(prototype, isProxy);
  }

  /** True for Object.prototype of any realm: it ends a chain and has an accessor that no other object has. */
  #isObjectPrototype(prototype: object): boolean {
    if (prototype === Object.prototype) return true;
    if (getPrototypeOf(prototype) !== null) return false;
    const accessor = getOwnPropertyDescriptor(prototype, '__proto__');
    return accessor?.get !== undefined && this.#className(prototype) === 'Object';
  }

  /** Array.prototype is an array too, in every realm. */
  #isArrayPrototype(prototype: object): boolean {
    const above = Array.isArray(prototype) ? getPrototypeOf(prototype) : null;
    return above !== null && !this.types.isProxy(above) && this.#isObjectPrototype(above);
  }

  #hasToJson(prototype: object): boolean {
    const called = this.#firstOnChain(prototype, (at) => {
      const found = getOwnPropertyDescriptor(at, 'toJSON');
      return found && (found.get !== undefined || typeof found.value === 'function');
    });
    return called ?? false;
  }

  /** Returns the first result that is not undefined, from `start` up to the end of the chain or a Proxy. */
  #firstOnChain<T>(start: object | null, ask: (prototype: object) => T | undefined): T | undefined {
    let at = start;
    for (let i = 0; at !== null && i < MAX_CHAIN; i++) {
      if (this.types.isProxy(at)) return undefined;
      const answer = ask(at);
      if (answer !== undefined) return answer;
      at = getPrototypeOf(at);
    }
    return undefined;
  }
}
