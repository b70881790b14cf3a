/** Looks at one object: its kind and flags, and the children that structured clone would visit. */
import type { Kind } from '../../../model/shape.ts';
import type { TrailStep } from '../../paths.ts';
import { STRUCTURE } from '../flags.ts';
import type { BuiltInType, Probe } from '../probe.ts';
import { inspectBuiltIn, inspectError } from './built-ins.ts';
import { mapEntries, setMembers } from './collections.ts';
import { addToCache, isCacheable, type KnownObject, readAsKnown } from './hidden-class-cache.ts';
import {
  contentOf,
  elementCount,
  elementsOfArray,
  type OwnProperties,
  propertiesOfArray,
  propertiesOfObject,
  prototypesHaveIndices,
} from './own-properties.ts';
import { Prototypes } from './prototypes.ts';

/** What is to be entered for an object, and where to go on. */
export interface InspectedObject {
  kind: Kind;
  bits: number;
  stored: number;
  tag: string | undefined;
  /** Entries or length; -1 for what has none. */
  size: number;
  /** null: each value is at its position. */
  steps: readonly TrailStep[] | null;
  values: readonly unknown[];
  /** Every value is a number. */
  numbers: boolean;
}

const NO_VALUES: readonly unknown[] = [];

function childless(kind: Kind, bits: number, tag: string | undefined): InspectedObject {
  return { kind, bits, stored: 0, tag, size: -1, steps: null, values: NO_VALUES, numbers: false };
}

export class ObjectInspector {
  readonly #probe: Probe;
  readonly #prototypes: Prototypes;
  readonly #limit: number;
  /** Sends hidden elements of arrays and leaves the cause of an error out; V8 the other way round. Seen on Bun 1.2.20-1.4.5. */
  readonly #jsc: boolean;
  /** A hole reads through to the prototype, where a getter may wait: then nothing is read plainly. */
  readonly #wary = prototypesHaveIndices();

  /** @param limit children of one container that are looked at */
  constructor(probe: Probe, limit: number) {
    this.#probe = probe;
    this.#prototypes = new Prototypes(probe.types);
    this.#limit = limit;
    this.#jsc = probe.storage.engine === 'jsc';
  }

  /**
   * @param value no buffer and no view
   * @param exemplars what was met at the same place before
   */
  of(value: object, brand: BuiltInType, depth: number, exemplars: KnownObject[]): InspectedObject {
    switch (brand.kind) {
      case 'object':
      case 'arguments':
        return this.#plain(value, brand.kind, depth, exemplars);
      case 'map':
      case 'set':
        return this.#collection(value, brand);
      case 'error': {
        const { bits, tag, steps, values } = inspectError(value, this.#prototypes, !this.#jsc);
        return { ...childless('error', bits, tag), steps, values };
      }
    }
    const { bits, tag } = inspectBuiltIn(value, brand, this.#prototypes);
    return childless(brand.kind, bits, tag);
  }

  /** Null when nothing like it was met at the place. `value` is neither a Proxy nor an array. */
  asKnown(value: object, exemplars: readonly KnownObject[]): InspectedObject | null {
    const { sameHiddenClass: alike } = this.#probe.storage;
    if (alike === null) return null;
    for (let i = 0; i < exemplars.length; i++) {
      const exemplar = exemplars[i]!;
      if (!alike(value, exemplar.object)) continue;
      const looked = readAsKnown(value as Record<string, unknown>, exemplar);
      if (looked === null) return null;
      const { bits, stored, tag, keys: steps } = exemplar;
      const { values } = looked;
      return { kind: 'object', bits, stored, tag, size: values.length, steps, values, numbers: false };
    }
    return null;
  }

  #plain(
    value: object,
    kind: 'object' | 'arguments',
    depth: number,
    exemplars: KnownObject[],
  ): InspectedObject {
    const { storage } = this.#probe;
    const { bits: inherited, name: tag } = this.#prototypes.ofObject(value);
    const { bits: own, steps, values } = propertiesOfObject(value, this.#limit);
    const bits = own | inherited;
    const size = values.length;
    const stored = kind === 'object' ? storage.object(value, depth, bits, size) : 0;
    if (kind === 'object' && storage.sameHiddenClass !== null && isCacheable(bits, stored))
      addToCache(exemplars, { object: value, bits, stored, tag, keys: steps });
    return { kind, bits, stored, tag, size, steps, values, numbers: false };
  }

  array(value: unknown[], depth: number): InspectedObject {
    const { storage } = this.#probe;
    const ahead = storage.untouchedArray?.(value, depth) ?? 0;
    const { bits: inherited, name: tag } = this.#prototypes.ofArray(value);
    const vouched = this.#wary ? 'unknown' : storage.elements(value, depth);
    const looked: OwnProperties =
      vouched === 'unknown'
        ? propertiesOfArray(value, this.#limit, this.#jsc)
        : elementsOfArray(value, vouched === 'packed', this.#limit);
    const size = value.length;
    const bits = looked.bits | inherited | (size === 0 ? STRUCTURE.empty : 0);
    const facts = contentOf(looked, size);
    facts.observed = bits;
    facts.untouched = ahead;
    const stored = storage.array(value, depth, facts);
    const { steps, values } = looked;
    const named = elementCount(steps, values.length) < values.length;
    const numbers = !named && (facts.content === 'int32' || facts.content === 'double');
    return { kind: 'array', bits, stored, tag, size, steps, values, numbers };
  }

  #collection(value: object, brand: BuiltInType): InspectedObject {
    const { bits: own, tag } = inspectBuiltIn(value, brand, this.#prototypes);
    const { steps, values, size } = brand.kind === 'map' ? mapEntries(value) : setMembers(value);
    const bits = own | (size === 0 ? STRUCTURE.empty : 0);
    return { kind: brand.kind, bits, stored: 0, tag, size, steps, values, numbers: false };
  }
}
