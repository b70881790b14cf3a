import type { RecordField, RecordType } from '../../model/documents/payload-schema.ts';
import { indent, listed, member, propertyName } from '../code/javascript.ts';

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
  /** Code for values at other keys: what comes after `write` and `read`. */
  loose: string | null;
}

/** Functions for both directions, and the helpers that they call. */
export interface FunctionCode {
  text: string;
  helpers: string[];
}

export const constant = (name: string, items: readonly string[]): string =>
  listed(`const ${name} = [`, items, '];');

export const writerOf = (name: string, body: readonly string[]): string =>
  `function write${name}(value/*: unknown */, path/*: string */, known = '')/*: void */ {
${indent(body.join('\n'))}
}`;

export const readerOf = ({ name, type }: RecordParts, body: readonly string[]): string =>
  `function read${name}()/*: ${type} */ {
${indent(body.join('\n'))}
}`;

export const misfit = (condition: string): string =>
  `if (${condition}) return writeOther(value, path, known);`;

export const otherwise = ({ type }: RecordParts, mark: string): string => `readOther(${mark})/*as ${type} */`;

export const helpersOf = (test: string): string[] => [test, 'writeOther', 'readOther', 'nextInt'];

export const inOrder = (...parts: string[]): string => parts.join('\n\n');

export const object = (fields: readonly RecordField[], read: RecordParts['read'], margin: number): string =>
  fields.length === 0
    ? '{}'
    : listed(
        '{ ',
        fields.map((field) => `${propertyName(field.key)}: ${read(field)}`),
        ' }',
        margin,
      );

/** Statement that sets a key of `record`. */
export const setting = (key: string, value: string): string =>
  key === '__proto__' ? `setKey(record, '__proto__', ${value});` : `record${member(key)} = ${value};`;
