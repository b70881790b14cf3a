import type { RecordField, RecordType } from '../../model/documents/payload-schema.ts';
import { indent, listCode, literal, member, propertyName } from '../code/javascript.ts';
import { upperCase } from './naming.ts';
import type { FunctionCode } from './way.ts';

/** What the functions of a record are made of. */
interface RecordParts {
  /** `Order`: also what stands where the record does, in TypeScript. */
  name: string;
  record: RecordType;
  /** Statement that writes the value of a field. */
  write(field: RecordField, value: string): string;
  /** Expression that reads it. */
  read(field: RecordField): string;
  /** Code for values at other keys: what comes after `write` and `read`. */
  loose: string | null;
}

/** Statements of both functions, the constants before them, and the helper that tests a value. */
interface RecordBodies {
  constants?: Readonly<Record<string, readonly string[]>>;
  write: readonly string[];
  read: readonly string[];
  helpers: readonly string[];
}

const recordFunctions = (
  name: string,
  { constants = {}, write, read, helpers }: RecordBodies,
): FunctionCode => ({
  text: [
    ...Object.entries(constants).map(([constant, items]) => listCode(`const ${constant} = [`, items, '];')),
    `function write${name}(value/*: unknown */, path/*: string */, known = '')/*: void */ {
${indent(write.join('\n'))}
}`,
    `function read${name}()/*: ${name} */ {
${indent(read.join('\n'))}
}`,
  ].join('\n\n'),
  helpers: [...helpers, 'writeOther', 'readOther', 'nextInt'],
});

const misfit = (condition: string): string => `if (${condition}) return writeOther(value, path, known);`;

const otherwise = (name: string, mark: string): string => `readOther(${mark})/*as ${name} */`;

function object(fields: readonly RecordField[], read: RecordParts['read'], margin: number): string {
  const members = fields.map((field) => `${propertyName(field.key)}: ${read(field)}`);
  return fields.length === 0 ? '{}' : listCode('{ ', members, ' }', margin);
}

/** Statement that sets a key of `record`. */
const setting = (key: string, value: string): string =>
  key === '__proto__' ? `setKey(record, '__proto__', ${value});` : `record${member(key)} = ${value};`;

const keysName = (name: string): string => `${upperCase(name)}_KEYS`;

export function recordCode(parts: RecordParts): FunctionCode {
  const { layouts, loose } = parts.record;
  if (loose !== undefined) return openRecord(parts);
  if (layouts === undefined) return recordByPresence(parts);
  return layouts.length === 1 ? recordOfOneLayout(parts) : recordOfLayouts(parts);
}

/** A dictionary in which some keys, sent as negative numbers, have values of a type of their own. */
function openRecord({ name, record: { fields }, write, read, loose }: RecordParts): FunctionCode {
  return recordFunctions(name, {
    write: [
      misfit('!inheritsNone(value)'),
      'const start = i++;',
      'let length = 0;',
      'for (const key in value) {',
      '  length++;',
      ...fields.flatMap((field, at) => [
        `  ${at === 0 ? '' : '} else '}if (key === ${literal(field.key)}) {`,
        `    ints[i++] = ${-1 - at};`,
        `    ${write(field, `value${member(field.key)}`)}`,
      ]),
      '  } else {',
      '    ints[i++] = key.length;',
      '    text += key;',
      `    write${loose}(value[key], path + '.*');`,
      '  }',
      '}',
      'ints[start] = length;',
    ],
    read: [
      'const length = nextInt();',
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
    helpers: ['inheritsNone', 'isLength', 'nextText', 'setKey'],
  });
}

function recordOfOneLayout({ name, record: { fields }, write, read }: RecordParts): FunctionCode {
  const keys = fields.map(({ key }) => literal(key));
  return recordFunctions(name, {
    constants: { [keysName(name)]: keys },
    write: [
      misfit(`!fits/*<${name}> */(value, ${keysName(name)})`),
      'ints[i++] = 0;',
      ...fields.map((field) => write(field, `value${member(field.key)}`)),
    ],
    read: [
      'const mark = nextInt();',
      `if (mark !== 0) return ${otherwise(name, 'mark')};`,
      `return ${object(fields, read, 10)};`,
    ],
    helpers: ['fits'],
  });
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

function recordOfLayouts(parts: RecordParts): FunctionCode {
  const { name, record, read } = parts;
  const layouts = (record.layouts ?? []).map((one) => one.map((at) => record.fields[at]!));
  const keys = layouts.map((fields) => `[${fields.map(({ key }) => literal(key)).join(', ')}]`);
  return recordFunctions(name, {
    constants: { [keysName(name)]: keys },
    write: [
      `const layout = layoutOf(value, ${keysName(name)});`,
      misfit('layout < 0'),
      `const record = value/*as ${name} */;`,
      'ints[i++] = layout;',
      ...layoutLines(parts),
    ],
    read: [
      'const layout = nextInt();',
      ...layouts.map((fields, layout) => `if (layout === ${layout}) return ${object(fields, read, 30)};`),
      `return ${otherwise(name, 'layout')};`,
    ],
    helpers: ['layoutOf'],
  });
}

/**
 * A bit says of each optional key whether it is there. Required keys before the first optional one are in one literal; the others
 * are set in their order.
 */
function recordByPresence({ name, record: { fields }, write, read }: RecordParts): FunctionCode {
  const bitsName = `${upperCase(name)}_BITS`;
  const optional = fields.filter((field) => field.optional);
  const bits = fields.map((field) => (field.optional ? 2 ** optional.indexOf(field) : 0));
  const first = fields.findIndex(({ optional }) => optional);
  const when = (at: number, statement: string): string =>
    bits[at] === 0 ? statement : `if (has & ${bits[at]}) ${statement}`;
  const keys = fields.map(({ key }) => literal(key));
  return recordFunctions(name, {
    constants: { [keysName(name)]: keys, [bitsName]: bits.map(String) },
    write: [
      `const has = presence(value, ${keysName(name)}, ${bitsName});`,
      misfit('has < 0'),
      `const record = value/*as ${name} */;`,
      'ints[i++] = has;',
      ...fields.map((field, at) => when(at, write(field, `record${member(field.key)}`))),
    ],
    read: [
      'const has = nextInt();',
      `if (!(has >= 0)) return ${otherwise(name, 'has')};`,
      `const record = ${object(fields.slice(0, first), read, 20)}/*as ${name} */;`,
      ...fields.slice(first).map((field, at) => when(first + at, setting(field.key, read(field)))),
      'return record;',
    ],
    helpers: keys.includes(literal('__proto__')) ? ['presence', 'setKey'] : ['presence'],
  });
}
