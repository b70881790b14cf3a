import { literal, member } from '../code/javascript.ts';
import {
  type FunctionCode,
  helpersOf,
  inOrder,
  misfit,
  otherwise,
  type RecordParts,
  readerOf,
  setting,
  writerOf,
} from './record-parts.ts';

/** A dictionary in which some keys, sent as negative numbers, have values of a type of their own. */
export function openRecord(parts: RecordParts): FunctionCode {
  const { name, record, write, read, loose } = parts;
  const { fields } = record;
  const body = [
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
    helpers: [...helpersOf('inheritsNone'), 'isLength', 'nextText', 'setKey'],
  };
}
