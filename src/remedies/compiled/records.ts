import type { RecordField, RecordType } from '../../model/rules/payload-schema.ts';
import { indent, listed, literal, member, propertyName } from '../code/javascript.ts';

/** What the functions of a record are made of. */
export interface RecordParts {
  /** `Order` */
  name: string;
  record: RecordType;
  /** Statement that writes the value of a field. */
  write(field: RecordField, value: string): string;
  /** Expression that reads it. */
  read(field: RecordField): string;
  /** TypeScript of what stands where the record does. */
  type: string;
  /** Of values at other keys: what comes after `write` and `read`. */
  loose: string | null;
}

/** Functions for both directions, and the helpers that they call. */
export interface FunctionCode {
  text: string;
  helpers: string[];
}

const upperCase = (name: string): string => name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, '_').toUpperCase();
const keysName = (name: string): string => `${upperCase(name)}_KEYS`;
const bitsName = (name: string): string => `${upperCase(name)}_BITS`;

export function recordCode(parts: RecordParts): FunctionCode {
  const { layouts, loose } = parts.record;
  if (loose !== undefined) return openRecord(parts);
  if (layouts === undefined) return byPresence(parts);
  return layouts.length === 1 ? oneLayout(parts) : severalLayouts(parts);
}

const constant = (name: string, items: readonly string[]): string => listed(`const ${name} = [`, items, '];');

const writerOf = (name: string, body: readonly string[]): string =>
  `function write${name}(value/*: unknown */, path/*: string */, known = '')/*: void */ {
${indent(body.join('\n'))}
}`;

const readerOf = ({ name, type }: RecordParts, body: readonly string[]): string =>
  `function read${name}()/*: ${type} */ {
${indent(body.join('\n'))}
}`;

const misfit = (condition: string): string => `if (${condition}) return writeOther(value, path, known);`;

const otherwise = ({ type }: RecordParts, mark: string): string => `readOther(${mark})/*as ${type} */`;

const helpersOf = (test: string): string[] => [test, 'writeOther', 'readOther', 'nextInt'];

const inOrder = (...parts: string[]): string => parts.join('\n\n');

const object = (fields: readonly RecordField[], read: RecordParts['read'], margin: number): string =>
  fields.length === 0
    ? '{}'
    : listed(
        '{ ',
        fields.map((field) => `${propertyName(field.key)}: ${read(field)}`),
        ' }',
        margin,
      );

function oneLayout(parts: RecordParts): FunctionCode {
  const { name, record, write, read } = parts;
  const { fields } = record;
  const keys = keysName(name);
  const body = [
    misfit(`!fits/*<${name}> */(value, ${keys})`),
    'ints[i++] = 0;',
    ...fields.map((field) => write(field, `value${member(field.key)}`)),
  ];
  const back = [
    'const mark = nextInt();',
    `if (mark !== 0) return ${otherwise(parts, 'mark')};`,
    `return ${object(fields, read, 10)};`,
  ];
  return {
    text: inOrder(
      constant(
        keys,
        fields.map(({ key }) => literal(key)),
      ),
      writerOf(name, body),
      readerOf(parts, back),
    ),
    helpers: helpersOf('fits'),
  };
}

/** When a field is there, by layouts; null where it always is. */
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

function severalLayouts(parts: RecordParts): FunctionCode {
  const { name, record, read } = parts;
  const { fields, layouts = [] } = record;
  const keys = keysName(name);
  const lists = layouts.map((one) => `[${one.map((at) => literal(fields[at]!.key)).join(', ')}]`);
  const body = [
    `const layout = layoutOf(value, ${keys});`,
    misfit('layout < 0'),
    `const record = value/*as ${name} */;`,
    'ints[i++] = layout;',
    ...layoutLines(parts),
  ];
  const back = [
    'const layout = nextInt();',
    ...layouts.map((one, layout) => {
      const fieldsOf = one.map((at) => fields[at]!);
      return `if (layout === ${layout}) return ${object(fieldsOf, read, 30)};`;
    }),
    `return ${otherwise(parts, 'layout')};`,
  ];
  return {
    text: inOrder(constant(keys, lists), writerOf(name, body), readerOf(parts, back)),
    helpers: helpersOf('layoutOf'),
  };
}

/** Statement that sets a key of `record`. */
const setting = (key: string, value: string): string =>
  key === '__proto__' ? `setKey(record, '__proto__', ${value});` : `record${member(key)} = ${value};`;

/** A bit for each optional key, 0 for the others. */
function bitsOf(fields: readonly RecordField[]): number[] {
  let next = 1;
  return fields.map(({ optional }) => {
    const bit = optional ? next : 0;
    if (optional) next *= 2;
    return bit;
  });
}

/** Required keys before the first optional one are in one literal; the others are set in their order. */
function byPresence(parts: RecordParts): FunctionCode {
  const { name, record, write, read } = parts;
  const { fields } = record;
  const [keys, bits] = [keysName(name), bitsOf(fields)];
  const first = fields.findIndex(({ optional }) => optional);
  const when = (at: number, statement: string): string =>
    bits[at] === 0 ? statement : `if (has & ${bits[at]}) ${statement}`;
  const body = [
    `const has = presence(value, ${keys}, ${bitsName(name)});`,
    misfit('has < 0'),
    `const record = value/*as ${name} */;`,
    'ints[i++] = has;',
    ...fields.map((field, at) => when(at, write(field, `record${member(field.key)}`))),
  ];
  const back = [
    'const has = nextInt();',
    `if (!(has >= 0)) return ${otherwise(parts, 'has')};`,
    `const record = ${object(fields.slice(0, first), read, 20)}/*as ${name} */;`,
    ...fields.slice(first).map((field, at) => when(first + at, setting(field.key, read(field)))),
    'return record;',
  ];
  return {
    text: inOrder(
      constant(
        keys,
        fields.map(({ key }) => literal(key)),
      ),
      constant(bitsName(name), bits.map(String)),
      writerOf(name, body),
      readerOf(parts, back),
    ),
    helpers: [...helpersOf('presence'), ...(fields.some(({ key }) => key === '__proto__') ? ['setKey'] : [])],
  };
}

/** A dictionary in which some keys, sent as negative numbers, have values of a type of their own. */
function openRecord(parts: RecordParts): FunctionCode {
  const { name, record, write, read, loose } = parts;
  const { fields } = record;
  const body = [
    misfit('!isPlain(value)'),
    'const keys = Object.keys(value);',
    'ints[i++] = keys.length;',
    'for (const key of keys) {',
    ...fields.flatMap((field, at) => [
      `  ${at === 0 ? '' : '} else '}if (key === ${literal(field.key)}) {`,
      `    ints[i++] = ${-1 - at};`,
      `    ${write(field, `value${member(field.key)}`)}`,
    ]),
    '  } else {',
    '    ints[i++] = key.length;',
    '    text += key;',
    `    write${loose}(value[key], path);`,
    '  }',
    '}',
  ];
  const back = [
    'const length = nextInt();',
    `if (!isLength(length)) return ${otherwise(parts, 'length')};`,
    `const record/*: ${name} */ = {};`,
    'for (let left = length; left > 0; left--) {',
    '  const key = nextInt();',
    ...fields.map(
      (field, at) => `  ${at === 0 ? '' : 'else '}if (key === ${-1 - at}) ${setting(field.key, read(field))}`,
    ),
    `  else setKey(record, nextText(key), read${loose}());`,
    '}',
    'return record;',
  ];
  return {
    text: inOrder(writerOf(name, body), readerOf(parts, back)),
    helpers: [...helpersOf('isPlain'), 'isLength', 'nextText', 'setKey'],
  };
}
