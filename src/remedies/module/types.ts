import type { PathStep } from '../../core/paths.ts';
import type { RecordType, ValueType } from '../../model/documents/payload-schema.ts';
import type { Facts } from '../../model/documents/shape.ts';
import type { Kind } from '../../model/vocabulary/shape.ts';
import { SchemaNames } from '../compiled/naming.ts';
import { SchemaTypes } from '../compiled/types.ts';
import type { PatternRows, ShapeIndex } from '../facts/shape-index.ts';

/** Schema types of simple kinds. Sizes and widths are irrelevant for types. */
const SIMPLE: Partial<Record<Kind, ValueType>> = {
  undefined: { undefined: true },
  null: { null: true },
  boolean: { boolean: true },
  number: { number: 'double' },
  bigint: { bigint: true },
  string: { text: { count: 0, units: 0 } },
  date: { date: true },
};
const CLASSES: Partial<Record<Kind, string>> = {
  regexp: 'RegExp',
  error: 'Error',
  arraybuffer: 'ArrayBuffer',
  sharedarraybuffer: 'SharedArrayBuffer',
  dataview: 'DataView',
};
const TYPED_ARRAY =
  /^((Uint8|Int8|Uint16|Int16|Uint32|Int32|Float32|Float64|BigInt64|BigUint64)Array|Uint8ClampedArray)$/;

/** Minimum number of keys with digits that are treated as ids, because such keys differ between payloads. */
const MIN_IDS = 3;

/**
 * Declares `Payload` and its inner types, in TypeScript. They name kinds, never values: texts of a payload may be
 * secrets, and a shape does not contain texts.
 *
 * @param name name of the payload
 */
export function payloadTypes(shape: ShapeIndex, name: string): string[] {
  const { types, records } = new ShapeTypes(shape);
  const schema = { types, records };
  const texts = new SchemaTypes(schema, new SchemaNames(schema, name));
  return [...texts.declarations(), `export type Payload = ${texts.text(0)};`];
}

const lastStep = ({ steps }: PatternRows): PathStep | undefined => steps.at(-1);

/** True for objects that the walk entered, and false for objects that it had seen before. */
const isVisited = ({ kind, flags }: Facts): boolean =>
  kind === 'object' && !flags.includes('repeated') && !flags.includes('cycle');

const sumCounts = (rows: readonly { count: number }[]) => rows.reduce((sum, { count }) => sum + count, 0);

/** Types of a shape, numbered breadth first. */
class ShapeTypes {
  readonly types: ValueType[] = [];
  readonly records: RecordType[] = [];
  readonly #shape: ShapeIndex;
  readonly #places: (readonly PatternRows[])[] = [];

  constructor(shape: ShapeIndex) {
    this.#shape = shape;
    this.#add(shape.root === null ? [] : [shape.root]);
    for (let at = 0; at < this.#places.length; at++) this.types[at] = this.#typeOf(this.#places[at]!);
  }

  /** Adds a type for all values at these places. */
  #add(places: readonly PatternRows[]): number {
    return this.#places.push(places) - 1;
  }

  #typeOf(places: readonly PatternRows[]): ValueType {
    const rows = places.flatMap((place) => place.rows);
    const simple = rows.map(({ kind }) => SIMPLE[kind]);
    const bytes = rows.flatMap(({ kind, tag = '' }) =>
      kind === 'typedarray' && TYPED_ARRAY.test(tag) ? [tag] : (CLASSES[kind] ?? []),
    );
    const isWithin = ({ kind }: Facts) => ['array', 'object', 'map', 'set'].includes(kind);
    const known = rows.filter(isWithin).length + simple.filter((one) => one !== undefined).length;
    return Object.assign({}, ...simple, ...this.#within(places, new Set(rows.map(({ kind }) => kind))), {
      ...(bytes.length > 0 && { bytes: [...new Set(bytes)] }),
      ...(known + bytes.length < rows.length && { rest: true }),
    });
  }

  #within(places: readonly PatternRows[], kinds: ReadonlySet<Kind>): ValueType[] {
    const below = (isWanted: (step: PathStep) => boolean): number =>
      this.#add(
        this.#children(places).filter((child) => {
          const step = lastStep(child);
          return step !== undefined && isWanted(step);
        }),
      );
    const entry = (part: string) => below((step) => step.type === 'entry' && step.part === part);
    return [
      ...(kinds.has('array') ? [{ list: below(({ type }) => type === 'index') }] : []),
      ...(kinds.has('object') ? [this.#object(places)] : []),
      ...(kinds.has('set') ? [{ set: entry('member') }] : []),
      ...(kinds.has('map') ? [{ map: [entry('key'), entry('value')] as [number, number] }] : []),
    ];
  }

  #children(places: readonly PatternRows[]): PatternRows[] {
    return places.flatMap(({ pattern }) => this.#shape.children(pattern));
  }

  #object(places: readonly PatternRows[]): ValueType {
    const objects = places.flatMap(({ rows }) => rows.filter(isVisited));
    const children = this.#children(places);
    const any = children.filter((child) => lastStep(child)?.type === 'any-key');
    if (any.length > 0) return { dictionary: this.#add(any) };
    if (objects.length === 0) return { dictionary: this.#add([]) };
    const byKey = new Map<string, PatternRows[]>();
    for (const child of children) {
      const step = lastStep(child);
      if (step?.type === 'key') byKey.set(step.key, [...(byKey.get(step.key) ?? []), child]);
    }
    const keyed = [...byKey.values()].flat();
    const ids = [...byKey.keys()].filter((key) => /\d/.test(key));
    if (ids.length >= MIN_IDS && ids.length === byKey.size && keyed.length === children.length)
      return { dictionary: this.#add(keyed) };
    const fields = [...byKey].map(([key, at]) => ({
      key,
      type: this.#add(at),
      ...(sumCounts(at) < sumCounts(objects) && { optional: true as const }),
    }));
    return { record: this.records.push({ fields }) - 1 };
  }
}
