/** The walk for values of any origin: iterative, by descriptors and internal slots, minding shared references. */
import type { Kind } from '../../../model/shape.ts';
import type { TrailStep } from '../../paths.ts';
import { BUFFER, STRUCTURE } from '../flags.ts';
import { type BufferFacts, bufferFacts, viewFacts } from '../inspect/buffers.ts';
import { type InspectedObject, ObjectInspector } from '../inspect/object-inspector.ts';
import type { Probe } from '../probe.ts';
import type { FactRow } from '../shape/fact-row.ts';
import type { PatternNode, ShapeBuilder } from '../shape/shape-builder.ts';
import { NumberCounter } from './number-counter.ts';
import { Scalars } from './scalars.ts';
import { type OpenContainer, VisitedObjects, type WalkPosition } from './visited-objects.ts';

const LIMITED = STRUCTURE['too-many-keys'] | STRUCTURE['too-many-items'];

export class Walk {
  readonly #ledger: ShapeBuilder;
  readonly #probe: Probe;
  readonly #scalars: Scalars;
  readonly #structures: ObjectInspector;
  readonly #tally: NumberCounter;
  readonly #stack: OpenContainer[] = [];
  readonly #known = new VisitedObjects();
  /** The object last entered at each depth: those above the value at hand are its ancestors. */
  readonly #line: object[] = [];
  readonly #copied = new Set<object>();
  readonly #spot: WalkPosition;

  constructor(ledger: ShapeBuilder, probe: Probe) {
    this.#ledger = ledger;
    this.#probe = probe;
    this.#scalars = new Scalars(ledger, probe.storage);
    this.#structures = new ObjectInspector(probe, ledger.limits.children);
    this.#tally = new NumberCounter(ledger);
    this.#spot = { node: ledger.root, depth: 0, parent: null };
  }

  walk(root: unknown): void {
    this.#visit(root, this.#spot);
    for (;;) {
      const top = this.#stack.at(-1);
      if (top === undefined) return;
      if (top.cursor === top.values.length) this.#stack.pop();
      else this.#child(top, top.cursor++);
    }
  }

  #child(top: OpenContainer, i: number): void {
    const step = top.steps === null ? i : top.steps[i]!;
    const spot = this.#spot;
    spot.depth = top.depth + 1;
    spot.node = this.#placeOf(top, step, i);
    spot.parent = top.kind;
    this.#ledger.trail[spot.depth] = step;
    this.#visit(top.values[i], spot);
  }

  #placeOf(top: OpenContainer, step: TrailStep, i: number): PatternNode {
    if (typeof step === 'string') return this.#ledger.property(top.node, step, i);
    if (typeof step === 'number') return this.#ledger.items(top.node);
    return this.#ledger.entries(top.node, step.part);
  }

  #visit(value: unknown, spot: WalkPosition): void {
    if (typeof value === 'string') this.#scalars.string(value, spot.node, spot.depth, spot.parent);
    else if (typeof value === 'number') this.#scalars.number(value, spot.node, spot.depth, spot.parent);
    else if (typeof value === 'object' && value !== null) this.#object(value, spot);
    else this.#enter(spot, this.#kindOf(value), 0, 0);
  }

  #kindOf(value: unknown): Kind {
    if (value === null) return 'null';
    const proxy = typeof value === 'function' && this.#probe.types.isProxy(value);
    return proxy ? 'proxy' : (typeof value as Kind);
  }

  #enter(spot: WalkPosition, kind: Kind, observed: number, stored: number, tag?: string): FactRow {
    return this.#ledger.add(spot.node, spot.depth, spot.parent, kind, observed, stored, tag);
  }

  #object(value: object, spot: WalkPosition): void {
    const number = this.#known.find(value);
    if (number >= 0) this.#again(value, number, spot);
    else {
      this.#line[spot.depth] = value;
      this.#first(value, spot);
    }
  }

  #first(value: object, spot: WalkPosition): void {
    const { types: brands } = this.#probe;
    if (brands.isProxy(value)) this.#known.add(value, spot.depth, this.#enter(spot, 'proxy', 0, 0), -1);
    else if (Array.isArray(value)) this.#structure(value, this.#structures.array(value, spot.depth), spot);
    else {
      const alike = this.#structures.asKnown(value, spot.node.knownObjects);
      if (alike === null) this.#branded(value, spot);
      else this.#structure(value, alike, spot);
    }
  }

  /** A second reference: entered with the facts of the first, not walked again. */
  #again(value: object, number: number, spot: WalkPosition): void {
    const { depth, row, size } = this.#known.at(number);
    const cycle = depth < spot.depth && this.#line[depth] === value;
    const bits = row.backing >= 0 ? BUFFER : STRUCTURE;
    const observed = row.observed | (cycle ? bits.cycle : bits.repeated);
    const entered = this.#enter(spot, row.kind, observed, row.stored, row.tag);
    if (size >= 0) entered.addSize(size);
    if (row.backing >= 0) entered.addBacking(0);
  }

  #branded(value: object, spot: WalkPosition): void {
    const { types: brands } = this.#probe;
    const brand = brands.of(value);
    switch (brand.kind) {
      case 'typedarray':
      case 'dataview':
        this.#buffer(value, viewFacts(value, brands), spot);
        break;
      case 'arraybuffer':
      case 'sharedarraybuffer':
        this.#buffer(value, bufferFacts(value, brand.kind), spot);
        break;
      default:
        this.#structure(value, this.#structures.of(value, brand, spot.depth, spot.node.knownObjects), spot);
    }
  }

  #structure(value: object, found: InspectedObject, { node: place, depth, parent }: WalkPosition): void {
    const { kind, bits, size, steps, values } = found;
    const row = this.#ledger.add(place, depth, parent, kind, bits, found.stored, found.tag);
    if (size >= 0) row.addSize(size);
    if ((bits & LIMITED) !== 0) this.#ledger.truncated.items = true;
    this.#known.add(value, depth, row, size);
    if (found.numbers) {
      this.#tally.count(values);
      this.#tally.enter(this.#ledger.items(place), depth + 1, steps as readonly number[] | null);
    } else if (values.length > 0) this.#stack.push({ kind, node: place, depth, steps, values, cursor: 0 });
  }

  #buffer(value: object, facts: BufferFacts, spot: WalkPosition): void {
    const row = this.#enter(spot, facts.kind, facts.bits, 0, facts.tag);
    row.addBytes(facts.bytes);
    // Views on one buffer copy it once: it has an identity, and the clone keeps it.
    row.addBacking(this.#copied.has(facts.buffer) ? 0 : facts.backing);
    this.#copied.add(facts.buffer);
    this.#known.add(value, spot.depth, row, -1);
  }
}
