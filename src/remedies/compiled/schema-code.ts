import type { PayloadSchema, ValueType } from '../../model/documents/payload-schema.ts';
import { indent, literal } from '../code/javascript.ts';
import { SchemaNames } from './naming.ts';
import { recordCode } from './records.ts';
import { SchemaTypes } from './types.ts';
import {
  type Functions,
  orKnown,
  type TextForm,
  type TypeCall,
  VALUE,
  type Way,
  type WayCall,
} from './way.ts';
import { knownConstants, waysOf } from './ways/index.ts';

/** Expression that reads the value of a way. */
const readCall = ({ name, inside }: WayCall): string =>
  `read${name}(${inside.map((one) => `read${one}`).join(', ')})`;

/** Arguments of a call to a write function. */
function writeArguments(value: string, path: string, { inside, items }: WayCall, known: string): string {
  const all = [...(items === undefined ? [] : [items]), known];
  const told = all.slice(0, all.findLastIndex((one) => one !== '') + 1).map((one) => literal(one));
  return [value, path, ...inside.map((name) => `write${name}`), ...told].join(', ');
}

/** Functions for the types and records of a schema, in both directions. */
export class SchemaCode implements Functions {
  readonly names: SchemaNames;
  readonly types: SchemaTypes;
  /** Declarations, in the order of their first use. */
  readonly functions: string[] = [];
  /** Suffix of the `write` and `read` functions for the payload. */
  readonly root: string;
  readonly #schema: PayloadSchema;
  readonly #form: TextForm;
  readonly #done = new Set<string>();
  readonly #calls: TypeCall[] = [];
  readonly #open: (() => string)[] = [];

  constructor(schema: PayloadSchema, name: string, form: TextForm) {
    this.#schema = schema;
    this.#form = form;
    this.names = new SchemaNames(schema, name);
    this.types = new SchemaTypes(schema, this.names);
    this.root = this.functionFor(0);
  }

  /** Writes the functions that were called, until none is missing. */
  finish(): void {
    for (let next = this.#open.shift(); next !== undefined; next = this.#open.shift()) {
      this.functions.push(next());
    }
  }

  path(at: number): string {
    return this.names.type(at).path;
  }

  /** The way of a type with only one way; null if it has several ways or none. */
  onlyWay(at: number): Way | null {
    const [way, ...others] = this.#ways(at);
    return others.length === 0 ? (way ?? null) : null;
  }

  #ways(at: number): Way[] {
    return waysOf(this.#schema.types[at]!, this.#form);
  }

  /** Statement that writes `value`. */
  #write(at: number, value: string, path: string): string {
    const call = this.call(at);
    if (call.bare) return `${call.bare.write}(${value});`;
    return `write${call.name}(${writeArguments(value, literal(path), call, call.known)});`;
  }

  /** Expression that reads a value. */
  read(at: number): string {
    const call = this.call(at);
    const type = this.types.text(at);
    const text = call.bare ? `${call.bare.read}()` : readCall(call);
    const isUntyped = call.bare !== undefined || call.name === 'Other';
    return isUntyped && type !== 'unknown' ? `${text}/*as ${type} */` : text;
  }

  call(at: number): TypeCall {
    // Cached, because each type that contains it repeats the call: lists in lists would take exponential time.
    this.#calls[at] ??= this.#callOf(at);
    return this.#calls[at];
  }

  #callOf(at: number): TypeCall {
    const type = this.#schema.types[at]!;
    const [way, ...others] = this.#ways(at);
    if (way === undefined) return { name: 'Other', inside: [], known: knownConstants(type, []) };
    if (others.length === 0) return { ...way.call(type, this), known: knownConstants(type, [way]) };
    const name = this.names.derived(at, `${this.names.type(at).name}Value`);
    return { name: this.later(name, (own) => this.#union(own, type, at)), inside: [], known: '' };
  }

  functionFor(at: number): string {
    const own = this.names.type(at).name;
    const way = this.onlyWay(at);
    if (this.types.isRecursive(at) && way !== null && way.name !== 'rest') return this.#wrapper(own, at);
    const { name, inside, bare, items = '', known } = this.call(at);
    const type = this.types.text(at);
    if (bare) return type === 'unknown' ? name : this.#typedRest(own, type);
    if (inside.length === 0 && items + known === '') return name;
    return this.#wrapper(known === '' ? own : this.names.derived(at, orKnown(own, known)), at);
  }

  /** A separate function, if the call needs more than a value and a path. */
  #wrapper(name: string, at: number): string {
    return this.later(name, (own) => {
      const call = this.call(at);
      return `const write${own} = (${VALUE})/*: void */ =>
  write${call.name}(${writeArguments('value', 'path', call, call.known)});
const read${own} = ()/*: ${this.types.text(at)} */ => ${this.read(at)};`;
    });
  }

  /** Functions, with their type, for values that are cloned unchanged. */
  #typedRest(name: string, type: string): string {
    return this.later(
      name,
      (own) => `const write${own} = (value/*: unknown */)/*: void */ => writeRest(value);
const read${own} = ()/*: ${type} */ => nextRest()/*as ${type} */;`,
    );
  }

  later(name: string, write: (name: string) => string): string {
    if (!this.#done.has(name)) this.#open.push(() => write(name));
    this.#done.add(name);
    return name;
  }

  record(at: number): string {
    const { name, path } = this.names.record(at);
    const record = this.#schema.records[at]!;
    return this.later(name, () =>
      recordCode({
        name,
        record,
        loose: record.loose === undefined ? null : this.functionFor(record.loose),
        write: ({ key, type }, value) => this.#write(type, value, this.names.field(path, key)),
        read: ({ type }) => this.read(type),
      }),
    );
  }

  /** Functions for a type with several ways: the number of the way precedes the value. */
  #union(name: string, type: ValueType, at: number): string {
    const ways = this.#ways(at);
    const known = knownConstants(type, ways);
    const calls = ways.map((way) => ({ test: way.test?.(type), call: way.call(type, this) }));
    const tests = calls.flatMap(({ test, call }, kind) => [
      `${kind === 0 ? '' : '} else '}if (${test}) {`,
      `  putInt(${kind});`,
      `  write${call.name}(${writeArguments('value', 'path', call, '')});`,
    ]);
    const other = `} else writeOther(value, path${known === '' ? '' : `, ${literal(known)}`});`;
    const tsType = this.types.text(at);
    const reads = calls.map(({ call }, kind) => `if (kind === ${kind}) return ${readCall(call)};`);
    const last = `return readOther(kind)/*as ${tsType} */;`;
    return `function write${name}(${VALUE})/*: void */ {
${indent([...tests, other].join('\n'))}
}
function read${name}(kind = nextInt())/*: ${tsType} */ {
${indent([...reads, last].join('\n'))}
}`;
  }
}
