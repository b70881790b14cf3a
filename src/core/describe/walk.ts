/** The walk for values of any origin: iterative, by descriptors and internal slots, minding shared references. */
import type { Kind } from '../../model/shape.ts';
import type { TrailStep } from '../paths.ts';
import { type BufferFacts, bufferFacts, viewFacts } from './buffers.ts';
import { mapEntries, setMembers } from './collections.ts';
import { BUFFER, STRUCTURE } from './flags.ts';
import type { Frame, Known, Spot } from './frames.ts';
import type { Ledger, Place } from './ledger.ts';
import {
  contentOf,
  type Looked,
  lookAtArray,
  lookAtElements,
  lookAtObject,
  prototypesHaveIndices,
} from './objects.ts';
import { lookAtBuiltIn, lookAtError } from './others.ts';
import type { Brand, Probe } from './probe.ts';
import { Prototypes } from './prototypes.ts';
import type { Row } from './rows.ts';
import { Scalars } from './scalars.ts';

export class Walk {
  readonly #ledger: Ledger;
  readonly #probe: Probe;
  readonly #scalars: Scalars;
  readonly #prototypes: Prototypes;
  readonly #stack: Frame[] = [];
  readonly #known = new Map<object, Known>();
  /** The object last entered at each depth: those above the value at hand are its ancestors. */
  readonly #line: object[] = [];
  readonly #copied = new Set<object>();
  /** A hole reads through to the prototype, where a getter may wait: then nothing is read plainly. */
  readonly #wary = prototypesHaveIndices();
  readonly #limit: number;

  constructor(ledger: Ledger, probe: Probe) {
    this.#ledger = ledger;
    this.#probe = probe;
    this.#scalars = new Scalars(ledger, probe.storage);
    this.#prototypes = new Prototypes(probe.brands);
    this.#limit = ledger.limits.children;
  }

  walk(root: unknown): void {
    this.#visit(root, { place: this.#ledger.root, depth: 0, parent: null });
    for (;;) {
      const top = this.#stack.at(-1);
      if (top === undefined) return;
      if (top.cursor === top.values.length) this.#stack.pop();
      else this.#child(top, top.cursor++);
    }
  }

  #child(top: Frame, i: number): void {
    const step = top.steps === null ? i : top.steps[i]!;
    const depth = top.depth + 1;
    this.#ledger.trail[depth] = step;
    this.#visit(top.values[i], { place: this.#placeOf(top, step, i), depth, parent: top.kind });
  }

  #placeOf(top: Frame, step: TrailStep, i: number): Place {
    if (typeof step === 'string') return this.#ledger.property(top.place, step, i);
    if (typeof step === 'number') return this.#ledger.items(top.place);
    return this.#ledger.entries(top.place, step.part);
  }

  #visit(value: unknown, spot: Spot): void {
    if (typeof value === 'string') this.#scalars.string(value, spot.place, spot.depth, spot.parent);
    else if (typeof value === 'number') this.#scalars.number(value, spot.place, spot.depth, spot.parent);
    else if (typeof value === 'object' && value !== null) this.#object(value, spot);
    else this.#enter(spot, this.#kindOf(value), 0, 0);
  }

  #kindOf(value: unknown): Kind {
    if (value === null) return 'null';
    const proxy = typeof value === 'function' && this.#probe.brands.isProxy(value);
    return proxy ? 'proxy' : (typeof value as Kind);
  }

  #enter(spot: Spot, kind: Kind, observed: number, stored: number, tag?: string): Row {
    return this.#ledger.enter(spot.place, spot.depth, spot.parent, kind, observed, stored, tag);
  }

  #object(value: object, spot: Spot): void {
    const known = this.#known.get(value);
    if (known !== undefined) this.#again(value, known, spot);
    else this.#known.set(value, { depth: spot.depth, ...this.#first(value, spot) });
  }

  #first(value: object, spot: Spot): { row: Row; size: number } {
    this.#line[spot.depth] = value;
    const { brands } = this.#probe;
    if (brands.isProxy(value)) return { row: this.#enter(spot, 'proxy', 0, 0), size: -1 };
    return Array.isArray(value) ? this.#array(value, spot) : this.#branded(value, brands.of(value), spot);
  }

  /** A second reference: entered with the facts of the first, not walked again. */
  #again(value: object, { depth, row, size }: Known, spot: Spot): void {
    const cycle = depth < spot.depth && this.#line[depth] === value;
    const bits = row.backing >= 0 ? BUFFER : STRUCTURE;
    const observed = row.observed | (cycle ? bits.cycle : bits.repeated);
    const entered = this.#enter(spot, row.kind, observed, row.stored, row.tag);
    if (size >= 0) entered.sizeOf(size);
    if (row.backing >= 0) entered.backingOf(0);
  }

  #branded(value: object, brand: Brand, spot: Spot): { row: Row; size: number } {
    switch (brand.kind) {
      case 'object':
      case 'arguments':
        return this.#plain(value, brand.kind, spot);
      case 'map':
      case 'set':
        return this.#collection(value, brand, spot);
      case 'error':
        return this.#error(value, spot);
      case 'typedarray':
      case 'dataview':
        return this.#buffer(viewFacts(value, this.#probe.brands), spot);
      case 'arraybuffer':
      case 'sharedarraybuffer':
        return this.#buffer(bufferFacts(value, brand.kind), spot);
    }
    const { bits, tag } = lookAtBuiltIn(value, brand, this.#prototypes);
    return { row: this.#enter(spot, brand.kind, bits, 0, tag), size: -1 };
  }

  #descend(kind: Kind, spot: Spot, steps: readonly TrailStep[] | null, values: readonly unknown[]): void {
    if (values.length === 0) return;
    this.#stack.push({ kind, place: spot.place, depth: spot.depth, steps, values, cursor: 0 });
  }

  #sized(row: Row, size: number): { row: Row; size: number } {
    row.sizeOf(size);
    return { row, size };
  }

  #plain(value: object, kind: 'object' | 'arguments', spot: Spot): { row: Row; size: number } {
    const lineage = this.#prototypes.ofObject(value);
    const looked = lookAtObject(value, this.#limit);
    const bits = looked.bits | lineage.bits;
    this.#note(bits);
    const stored =
      kind === 'object' ? this.#probe.storage.object(value, spot.depth, bits, looked.values.length) : 0;
    this.#descend(kind, spot, looked.steps, looked.values);
    return this.#sized(this.#enter(spot, kind, bits, stored, lineage.name), looked.values.length);
  }

  #array(value: unknown[], spot: Spot): { row: Row; size: number } {
    const { storage } = this.#probe;
    const lineage = this.#prototypes.ofArray(value);
    const vouched = this.#wary ? 'unknown' : storage.elements(value, spot.depth);
    const looked: Looked =
      vouched === 'unknown'
        ? lookAtArray(value, this.#limit)
        : lookAtElements(value, vouched === 'packed', this.#limit);
    const bits = looked.bits | lineage.bits | (value.length === 0 ? STRUCTURE.empty : 0);
    this.#note(bits);
    const stored = storage.array(value, spot.depth, { ...contentOf(looked, value.length), observed: bits });
    this.#descend('array', spot, looked.steps, looked.values);
    return this.#sized(this.#enter(spot, 'array', bits, stored, lineage.name), value.length);
  }

  #note(bits: number): void {
    const limited = STRUCTURE['too-many-keys'] | STRUCTURE['too-many-items'];
    if ((bits & limited) !== 0) this.#ledger.truncated.items = true;
  }

  #collection(value: object, brand: Brand, spot: Spot): { row: Row; size: number } {
    const { bits, tag } = lookAtBuiltIn(value, brand, this.#prototypes);
    const { steps, values, size } = brand.kind === 'map' ? mapEntries(value) : setMembers(value);
    this.#descend(brand.kind, spot, steps, values);
    const observed = bits | (size === 0 ? STRUCTURE.empty : 0);
    return this.#sized(this.#enter(spot, brand.kind, observed, 0, tag), size);
  }

  #error(value: object, spot: Spot): { row: Row; size: number } {
    const { bits, tag, steps, values } = lookAtError(value, this.#prototypes);
    this.#descend('error', spot, steps, values);
    return { row: this.#enter(spot, 'error', bits, 0, tag), size: -1 };
  }

  #buffer(facts: BufferFacts, spot: Spot): { row: Row; size: number } {
    const row = this.#enter(spot, facts.kind, facts.bits, 0, facts.tag);
    row.bytesOf(facts.bytes);
    // Views on one buffer copy it once: it has an identity, and the clone keeps it.
    row.backingOf(this.#copied.has(facts.buffer) ? 0 : facts.backing);
    this.#copied.add(facts.buffer);
    return { row, size: -1 };
  }
}
