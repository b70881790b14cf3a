/** What may stand at a place, in words. */
import type { NumbersFacts, ValueType } from '../../model/documents/payload-schema.ts';

function numbersWords({ int32, length }: NumbersFacts): string {
  const what = int32 ? 'integers' : 'numbers';
  return length === undefined ? `a list of ${what}` : `a list of ${length} ${what}`;
}

/** "an integer or null" */
export function kindWords(type: ValueType): string {
  const words = [
    type.text && 'a text',
    type.number && (type.number === 'int32' ? 'an integer' : 'a number'),
    type.boolean && 'a boolean',
    type.bigint && 'a bigint',
    type.date && 'a Date',
    type.numbers && numbersWords(type.numbers),
    type.list !== undefined && 'a list',
    type.record !== undefined && 'a record',
    type.dictionary !== undefined && 'a dictionary',
    type.map && 'a Map',
    type.set !== undefined && 'a Set',
    ...(type.bytes ?? []).map((name) => `a whole ${name}`),
    type.rest && 'something that only a clone keeps',
    type.null && 'null',
    type.undefined && 'undefined',
  ].filter((word) => typeof word === 'string');
  return words.length === 0 ? 'never there' : words.join(' or ');
}
