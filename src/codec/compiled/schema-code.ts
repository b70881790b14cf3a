import type {
  PayloadSchema,
  RecordField,
  RecordType,
  ValueType,
} from '../../model/documents/payload-schema.ts';
import { keyText } from '../../value/read/paths.ts';
import { capitalized, indent, listCode, literal, member, propertyName } from '../code/javascript.ts';
import { SchemaTypes, upperCase } from './types.ts';
import { knownConstants, listType, waysOf } from './ways/index.ts';
import { orKnown, type TextForm, type TypeCall, VALUE, type Way } from './ways/scalars.ts';

const readCall = ({ name, inside }: TypeCall): string =>
  `read${name}(${inside.map((one) => `read${one}`).join(', ')})`;

function writeArguments(value: string, path: string, { inside, items, known, bare }: TypeCall): string {
  if (bare) return value;
  const all = [...(items === undefined ? [] : [items]), known];
  const told = all.slice(0, all.findLastIndex((one) => one !== '') + 1).map((one) => literal(one));
  return [value, path, ...inside.map((name) => `write${name}`), ...told].join(', ');
}

export class SchemaCode {
  readonly types: SchemaTypes;
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
    this.types = new SchemaTypes(schema, name);
    this.root = this.#functionFor(0);
  }

  finish(): void {
    for (let next = this.#open.shift(); next !== undefined; next = this.#open.shift()) {
      this.functions.push(next());
    }
  }

  onlyWay(at: number): Way | null {
    const [way, ...others] = this.#ways(at);
    return others.length === 0 ? (way ?? null) : null;
  }

  #ways(at: number): Way[] {
    return waysOf(this.#schema.types[at]!, this.#form);
  }

  #write(at: number, value: string, path: string): string {
    const call = this.call(at);
    return `write${call.name}(${writeArguments(value, literal(path), call)});`;
  }

  read(at: number): string {
    const call = this.call(at);
    const type = this.types.text(at);
    const isUntyped = call.bare || call.name === 'Other';
    return isUntyped && type !== 'unknown' ? `${readCall(call)}/*as ${type} */` : readCall(call);
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
    if (others.length === 0) return this.#wayCall(way, type, way.bare ? '' : knownConstants(type, [way]));
    const name = this.types.derived(at, `${this.types.type(at).name}Value`);
    return { name: this.#later(name, (own) => this.#union(own, type, at)), inside: [], known: '' };
  }

  #wayCall({ name: way, isScalar, bare, items, ...of }: Way, type: ValueType, known = ''): TypeCall {
    if (way === 'list') return this.#listCall(type.list!, known);
    const suffix = of.suffix?.(type) ?? capitalized(way);
    const name = way === 'record' ? this.#recordFunctions(type.record!) : suffix;
    if (of.code) this.#later(name, () => of.code!(name, type));
    const inside = (of.inside?.(type) ?? []).map((at) => this.#functionFor(at));
    return { name, inside, isScalar, bare, items, known };
  }

  /** Each list has a separate loop, so that engines inline the function for an item. */
  #listCall(at: number, known: string): TypeCall {
    const itemType = this.types.text(at);
    // A type that contains itself needs a function with a name.
    const call = this.types.isRecursive(at) ? null : this.call(at);
    if (call?.isScalar) return { name: `${call.name}List`, inside: [], items: call.known, known };
    const item = this.#functionFor(at);
    const type = listType(itemType);
    // Items that are cloned unchanged always fit.
    const path = call?.bare ? '' : `, ${literal(this.types.type(at).path)}`;
    const name = this.#later(
      `${item}List`,
      (own) => `function write${own}(${VALUE}, known = '')/*: void */ {
  if (!startList(value, path, known)) return;
  for (let at = 0; at < value.length; at++) write${item}(value[at]${path});
}
function read${own}(length = nextInt())/*: ${type} */ {
  if (!isLength(length)) return readOther(length)/*as ${type} */;
  const list/*: ${type} */ = emptyList(length);
  for (let at = 0; at < length; at++) list[at] = read${item}();
  return list;
}`,
    );
    return { name, inside: [], known };
  }

  #functionFor(at: number): string {
    const own = this.types.type(at).name;
    const way = this.onlyWay(at);
    if (this.types.isRecursive(at) && way !== null && way.name !== 'rest') return this.#wrapper(own, at);
    const { name, inside, bare, items = '', known } = this.call(at);
    const isTyped = bare && this.types.text(at) !== 'unknown';
    if (!isTyped && inside.length === 0 && items + known === '') return name;
    return this.#wrapper(known === '' ? own : this.types.derived(at, orKnown(own, known)), at);
  }

  /** A separate function, if the call needs more than a value and a path. */
  #wrapper(name: string, at: number): string {
    return this.#later(name, (own) => {
      const call = this.call(at);
      return `const write${own} = (${call.bare ? 'value/*: unknown */' : VALUE})/*: void */ =>
  write${call.name}(${writeArguments('value', 'path', call)});
const read${own} = ()/*: ${this.types.text(at)} */ => ${this.read(at)};`;
    });
  }

  #later(name: string, write: (name: string) => string): string {
    if (!this.#done.has(name)) this.#open.push(() => write(name));
    this.#done.add(name);
    return name;
  }

  #recordFunctions(at: number): string {
    const { name, path } = this.types.record(at);
    const record = this.#schema.records[at]!;
    return this.#later(name, () =>
      recordCode({
        name,
        record,
        loose: record.loose === undefined ? null : this.#functionFor(record.loose),
        write: ({ key, type }, value) => this.#write(type, value, path + keyText(key)),
        read: ({ type }) => this.read(type),
      }),
    );
  }

  /** Functions for a type with several ways: the number of the way precedes the value. */
  #union(name: string, type: ValueType, at: number): string {
    const ways = this.#ways(at);
    const known = knownConstants(type, ways);
    const calls = ways.map((way) => ({ test: way.test?.(type), call: this.#wayCall(way, type) }));
    const tests = calls.flatMap(({ test, call }, kind) => [
      `${kind === 0 ? '' : '} else '}if (${test}) {`,
      `  putInt(${kind});`,
      `  write${call.name}(${writeArguments('value', 'path', call)});`,
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

interface RecordParts {
  /** `Order`: the name of the record's type, and part of the names of its functions. */
  name: string;
  record: RecordType;
  write(field: RecordField, value: string): string;
  read(field: RecordField): string;
  /** Suffix of the `write` and `read` functions for values at other keys. */
  loose: string | null;
}

interface RecordBodies {
  constants?: Readonly<Record<string, readonly string[]>>;
  write: readonly string[];
  mark: string;
  read: readonly string[];
}

function recordFunctions(name: string, { constants = {}, mark, write, read }: RecordBodies): string {
  return [
    ...Object.entries(constants).map(([constant, items]) => {
      const type = items.length === 0 ? '/*: string[] */' : '';
      return listCode(`const ${constant}${type} = [`, items, '];');
    }),
    `function write${name}(value/*: unknown */, path/*: string */, known = '')/*: void */ {
${indent(write.join('\n'))}
}`,
    `function read${name}(${mark} = nextInt())/*: ${name} */ {
${indent(read.join('\n'))}
}`,
  ].join('\n');
}

/** @param find call of the helper that gives the mark of an object, -1 if it does not fit */
const numberedRecord = ({ name, record }: RecordParts, find: string, bodies: RecordBodies): string =>
  recordFunctions(name, {
    ...bodies,
    write: [
      `const ${bodies.mark} = ${withSureKey(record, find, '-1')};`,
      misfit(`${bodies.mark} < 0`),
      `const record = value/*as ${name} */;`,
      `putInt(${bodies.mark});`,
      ...bodies.write,
    ],
  });

const misfit = (condition: string): string => `if (${condition}) return writeOther(value, path, known);`;

/**
 * Checks for a key of all values before the call of a helper, which returns `otherwise` for values that do not fit. V8
 * then knows the hidden class of the object and finds its prototype without a call. This saves up to a third of the time
 * for writing.
 */
function withSureKey({ fields, layouts = [] }: RecordType, call: string, otherwise: 'false' | '-1'): string {
  const sure = fields.find((field, at) => !field.optional && layouts.every((layout) => layout.includes(at)));
  if (sure === undefined) return call;
  const isFound = `isObject(value) && ${literal(sure.key)} in value`;
  return otherwise === 'false' ? `${isFound} && ${call}` : `${isFound} ? ${call} : -1`;
}

const otherwise = (name: string, mark: string): string => `readOther(${mark})/*as ${name} */`;

function object(fields: readonly RecordField[], read: RecordParts['read'], margin: number): string {
  const members = fields.map((field) => `${propertyName(field.key)}: ${read(field)}`);
  return fields.length === 0 ? '{}' : listCode('{ ', members, ' }', margin);
}

const setting = (key: string, value: string): string =>
  key === '__proto__' ? `setKey(record, '__proto__', ${value});` : `record${member(key)} = ${value};`;

const keysName = (name: string): string => `${upperCase(name)}_KEYS`;

function recordCode(parts: RecordParts): string {
  const { layouts, loose } = parts.record;
  if (loose !== undefined) return openRecord(parts);
  if (layouts === undefined) return recordByPresence(parts);
  return layouts.length === 1 ? recordOfOneLayout(parts) : recordOfLayouts(parts);
}

/** A dictionary that has specific types for the values of some keys. These keys are sent as negative numbers. */
function openRecord({ name, record: { fields }, write, read, loose }: RecordParts): string {
  return recordFunctions(name, {
    write: [
      misfit('!isPlain(value)'),
      'const keys = Object.keys(value);',
      'putInt(keys.length);',
      'for (const key of keys) {',
      ...fields.flatMap((field, at) => [
        `  ${at === 0 ? '' : '} else '}if (key === ${literal(field.key)}) {`,
        `    putInt(${-1 - at});`,
        `    ${write(field, `value${member(field.key)}`)}`,
      ]),
      '  } else {',
      '    putText(key);',
      `    write${loose}(value[key], path + '.*');`,
      '  }',
      '}',
    ],
    mark: 'length',
    read: [
      `if (!isLength(length)) return ${otherwise(name, 'length')};`,
      `const record/*: ${name} */ = {};`,
      'for (let left = length; left > 0; left--) {',
      '  const key = nextInt();',
      ...fields.map(
        (field, at) =>
          `  ${at === 0 ? '' : 'else '}if (key === ${-1 - at}) ${setting(field.key, read(field))}`,
      ),
      `  else setKey(record, nextText(key), read${loose}());`,
      '}',
      'return record;',
    ],
  });
}

function recordOfOneLayout({ name, record, write, read }: RecordParts): string {
  const { fields } = record;
  const keys = fields.map(({ key }) => literal(key));
  return recordFunctions(name, {
    constants: { [keysName(name)]: keys },
    write: [
      misfit(`!(${withSureKey(record, `startRecord/*<${name}> */(value, ${keysName(name)})`, 'false')})`),
      ...fields.map((field) => write(field, `value${member(field.key)}`)),
    ],
    mark: 'mark',
    read: [`if (mark !== 0) return ${otherwise(name, 'mark')};`, `return ${object(fields, read, 10)};`],
  });
}

/** Condition on the layout for a field to be present; null if it always is. */
function condition(layouts: readonly number[][], at: number): string | null {
  const having = layouts.flatMap((one, layout) => (one.includes(at) ? [layout] : []));
  const others = layouts.flatMap((one, layout) => (one.includes(at) ? [] : [layout]));
  if (others.length === 0) return null;
  return having.length <= others.length
    ? having.map((layout) => `layout === ${layout}`).join(' || ')
    : others.map((layout) => `layout !== ${layout}`).join(' && ');
}

function layoutLines({ record: { fields, layouts = [] }, write }: RecordParts): string[] {
  const statement = (at: number) => write(fields[at]!, `record${member(fields[at]!.key)}`);
  const isOrdered = layouts.every((one) => one.every((at, i) => i === 0 || one[i - 1]! < at));
  if (isOrdered)
    return fields.map((_, at) => {
      const when = condition(layouts, at);
      return when === null ? statement(at) : `if (${when}) ${statement(at)}`;
    });
  return layouts.flatMap((one, layout) => [
    `${layout === 0 ? '' : '} else '}if (layout === ${layout}) {`,
    ...one.map((at) => `  ${statement(at)}`),
    ...(layout === layouts.length - 1 ? ['}'] : []),
  ]);
}

function recordOfLayouts(parts: RecordParts): string {
  const { name, record, read } = parts;
  const layouts = record.layouts!.map((one) => one.map((at) => record.fields[at]!));
  const keys = layouts.map((fields) => `[${fields.map(({ key }) => literal(key)).join(', ')}]`);
  return numberedRecord(parts, `layoutOf(value, ${keysName(name)})`, {
    constants: { [keysName(name)]: keys },
    write: layoutLines(parts),
    mark: 'layout',
    read: [
      ...layouts.map((fields, layout) => `if (layout === ${layout}) return ${object(fields, read, 30)};`),
      `return ${otherwise(name, 'layout')};`,
    ],
  });
}

/** Each optional key has a bit. Required keys before the first of them are in a literal; the others are set in order. */
function recordByPresence(parts: RecordParts): string {
  const { name, read, write } = parts;
  const { fields } = parts.record;
  const bitsName = `${upperCase(name)}_BITS`;
  const optional = fields.filter((field) => field.optional);
  const bits = fields.map((field) => (field.optional ? 2 ** optional.indexOf(field) : 0));
  const first = fields.findIndex(({ optional }) => optional);
  const when = (at: number, statement: string): string =>
    bits[at] === 0 ? statement : `if (has & ${bits[at]}) ${statement}`;
  const keys = fields.map(({ key }) => literal(key));
  return numberedRecord(parts, `presence(value, ${keysName(name)}, ${bitsName})`, {
    constants: { [keysName(name)]: keys, [bitsName]: bits.map(String) },
    write: fields.map((field, at) => when(at, write(field, `record${member(field.key)}`))),
    mark: 'has',
    read: [
      `if (!(has >= 0)) return ${otherwise(name, 'has')};`,
      `const record = ${object(fields.slice(0, first), read, 20)}/*as ${name} */;`,
      ...fields.slice(first).map((field, at) => when(first + at, setting(field.key, read(field)))),
      'return record;',
    ],
  });
}
