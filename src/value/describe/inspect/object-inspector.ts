/** Kind and flags of one object, and the children that structured clone would visit. */

import type { Channel } from '../../../model/names.ts';
import type { Kind } from '../../../model/vocabulary/shape.ts';
import type { BuiltInType } from '../../read/built-in-types.ts';
import { callOn, copiesAreOrdinary, MAP, readElements, readLength, SET } from '../../read/intrinsics.ts';
import { hasIndices } from '../../read/own-data.ts';
import type { TrailStep } from '../../read/paths.ts';
import { type HeldMemory, platformClass } from '../../read/platform-class.ts';
import { entriesIn } from '../../read/walk.ts';
import { HOST_KINDS, isSerialized, openKinds } from '../../shape/shape-facts.ts';
import { bufferFacts, hasSymbolText, inspectBuiltIn, inspectError, viewFacts } from './built-ins.ts';
import { BUFFERS, STRUCTURE } from './flags.ts';
import {
  type OwnProperties,
  Prototypes,
  propertiesOfArray,
  propertiesOfObject,
  sampledElements,
} from './properties.ts';
import type { ElementFacts, Probe } from './storage.ts';

/** Of arrays whose elements are plain data by the engine's word (Storage.elements). */
function elementsOfArray(value: readonly unknown[], packed: boolean): OwnProperties {
  const all = readElements(value);
  if (packed) return { bits: 0, steps: null, values: all };
  const steps: number[] = [];
  const values: unknown[] = [];
  let bits = 0;
  for (let i = 0; i < all.length; i++) {
    const element = all[i];
    if (element === undefined && !Object.hasOwn(all, i)) bits |= STRUCTURE.holes;
    else {
      steps.push(i);
      values.push(element);
    }
  }
  return { bits, steps, values };
}

function elementContent({ bits, steps, values }: OwnProperties, length: number): ElementFacts {
  const count = elementCount(steps, values.length);
  const facts: ElementFacts = {
    length,
    content: count === 0 ? 'none' : 'int32',
    nan: false,
    observed: bits,
  };
  for (let i = 0; i < count; i++) {
    const element = values[i];
    if (typeof element !== 'number') return { ...facts, content: 'mixed' };
    if (Number.isNaN(element)) facts.nan = true;
    if (element !== (element | 0) || (element === 0 && 1 / element < 0)) facts.content = 'double';
  }
  return facts;
}

function elementCount(steps: OwnProperties['steps'], all: number): number {
  let count = all;
  while (steps !== null && count > 0 && typeof steps[count - 1] === 'string') count--;
  return count;
}

/** Copying an ordinary array then runs no user code: a hole does not reach a getter at an index of a prototype. */
const arraysAreOrdinary = (): boolean =>
  copiesAreOrdinary() && !hasIndices(Array.prototype) && !hasIndices(Object.prototype);

/** Sample of a hidden class: its objects have the same keys, attributes and prototype, so they can be read plainly. */
export interface KnownObject {
  object: object;
  bits: number;
  stored: number;
  tag: string | undefined;
  keys: readonly string[];
}

/** Maximum hidden classes remembered at one pattern; after that, the oldest is dropped. */
const MAX_CLASSES = 4;

/** Bits that the hidden class does not determine (elements), or that make a plain read unsafe. */
const NOT_CACHEABLE = STRUCTURE.accessor | STRUCTURE['indexed-key'] | STRUCTURE['non-extensible'];

/** null if there is an additional key (an index, which hidden classes do not include). */
function readAsKnown(value: Record<string, unknown>, keys: readonly string[]): unknown[] | null {
  if (Object.keys(value).length !== keys.length) return null;
  const values = new Array<unknown>(keys.length);
  for (let i = 0; i < keys.length; i++) values[i] = value[keys[i]!];
  return values;
}

export interface InspectedObject {
  kind: Kind;
  bits: number;
  stored: number;
  tag: string | undefined;
  size: number;
  steps: readonly TrailStep[] | null;
  values: ArrayLike<unknown>;
  numbers: boolean;
  memory?: HeldMemory;
}

const SENT_EXTRAS =
  STRUCTURE['symbol-key'] |
  STRUCTURE['non-enumerable'] |
  STRUCTURE['enumerable-accessor'] |
  STRUCTURE['sent-fixed'];

/** The same of other objects. Own symbols and hidden properties of an object of the platform belong to it. */
const SENT_OF_HOST =
  STRUCTURE['enumerable-accessor'] |
  STRUCTURE['sent-fixed'] |
  STRUCTURE['non-extensible'] |
  STRUCTURE.sealed |
  STRUCTURE.frozen;

const ERRORS: ReadonlySet<Kind> = new Set<Kind>(['error']);

const CHILDLESS = { bits: 0, stored: 0, tag: undefined, size: -1, steps: null, values: [], numbers: false };

export class ObjectInspector {
  readonly #probe: Probe;
  readonly prototypes: Prototypes;
  limit = Number.POSITIVE_INFINITY;
  /** JSC sends non-enumerable array elements, drops an error's cause; V8 is the opposite. Seen on Bun 1.2.20-1.4.5. */
  readonly #jsc: boolean;
  readonly #openKinds: ReadonlySet<Kind>;
  readonly #isSerialized: boolean;
  readonly #ordinaryArrays = arraysAreOrdinary();

  constructor(probe: Probe, channel: Channel = 'worker') {
    this.#probe = probe;
    this.prototypes = new Prototypes(probe.types);
    const { engine } = probe.storage;
    this.#jsc = engine === 'jsc' || engine === 'webkit';
    this.#isSerialized = isSerialized(engine, channel);
    this.#openKinds = probe.sendsErrorProps ? ERRORS : openKinds(engine, channel);
  }

  /** @param value is not an array @param cache has objects visited before at the same pattern */
  of(value: object, type: BuiltInType, depth: number, cache: KnownObject[]): InspectedObject {
    const { kind } = type;
    if (kind === 'object' || kind === 'arguments') return this.#ordinary(value, type, depth, cache);
    if (BUFFERS.has(kind)) return this.#buffer(value, kind);
    const found = this.#builtIn(value, type);
    // Every Date has one.
    if (kind !== 'date' && this.prototypes.hasToJson(value)) found.bits |= STRUCTURE['to-json'];
    return found;
  }

  #builtIn(value: object, type: BuiltInType): InspectedObject {
    const { kind } = type;
    const builtIn = () => inspectBuiltIn(value, type, this.prototypes);
    if (kind === 'map' || kind === 'set')
      return this.#opened(value, this.#collection(value, kind, builtIn()));
    if (kind !== 'error') return this.#opened(value, { ...CHILDLESS, kind, ...builtIn() });
    if (!hasSymbolText(value, this.#probe.types)) {
      const error = inspectError(value, this.prototypes, this.#probe.storage.engine, this.#isSerialized);
      return this.#opened(value, { ...CHILDLESS, kind, ...error });
    }
    return { ...CHILDLESS, kind: 'not-cloneable', tag: this.prototypes.className(value) ?? 'Error' };
  }

  #buffer(value: object, kind: Kind): InspectedObject {
    const isView = kind === 'typedarray' || kind === 'dataview';
    const memory = isView ? viewFacts(value, this.prototypes) : bufferFacts(value, kind, this.prototypes);
    return { ...CHILDLESS, kind, bits: memory.bits, tag: memory.tag, memory };
  }

  /** null if no object of its hidden class is in the cache. `value` is neither a Proxy nor an array. */
  asKnown(value: object, cache: readonly KnownObject[]): InspectedObject | null {
    const { sameHiddenClass } = this.#probe.storage;
    if (!sameHiddenClass) return null;
    for (let i = 0; i < cache.length; i++) {
      const known = cache[i]!;
      if (!sameHiddenClass(value, known.object)) continue;
      const { bits, stored, tag, keys: steps } = known;
      const values = readAsKnown(value as Record<string, unknown>, steps);
      if (values === null) return null;
      return { kind: 'object', bits, stored, tag, size: values.length, steps, values, numbers: false };
    }
    return null;
  }

  #ordinary(
    value: object,
    { kind, web, tag: webClass }: BuiltInType,
    depth: number,
    cache: KnownObject[],
  ): InspectedObject {
    const { storage } = this.#probe;
    const { bits: inherited, name } = this.prototypes.of(value, 'class-instance');
    const { bits: own, steps, values, all: size } = propertiesOfObject(value, this.limit);
    const tag = web === true ? webClass : name;
    let bits = own | inherited | (web === true ? STRUCTURE['web-object'] : 0);
    // Own symbols of a platform object belong to the platform.
    if (web === true && platformClass(value, this.#probe.types.isProxy) !== undefined)
      bits &= ~STRUCTURE['symbol-key'];
    const stored = kind === 'object' ? storage.object(value, depth, bits, size) : 0;
    // The hidden class of a dictionary does not determine its keys.
    const isPlain = kind === 'object' && stored === 0 && (bits & NOT_CACHEABLE) === 0;
    if (isPlain && steps.length === size && storage.sameHiddenClass) {
      if (cache.length === MAX_CLASSES) cache.shift();
      cache.push({ object: value, bits, stored, tag, keys: steps });
    }
    return { kind, bits, stored, tag, size, steps, values, numbers: false };
  }

  array(value: unknown[], depth: number): InspectedObject {
    const { storage } = this.#probe;
    const { bits: inherited, name: tag } = this.prototypes.of(value, 'subclass');
    const size = readLength(value);
    const stride = Math.ceil(size / this.limit);
    const own = stride > 1 ? sampledElements(value, stride) : this.#elements(value);
    const bits = own.bits | inherited | (size === 0 ? STRUCTURE.empty : 0);
    const facts = elementContent(own, size);
    facts.observed = bits;
    const stored = storage.array(value, depth, facts);
    const { steps, values } = own;
    const named = elementCount(steps, values.length) < values.length;
    const numbers = !named && (facts.content === 'int32' || facts.content === 'double');
    return { kind: 'array', bits, stored, tag, size, steps, values, numbers };
  }

  #elements(value: unknown[]): OwnProperties {
    const elements = this.#ordinaryArrays ? this.#probe.storage.elements?.(value) : undefined;
    return elements ? elementsOfArray(value, elements === 'packed') : propertiesOfArray(value, this.#jsc);
  }

  #collection(
    value: object,
    kind: 'map' | 'set',
    { bits: own, tag }: Pick<InspectedObject, 'bits' | 'tag'>,
  ): InspectedObject {
    const all = callOn(kind === 'map' ? MAP.size : SET.size, value) as number;
    const stride = Math.max(1, Math.ceil(all / this.limit));
    const limit = Math.ceil(all / stride);
    const { steps, values, size } = entriesIn(value, kind, limit, stride);
    const bits = own | (size === 0 ? STRUCTURE.empty : 0);
    return { kind, bits, stored: 0, tag, size, steps, values, numbers: false };
  }

  #opened(value: object, found: InspectedObject): InspectedObject {
    const isHost = HOST_KINDS.has(found.kind);
    const isBare = !isHost && (found.bits & STRUCTURE['extra-props']) === 0;
    if (isBare || !this.#openKinds.has(found.kind)) return found;
    const extra = propertiesOfObject(value, this.limit);
    const isCollection = found.kind === 'map' || found.kind === 'set';
    let bits = found.bits | (extra.bits & (isCollection ? SENT_EXTRAS : SENT_OF_HOST));
    if (isHost && (extra.steps.length > 0 || (bits & STRUCTURE['enumerable-accessor']) !== 0))
      bits |= STRUCTURE['extra-props'];
    // An enumerable cause of an error is one of its own properties as well.
    const known = found.kind === 'error' ? (found.steps ?? []) : [];
    const steps: TrailStep[] = [];
    const values: unknown[] = [];
    for (const { steps: own, values: children } of [found, extra])
      for (let i = 0; i < children.length; i++) {
        if (own === extra.steps && known.includes(own[i]!)) continue;
        steps.push(own![i]!);
        values.push(children[i]);
      }
    return { ...found, bits, steps, values };
  }
}
