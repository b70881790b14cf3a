/** Functions for lists, dictionaries, Maps and Sets, and for places where values of several kinds stand. */
import { indent } from '../code/javascript.ts';

/** A container, and the code for what it holds. */
export interface ContainerParts {
  /** `Orders` */
  name: string;
  /** TypeScript of the container. */
  type: string;
  /** Statement that writes one of its values; `key`: of a dictionary or Map. */
  write(value: string): string;
  read: string;
  writeKey?(value: string): string;
  readKey?: string;
}

export interface FunctionCode {
  writer: string;
  reader: string;
  helpers: string[];
}

const WRITES = ['writeOther'];
const READS = ['isLength', 'nextInt', 'readOther'];

const writerOf = (name: string, test: string, lines: readonly string[]): string =>
  `function write${name}(value/*: unknown */, path/*: string */, known = '')/*: void */ {
  if (!${test}) return writeOther(value, path, known);
${indent(lines.join('\n'))}
}`;

const readerOf = ({ name, type }: ContainerParts, empty: string, add: string): string =>
  `function read${name}()/*: ${type} */ {
  const length = nextInt();
  if (!isLength(length)) return readOther(length)/*as ${type} */;
  const all/*: ${type} */ = ${empty};
  for (let left = length; left > 0; left--) ${add}
  return all;
}`;

export const listCode = (parts: ContainerParts): FunctionCode => ({
  writer: writerOf(parts.name, 'isList(value)', [
    'ints[i++] = value.length;',
    `for (let at = 0; at < value.length; at++) ${parts.write('value[at]')}`,
  ]),
  reader: readerOf(parts, '[]', `all.push(${parts.read});`),
  helpers: ['isList', ...WRITES, ...READS],
});

export const dictionaryCode = (parts: ContainerParts): FunctionCode => ({
  writer: writerOf(parts.name, 'isPlain(value)', [
    'const object = value/*as Record<string, unknown> */;',
    'const keys = Object.keys(object);',
    'ints[i++] = keys.length;',
    'for (const key of keys) {',
    '  ints[i++] = key.length;',
    '  text += key;',
    `  ${parts.write('object[key]')}`,
    '}',
  ]),
  reader: readerOf(parts, '{}', `setKey(all, nextKey(), ${parts.read});`),
  helpers: ['isPlain', 'nextKey', 'setKey', ...WRITES, ...READS],
});

/** Lists of keys are sent once. */
export const repeatingDictionaryCode = (parts: ContainerParts): FunctionCode => ({
  writer: writerOf(parts.name, 'isPlain(value)', [
    'writeKeys(value/*as object */);',
    `for (const one of Object.values(value/*as object */)) ${parts.write('one')}`,
  ]),
  reader: `function read${parts.name}()/*: ${parts.type} */ {
  const index = nextInt();
  if (!(index >= 0)) return readOther(index)/*as ${parts.type} */;
  const all/*: ${parts.type} */ = {};
  for (const key of readKeys(index)) setKey(all, key, ${parts.read});
  return all;
}`,
  helpers: ['isPlain', 'writeKeys', 'readKeys', 'setKey', 'nextInt', ...WRITES, 'readOther'],
});

export const mapCode = (parts: ContainerParts): FunctionCode => ({
  writer: writerOf(parts.name, '(value instanceof Map)', [
    'ints[i++] = value.size;',
    'for (const [key, one] of value) {',
    `  ${parts.writeKey!('key')}`,
    `  ${parts.write('one')}`,
    '}',
  ]),
  reader: readerOf(parts, 'new Map()', `all.set(${parts.readKey}, ${parts.read});`),
  helpers: [...WRITES, ...READS],
});

export const setCode = (parts: ContainerParts): FunctionCode => ({
  writer: writerOf(parts.name, '(value instanceof Set)', [
    'ints[i++] = value.size;',
    `for (const one of value) ${parts.write('one')}`,
  ]),
  reader: readerOf(parts, 'new Set()', `all.add(${parts.read});`),
  helpers: [...WRITES, ...READS],
});

/** One of several kinds: which, then the value. */
export interface UnionPart {
  /** Condition on `value`. */
  test: string;
  write: string;
  read: string;
}

export const unionCode = (name: string, type: string, parts: readonly UnionPart[]): FunctionCode => {
  const tests = parts.map(({ test, write }, at) => [
    `${at === 0 ? '' : '} else '}if (${test}) {`,
    `  ints[i++] = ${at};`,
    `  ${write}`,
  ]);
  const reads = parts.map(({ read }, at) => `if (kind === ${at}) return ${read};`);
  return {
    writer: `function write${name}(value/*: unknown */, path/*: string */, known = '')/*: void */ {
${indent([...tests.flat(), '} else writeOther(value, path, known);'].join('\n'))}
}`,
    reader: `function read${name}()/*: ${type} */ {
${indent(['const kind = nextInt();', ...reads, `return readOther(kind)/*as ${type} */;`].join('\n'))}
}`,
    helpers: ['writeOther', 'readOther', 'nextInt'],
  };
};
