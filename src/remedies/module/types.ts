import type { Facts } from '../../model/documents/shape.ts';
import type { Kind } from '../../model/vocabulary/shape.ts';
import { LINE_WIDTH, propertyName, toIdentifier, toSingular } from '../code/javascript.ts';
import type { PatternRows, ShapeIndex } from '../facts/shape-index.ts';

/**
 * Types in TypeScript, from the facts of a shape. They name kinds, never values: texts of a payload may be secrets, and a
 * shape has none.
 */

const SIMPLE: Partial<Record<Kind, string>> = {
  undefined: 'undefined',
  null: 'null',
  boolean: 'boolean',
  number: 'number',
  bigint: 'bigint',
  string: 'string',
  date: 'Date',
  regexp: 'RegExp',
  error: 'Error',
  arraybuffer: 'ArrayBuffer',
  sharedarraybuffer: 'SharedArrayBuffer',
  dataview: 'DataView',
};
const TYPED_ARRAY =
  /^((Uint8|Int8|Uint16|Int16|Uint32|Int32|Float32|Float64|BigInt64|BigUint64)Array|Uint8ClampedArray)$/;

/** Keys with digits in them, of this number on, are taken for ids: no two payloads have the same. */
const MIN_IDS = 3;

const text = (before: string): Alternative => ({ before, object: null, after: '' });
const UNKNOWN: Type = [text('unknown')];

/** Objects that the walk went into: not those that it had seen before. */
const visited = ({ rows }: PatternRows, kind: Kind): readonly Facts[] =>
  rows.filter((row) => row.kind === kind && !row.flags.includes('repeated') && !row.flags.includes('cycle'));

const sumCounts = (rows: readonly Facts[]) => rows.reduce((sum, { count }) => sum + count, 0);

class TypeReader {
  readonly #shape: ShapeIndex;

  constructor(shape: ShapeIndex) {
    this.#shape = shape;
  }

  at(at: PatternRows | null, name: string): Type {
    if (at === null) return UNKNOWN;
    const all = [...at.kinds].flatMap((kind) => this.#kind(at, kind, name));
    return all.some(({ before, after }) => before + after === 'unknown') ? UNKNOWN : distinct(all);
  }

  #kind(at: PatternRows, kind: Kind, name: string): Type {
    const simple = SIMPLE[kind];
    if (simple !== undefined) return [text(simple)];
    if (kind === 'array') return this.#array(at, name);
    if (kind === 'object') return this.#object(at, name);
    if (kind === 'set') return around('Set<', this.#below(at, 'member', name), '>');
    if (kind === 'map') {
      const key = inlineType(this.#below(at, 'key', name));
      return around(`Map<${key}, `, this.#below(at, 'value', name), '>');
    }
    const tags = at.rows.filter((row) => row.kind === kind).map(({ tag = '' }) => tag);
    return tags.map((tag) => text(kind === 'typedarray' && TYPED_ARRAY.test(tag) ? tag : 'unknown'));
  }

  #below(at: PatternRows, part: string, name: string): Type {
    const child = this.#shape.children(at.pattern).find(({ steps }) => {
      const step = steps.at(-1);
      return step?.type === 'entry' && step.part === part;
    });
    return this.at(child ?? null, name);
  }

  #array(at: PatternRows, name: string): Type {
    const items = this.#shape.children(at.pattern).find(({ steps }) => steps.at(-1)?.type === 'index');
    const type = this.at(items ?? null, toSingular(name) ?? `${name}Item`);
    return type.length === 1 ? around('', type, '[]') : [text(`(${inlineType(type)})[]`)];
  }

  #object(at: PatternRows, name: string): Type {
    const objects = visited(at, 'object');
    const children = this.#shape.children(at.pattern);
    const any = children.find(({ steps }) => steps.at(-1)?.type === 'any-key');
    if (any) return around('Record<string, ', this.at(any, toSingular(name) ?? `${name}Value`), '>');
    const isWhole = objects.length > 0 && !objects.some(({ flags }) => flags.includes('too-many-keys'));
    if (!isWhole) return [text('Record<string, unknown>')];
    const ids = children.flatMap(({ steps }) => {
      const step = steps.at(-1);
      return step?.type === 'key' && /\d/.test(step.key) ? [step.key] : [];
    });
    if (ids.length >= MIN_IDS && ids.length === children.length) {
      const of = toSingular(name) ?? `${name}Value`;
      return around('Record<string, ', merged(children.map((child) => this.at(child, of))), '>');
    }
    const properties = children.flatMap((child) => {
      const step = child.steps.at(-1);
      if (step?.type !== 'key') return [];
      const type = this.at(child, toIdentifier([step.key], 'value'));
      return [{ key: step.key, isOptional: child.count < sumCounts(objects), type }];
    });
    if (properties.length === 0) return [text('Record<string, never>')];
    return [{ before: '', object: { properties, name }, after: '' }];
  }
}

function around(before: string, type: Type, after: string): Type {
  const [only, ...others] = type;
  if (only === undefined || others.length > 0) return [text(before + inlineType(type) + after)];
  return [{ ...only, before: before + only.before, after: only.after + after }];
}

/** What objects under ids have in common: one type with the properties of all. */
function merged(types: readonly Type[]): Type {
  const [first, ...others] = types.flat().flatMap(({ object }) => object ?? []);
  const rest = distinct(types.flat().filter(({ object }) => object === null));
  if (first === undefined) return rest;
  const all = [first, ...others];
  const keys = [...new Set(all.flatMap(({ properties }) => properties.map(({ key }) => key)))];
  const properties = keys.map((key) => {
    const found = all.flatMap((one) => one.properties.find((property) => property.key === key) ?? []);
    const isOptional = found.length < all.length || found.some((one) => one.isOptional);
    return { key, isOptional, type: merged(found.map(({ type }) => type)) };
  });
  return [{ before: '', object: { properties, name: first.name }, after: '' }, ...rest];
}

function distinct(all: readonly Alternative[]): Type {
  return all.filter(
    (one, at) =>
      one.object !== null ||
      all.findIndex((other) => other.before + other.after === one.before + one.after) === at,
  );
}

/** Names that mean something else in a module. */
const GLOBAL = ['Message', 'Payload', 'Object', 'Array', 'Date', 'Map', 'Set', 'Record', 'Omit', 'Error'];

/** Declares `Payload`. @param name of the payload, where it is a list of records */
export function payloadTypes(shape: ShapeIndex, name: string): string[] {
  const writer = new TypeWriter(GLOBAL);
  writer.declare('Payload', new TypeReader(shape).at(shape.root, toIdentifier([name], 'rows')), 'export ');
  return writer.declarations;
}

interface ObjectType {
  properties: { key: string; isOptional: boolean; type: Type }[];
  /** Name of the alias, where it needs one. */
  name: string;
}

/** One alternative: text around an object type, or text alone. */
interface Alternative {
  before: string;
  object: ObjectType | null;
  after: string;
}

type Type = Alternative[];

const property = ({ key, isOptional }: ObjectType['properties'][number], type: string): string =>
  `${propertyName(key)}${isOptional ? '?' : ''}: ${type};`;

function inlineObject({ properties }: ObjectType): string {
  return `{ ${properties
    .map((one) => property(one, inlineType(one.type)))
    .join(' ')
    .replace(/;$/, '')} }`;
}

const inlineType = (type: Type): string =>
  type.map(({ before, object, after }) => before + (object ? inlineObject(object) : '') + after).join(' | ');

/** Declares types in as few lines as their length allows. */
class TypeWriter {
  /** Declarations of the aliases; the outermost come last. */
  readonly declarations: string[] = [];
  readonly #taken: Map<string, string>;

  constructor(taken: readonly string[]) {
    this.#taken = new Map(taken.map((name) => [name, '']));
  }

  declare(name: string, type: Type, exported: string): void {
    const line = (of: string) => `${exported}type ${name} = ${of};`;
    const [only, ...others] = type;
    const whole = line(inlineType(type));
    if (whole.length <= LINE_WIDTH || only === undefined) return void this.declarations.push(whole);
    if (only.object === null || others.length > 0 || only.before + only.after !== '')
      return void this.declarations.push(line(this.#named(type)));
    this.#declareObject(name, only.object.properties, exported);
  }

  /** The longest properties get names until the rest fits on a line; where it never does, each has a line. */
  #declareObject(name: string, properties: ObjectType['properties'], exported: string): void {
    const line = (named: ReadonlySet<unknown>) => {
      const texts = properties.map((one) =>
        property(one, named.has(one) ? this.#nameIn(one.type) : inlineType(one.type)),
      );
      return `${exported}type ${name} = { ${texts.join(' ').replace(/;$/, '')} };`;
    };
    const longest = [...properties].sort((a, b) => inlineType(b.type).length - inlineType(a.type).length);
    const counts = longest.map((_, at) => at + 1);
    const count = counts.find((n) => line(new Set(longest.slice(0, n))).length <= LINE_WIDTH);
    const isNamed = (one: ObjectType['properties'][number]) =>
      count === undefined
        ? `  ${property(one, inlineType(one.type))}`.length > LINE_WIDTH
        : longest.indexOf(one) < count;
    const texts = properties.map((one) =>
      property(one, isNamed(one) ? this.#named(one.type) : inlineType(one.type)),
    );
    this.declarations.push(
      count === undefined
        ? `export type ${name} = {\n${texts.map((one) => `  ${one}\n`).join('')}};`
        : `${exported}type ${name} = { ${texts.join(' ').replace(/;$/, '')} };`,
    );
  }

  #nameIn(type: Type): string {
    return type
      .map(({ before, object, after }) => before + (object ? this.#aliasName(object) : '') + after)
      .join(' | ');
  }

  /** The same, with its objects declared. */
  #named(type: Type): string {
    for (const { object } of type) {
      if (object === null) continue;
      const name = this.#aliasName(object);
      if (this.#taken.has(name)) continue;
      this.#taken.set(name, inlineObject(object));
      this.declare(name, [{ before: '', object, after: '' }], '');
    }
    return this.#nameIn(type);
  }

  #aliasName(object: ObjectType): string {
    const wanted = (object.name[0] ?? 'V').toUpperCase() + object.name.slice(1);
    const body = inlineObject(object);
    const nameAt = (n: number): string => {
      const name = n === 1 ? wanted : `${wanted}${n}`;
      return (this.#taken.get(name) ?? body) === body ? name : nameAt(n + 1);
    };
    return nameAt(1);
  }
}
