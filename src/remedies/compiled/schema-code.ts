import type { PayloadSchema, ValueType } from '../../model/rules/payload-schema.ts';
import { literal } from '../code/javascript.ts';
import {
  type ContainerParts,
  dictionaryCode,
  type FunctionCode,
  listCode,
  mapCode,
  repeatingDictionaryCode,
  setCode,
  unionCode,
} from './containers.ts';
import { SchemaNames } from './naming.ts';
import { recordCode, recordTest } from './records.ts';
import { SchemaTypes } from './types.ts';
import { constantsOf, type TextForm, type Way, waysOf } from './ways.ts';

/** A helper writes and reads the whole value. */
const HELPER_OF: Partial<Record<Way, string>> = {
  boolean: 'Boolean',
  int: 'Int',
  double: 'Double',
  text: 'Text',
  word: 'Word',
  bigint: 'Bigint',
  date: 'Date',
  numbers: 'Numbers',
  ints: 'Ints',
};

const CONTAINERS = { list: listCode, dictionary: dictionaryCode, map: mapCode, set: setCode };

/** Where values of several kinds stand, these conditions on `value` tell them apart. */
const TEST_OF: Partial<Record<Way, string>> = {
  text: "typeof value === 'string'",
  word: "typeof value === 'string'",
  int: "typeof value === 'number'",
  double: "typeof value === 'number'",
  ints: "Array.isArray(value) && typeof value[0] === 'number'",
  numbers: "Array.isArray(value) && typeof value[0] === 'number'",
  list: 'Array.isArray(value)',
  dictionary: 'isPlain(value)',
  bigint: "typeof value === 'bigint'",
  date: 'value instanceof Date',
  map: 'value instanceof Map',
  set: 'value instanceof Set',
};

/** Functions for the types and records of a schema, in both directions. */
export class SchemaCode {
  readonly names: SchemaNames;
  readonly types: SchemaTypes;
  readonly helpers = new Set<string>();
  readonly functions: FunctionCode[] = [];
  readonly root: { write: string; read: string };
  readonly #schema: PayloadSchema;
  readonly #form: TextForm;
  readonly #done = new Set<string>();
  readonly #open: (() => FunctionCode)[] = [];

  constructor(schema: PayloadSchema, name: string, form: TextForm) {
    this.#schema = schema;
    this.#form = form;
    this.names = new SchemaNames(schema, name);
    this.types = new SchemaTypes(schema, this.names);
    this.root = { write: this.#write(0, 'payload', '$'), read: this.#read(0) };
    for (let next = this.#open.shift(); next !== undefined; next = this.#open.shift()) {
      const code = next();
      this.functions.push(code);
      this.#use(...code.helpers);
    }
  }

  #use(...names: string[]): void {
    for (const name of names) this.helpers.add(name);
  }

  /** Statement that writes `value`; without a path, what does not fit is told at the place of the container. */
  #write(at: number, value: string, path: string | null): string {
    const type = this.#schema.types[at]!;
    const ways = waysOf(type, this.#form);
    if (ways[0] === 'rest') return `rest.push(${value});`;
    const known = constantsOf(type, ways);
    const told = known === '' ? '' : `, ${literal(known)}`;
    return `write${this.#nameOf(at, type, ways)}(${value}, ${path === null ? 'path' : literal(path)}${told});`;
  }

  /** Expression that reads a value. */
  #read(at: number): string {
    const type = this.#schema.types[at]!;
    const ways = waysOf(type, this.#form);
    const text = this.types.text(at);
    if (ways[0] === 'rest') {
      this.#use('nextRest');
      return text === 'unknown' ? 'nextRest()' : `nextRest()/*as ${text} */`;
    }
    const name = this.#nameOf(at, type, ways);
    if (name === 'Other')
      return text === 'unknown' ? 'readOther(nextInt())' : `readOther(nextInt())/*as ${text} */`;
    return `read${name}()`;
  }

  /** What comes after `write` and `read`: the name of a helper, or of functions that will be written. */
  #nameOf(at: number, type: ValueType, ways: readonly Way[]): string {
    const [way, ...others] = ways;
    if (way === undefined) {
      this.#use('writeOther', 'readOther', 'nextInt');
      return 'Other';
    }
    if (others.length === 0) return this.#nameOfWay(at, type, way, '');
    const name = `${this.names.type(at).name}Value`;
    return this.#later(name, () => this.#union(name, at, type, ways));
  }

  #nameOfWay(at: number, type: ValueType, way: Way, suffix: string): string {
    const helper = HELPER_OF[way];
    if (helper !== undefined) {
      this.#use(`write${helper}`, `read${helper}`);
      return helper;
    }
    if (way === 'record') {
      const { name } = this.names.record(type.record!);
      return this.#later(name, () => this.#record(type.record!));
    }
    const name = this.names.type(at).name + suffix;
    const code =
      type.keysRepeat && way === 'dictionary'
        ? repeatingDictionaryCode
        : CONTAINERS[way as keyof typeof CONTAINERS];
    return this.#later(name, () => code(this.#container(name, at, type, way)));
  }

  #later(name: string, write: () => FunctionCode): string {
    if (!this.#done.has(name)) this.#open.push(write);
    this.#done.add(name);
    return name;
  }

  #record(at: number): FunctionCode {
    const { name, path } = this.names.record(at);
    const record = this.#schema.records[at]!;
    return recordCode({
      name,
      record,
      write: ({ key, type }, value) => this.#write(type, value, this.names.field(path, key)),
      read: ({ type }) => this.#read(type),
    });
  }

  #container(name: string, at: number, type: ValueType, way: Way): ContainerParts {
    const valueOf = { list: type.list, dictionary: type.dictionary, map: type.map?.[1], set: type.set };
    const inner = valueOf[way as keyof typeof valueOf]!;
    const parts: ContainerParts = {
      name,
      type: this.types.only(at, way),
      write: (value) => this.#write(inner, value, null),
      read: this.#read(inner),
    };
    if (way !== 'map') return parts;
    const keys = type.map![0];
    return { ...parts, writeKey: (value) => this.#write(keys, value, null), readKey: this.#read(keys) };
  }

  #union(name: string, at: number, type: ValueType, ways: readonly Way[]): FunctionCode {
    const parts = ways.map((way) => {
      const own = this.#nameOfWay(at, type, way, way[0]!.toUpperCase() + way.slice(1));
      const test = way === 'record' ? this.#recordTest(type, ways) : TEST_OF[way]!;
      if (way === 'dictionary') this.#use('isPlain');
      return { test, write: `write${own}(value, path);`, read: `read${own}()` };
    });
    return unionCode(name, this.types.text(at), parts);
  }

  /** Beside a dictionary, a record is told by its keys. */
  #recordTest({ record }: ValueType, ways: readonly Way[]): string {
    if (!ways.includes('dictionary')) {
      this.#use('isPlain');
      return 'isPlain(value)';
    }
    const { test, helper } = recordTest(this.names.record(record!).name, this.#schema.records[record!]!);
    this.#use(helper);
    return test;
  }
}
