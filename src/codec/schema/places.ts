/** Finds the places of a schema, and describes the values that may occur there. */
import type { NumbersFacts, PayloadSchema, ValueType } from '../../model/documents/payload-schema.ts';
import { keyText } from '../../value/read/paths.ts';

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

interface TypePlace {
  type: number;
  path: string;
}

/** Types of the contents of values, except fields, and the steps to them: `[*]`, `{key}`. */
export function insideOf({ list, dictionary, set, map }: ValueType): { type: number; step: string }[] {
  const all = [
    [list, '[*]'],
    [dictionary, '.*'],
    [set, '{member}'],
    [map?.[0], '{key}'],
    [map?.[1], '{value}'],
  ] as const;
  return all.flatMap(([type, step]) => (type === undefined ? [] : [{ type, step }]));
}

/** Paths of all places with a wanted type, breadth first. The contents of a type are entered only once. */
export function placesOf(schema: PayloadSchema, isWanted: (type: ValueType) => boolean): string[] {
  const places: TypePlace[] = [{ type: 0, path: '$' }];
  const entered = new Set<number>();
  const found: string[] = [];
  for (const { type: at, path } of places) {
    const type = schema.types[at]!;
    if (isWanted(type)) found.push(path);
    if (entered.has(at)) continue;
    entered.add(at);
    places.push(...below(type, schema, path));
  }
  return found;
}

function below(type: ValueType, { records }: PayloadSchema, path: string): TypePlace[] {
  const { fields = [], loose } = type.record === undefined ? {} : records[type.record]!;
  return [
    ...insideOf(type).map(({ type: at, step }) => ({ type: at, path: path + step })),
    ...(loose === undefined ? [] : [{ type: loose, path: `${path}.*` }]),
    ...fields.map(({ key, type: at }) => ({ type: at, path: path + keyText(key) })),
  ];
}
