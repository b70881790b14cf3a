import type { RecordField } from '../../model/documents/payload-schema.ts';
import { literal, member } from '../code/javascript.ts';
import { upperCase } from './naming.ts';
import { openRecord } from './open-records.ts';
import {
  constant,
  type FunctionCode,
  helpersOf,
  inOrder,
  misfit,
  object,
  otherwise,
  type RecordParts,
  readerOf,
  setting,
  writerOf,
} from './record-parts.ts';

const keysName = (name: string): string => `${upperCase(name)}_KEYS`;
const bitsName = (name: string): string => `${upperCase(name)}_BITS`;

export function recordCode(parts: RecordParts): FunctionCode {
  const { layouts, loose } = parts.record;
  if (loose !== undefined) return openRecord(parts);
  if (layouts === undefined) return byPresence(parts);
  return layouts.length === 1 ? oneLayout(parts) : severalLayouts(parts);
}

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
