import type { PayloadSchema, ValueType } from '../../model/documents/payload-schema.ts';
import { indent, literal } from '../code/javascript.ts';
import { SchemaNames } from './naming.ts';
import { recordCode } from './records.ts';
import { listType, SchemaTypes } from './types.ts';
import {
  capitalized,
  type FunctionCode,
  findWays,
  knownConstants,
  orKnown,
  readCall,
  SCALAR_HELPERS,
  type TextForm,
  type TypeCall,
  type Way,
} from './ways.ts';

/** Functions for the types and records of a schema, in both directions. */
export class SchemaCode {
  readonly names: SchemaNames;
  readonly types: SchemaTypes;
  readonly helpers = new Set<string>();
  /** Declarations, in the order in which they are needed first. */
  readonly functions: string[] = [];
  readonly root: { write: string; read: string };
  readonly #schema: PayloadSchema;
  readonly #form: TextForm;
  readonly #done = new Set<string>();
  readonly #calls: TypeCall[] = [];
  readonly #open: (() => FunctionCode)[] = [];

  constructor(schema: PayloadSchema, name: string, form: TextForm) {
    this.#schema = schema;
    this.#form = form;
    this.names = new SchemaNames(schema, name);
    this.types = new SchemaTypes(schema, this.names);
    this.root = { write: this.#write(0, 'payload', '$'), read: this.read(0) };
  }

  /** Writes what was called, until nothing is missing. */
  finish(): void {
    for (let next = this.#open.shift(); next !== undefined; next = this.#open.shift()) {
      const { text, helpers } = next();
      this.functions.push(text);
      this.use(...helpers);
    }
  }

  use(...names: string[]): void {
    for (const name of names) this.helpers.add(name);
  }

  /** Null where there are several, or none. */
  onlyWay(at: number): Way | null {
    const [way, ...others] = this.#ways(at);
    return others.length === 0 ? (way ?? null) : null;
  }

  #ways(at: number): Way[] {
    return findWays(this.#schema.types[at]!, this.#form);
  }

  /** Statement that writes `value`. */
  #write(at: number, value: string, path: string): string {
    const { name, inside, known } = this.call(at);
    if (name === 'Rest') return `rest.push(${value});`;
    return `write${name}(${this.#arguments(value, literal(path), inside, known)});`;
  }

  #arguments(value: string, path: string, inside: readonly string[], known: string): string {
    const told = known === '' ? [] : [literal(known)];
    return [value, path, ...inside.map((name) => `write${name}`), ...told].join(', ');
  }

  /** Expression that reads a value. */
  read(at: number): string {
    const { name, inside } = this.call(at);
    const type = this.types.text(at);
    const text = name === 'Rest' ? 'nextRest()' : readCall(name, inside);
    const isUntyped = name === 'Rest' || name === 'Other';
    return isUntyped && type !== 'unknown' ? `${text}/*as ${type} */` : text;
  }

  call(at: number): TypeCall {
    // What holds it asks more than once: lists in lists would take exponential time.
    this.#calls[at] ??= this.#callOf(at);
    return this.#calls[at];
  }

  #callOf(at: number): TypeCall {
    const type = this.#schema.types[at]!;
    const [way, ...others] = this.#ways(at);
    if (way === undefined) {
      this.use('writeOther', 'readOther');
      return { name: 'Other', inside: [], known: knownConstants(type, []) };
    }
    if (others.length === 0) return { ...this.#callFor(type, way), known: knownConstants(type, [way]) };
    const name = this.names.derived(at, `${this.names.type(at).name}Value`);
    return { name: this.#later(name, (own) => this.#union(own, at)), inside: [], known: '' };
  }

  /** For values of one way. */
  #callFor(type: ValueType, way: Way): Pick<TypeCall, 'name' | 'inside'> {
    if (way === 'record') {
      const { name } = this.names.record(type.record!);
      return { name: this.#later(name, () => this.#record(type.record!)), inside: [] };
    }
    if (way === 'tuple') {
      const { length = 0, int32 = false } = type.numbers!;
      return { name: this.#later(tupleName(length, int32), () => tupleCode(length, int32)), inside: [] };
    }
    if (way === 'ints' || way === 'numbers')
      return { name: this.#scalarList(way === 'ints' ? 'Int' : 'Double', '', 'number'), inside: [] };
    if (way === 'list' && !this.types.isRecursive(type.list!)) {
      const item = this.call(type.list!);
      if (SCALAR_HELPERS.has(item.name))
        return { name: this.#scalarList(item.name, item.known, this.types.text(type.list!)), inside: [] };
    }
    const name = capitalized(way);
    this.use(...(way === 'rest' ? ['nextRest'] : [`write${name}`, `read${name}`]));
    return { name, inside: this.#inside(type, way) };
  }

  #scalarList(item: string, known: string, itemType: string): string {
    const name = `${orKnown(item, known)}List`;
    this.use(`write${item}`, `read${item}`);
    return this.#later(name, () => scalarListCode({ name, item, known, type: listType(itemType) }));
  }

  #inside({ list, dictionary, map, set }: ValueType, way: Way): string[] {
    const inside = { list, dictionary, table: dictionary, set }[way as 'list'];
    const all = way === 'map' ? map! : inside === undefined ? [] : [inside];
    return all.map((at) => this.#functionFor(at));
  }

  /** A function that takes a value and a path alone: one of its own where the call needs more. */
  #functionFor(at: number): string {
    const own = this.names.type(at).name;
    const [way, ...others] = this.#ways(at);
    if (this.types.isRecursive(at) && way !== 'rest' && others.length === 0) return this.#wrapper(own, at);
    const { name, inside, known } = this.call(at);
    const type = this.types.text(at);
    if (name === 'Rest' && type !== 'unknown') return this.#typedRest(at, type);
    if (name === 'Rest') this.use('writeRest', 'readRest');
    if (inside.length === 0 && known === '') return name;
    return this.#wrapper(known === '' ? own : this.names.derived(at, orKnown(own, known)), at);
  }

  #wrapper(name: string, at: number): string {
    return this.#later(name, (own) => {
      const { name: inner, inside, known } = this.call(at);
      return {
        text: `const write${own} = (value/*: unknown */, path/*: string */)/*: void */ =>
  write${inner}(${this.#arguments('value', 'path', inside, known)});
const read${own} = ()/*: ${this.types.text(at)} */ => ${this.read(at)};`,
        helpers: [],
      };
    });
  }

  /** What is cloned as it is, told what it is. */
  #typedRest(at: number, type: string): string {
    return this.#later(this.names.type(at).name, (own) => ({
      text: `const write${own} = (value/*: unknown */)/*: void */ => writeRest(value);
const read${own} = ()/*: ${type} */ => nextRest()/*as ${type} */;`,
      helpers: ['writeRest', 'nextRest'],
    }));
  }

  /** Each function once. */
  #later(name: string, write: (name: string) => FunctionCode): string {
    if (!this.#done.has(name)) this.#open.push(() => write(name));
    this.#done.add(name);
    return name;
  }

  #record(at: number): FunctionCode {
    const { name, path } = this.names.record(at);
    const record = this.#schema.records[at]!;
    return recordCode({
      name,
      record,
      loose: record.loose === undefined ? null : this.#functionFor(record.loose),
      write: ({ key, type }, value) => this.#write(type, value, this.names.field(path, key)),
      read: ({ type }) => this.read(type),
    });
  }

  #union(name: string, at: number): FunctionCode {
    const type = this.#schema.types[at]!;
    const ways = this.#ways(at);
    const kinds = ways.map((way) => {
      const { name: own, inside } = this.#callFor(type, way);
      const write = `write${own}(${this.#arguments('value', 'path', inside, '')});`;
      return { way, write, read: readCall(own, inside) };
    });
    return unionCode({ name, kinds, known: knownConstants(type, ways), type: this.types.text(at) });
  }
}

/** `Ints3` */
const tupleName = (length: number, int32: boolean): string => `${int32 ? 'Ints' : 'Doubles'}${length}`;

/** Lists of so many numbers, of which none is a mark. */
function tupleCode(length: number, int32: boolean): FunctionCode {
  const name = tupleName(length, int32);
  const each = (code: (at: number) => string) => Array.from({ length }, (_, at) => code(at));
  const [isOne, target, next] = int32
    ? ['isInt', 'ints[i++]', 'nextInt()']
    : ['isNumber', 'doubles[d++]', 'nextDouble()'];
  const tests = [
    'Array.isArray(value)',
    `value.length === ${length}`,
    ...each((at) => `${isOne}(value[${at}])`),
  ];
  return {
    text: `function write${name}(value/*: unknown */, path/*: string */, known = '')/*: void */ {
  const fits = ${tests.join(' && ')};
  if (!fits) return writeOther(value, path, known);
  ints[i++] = ${length};
${each((at) => `  ${target} = value[${at}]/*as number */;`).join('\n')}
}
const read${name} = (length = nextInt())/*: number[] */ =>
  length === ${length} ? [${each(() => next).join(', ')}] : readOther(length)/*as number[] */;`,
    helpers: ['writeOther', 'readOther', 'nextInt', isOne, ...(int32 ? [] : ['nextDouble'])],
  };
}

interface ScalarList {
  /** `WordOrNullList` */
  name: string;
  /** Helper for an item: `Word`. */
  item: string;
  /** See `knownConstants`. */
  known: string;
  /** TypeScript of the list. */
  type: string;
}

/** Lists of texts or numbers: loops of their own, into which engines compile the function for an item. */
const scalarListCode = ({ name, item, known, type }: ScalarList): FunctionCode => ({
  text: `function write${name}(value/*: unknown */, path/*: string */, known = '')/*: void */ {
  if (!isList(value)) return writeOther(value, path, known);
  const inside = path + '[*]';
  ints[i++] = value.length;
  for (let at = 0; at < value.length; at++) write${item}(value[at], inside${known === '' ? '' : `, ${literal(known)}`});
}

function read${name}()/*: ${type} */ {
  const length = nextInt();
  if (!isLength(length)) return readOther(length)/*as ${type} */;
  const list/*: ${type} */ = emptyList(length);
  for (let at = 0; at < length; at++) list[at] = read${item}();
  return list;
}`,
  helpers: ['isList', 'isLength', 'nextInt', 'writeOther', 'readOther', 'emptyList'],
});

/** Where values of several kinds stand, these conditions on `value` tell them apart. */
const TEST_OF: Partial<Record<Way, string>> = {
  record: 'isPlain(value)',
  text: "typeof value === 'string'",
  word: "typeof value === 'string'",
  int: "typeof value === 'number'",
  double: "typeof value === 'number'",
  ints: 'Array.isArray(value)',
  numbers: 'Array.isArray(value)',
  tuple: 'Array.isArray(value)',
  list: 'Array.isArray(value)',
  dictionary: 'isPlain(value)',
  table: 'isPlain(value)',
  bigint: "typeof value === 'bigint'",
  date: 'value instanceof Date',
  map: 'value instanceof Map',
  set: 'value instanceof Set',
};

/** Beside other lists, those of numbers are told by their first item. */
const wayTest = (way: Way, ways: readonly Way[]): string => {
  const isNumbers = way === 'ints' || way === 'numbers' || way === 'tuple';
  const first = isNumbers && ways.includes('list') ? " && typeof value[0] === 'number'" : '';
  return `${TEST_OF[way]}${first}`;
};

interface Union {
  /** `OrderValue` */
  name: string;
  /** Statements that write a value of each kind, and expressions that read one. */
  kinds: readonly { way: Way; write: string; read: string }[];
  /** See `knownConstants`. */
  known: string;
  /** TypeScript of all kinds. */
  type: string;
}

/** Which of the kinds it is, then the value. */
function unionCode({ name, kinds, known, type }: Union): FunctionCode {
  const ways = kinds.map(({ way }) => way);
  const tests = kinds.flatMap(({ way, write }, kind) => [
    `${kind === 0 ? '' : '} else '}if (${wayTest(way, ways)}) {`,
    `  ints[i++] = ${kind};`,
    `  ${write}`,
  ]);
  const reads = kinds.map(({ read }, kind) => `if (kind === ${kind}) return ${read};`);
  const other = `} else writeOther(value, path${known === '' ? '' : `, ${literal(known)}`});`;
  const isPlain = tests.some((line) => line.includes('isPlain(')) ? ['isPlain'] : [];
  return {
    text: `function write${name}(value/*: unknown */, path/*: string */)/*: void */ {
${indent([...tests, other].join('\n'))}
}

function read${name}()/*: ${type} */ {
${indent(['const kind = nextInt();', ...reads, `return readOther(kind)/*as ${type} */;`].join('\n'))}
}`,
    helpers: ['writeOther', 'readOther', 'nextInt', ...isPlain],
  };
}
