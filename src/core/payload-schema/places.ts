/** Where the types of a schema stand. */
import type { PayloadSchema, ValueType } from '../../model/documents/payload-schema.ts';
import { keyText } from '../paths.ts';

interface TypePlace {
  type: number;
  path: string;
}

/** Paths of all places whose type is such, breadth first. What is below a type is entered once, wherever it stands. */
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

function below({ list, dictionary, set, map, record }: ValueType, { records }: PayloadSchema, path: string) {
  const { fields = [], loose } = record === undefined ? {} : records[record]!;
  const inside = [
    [list, '[*]'],
    [dictionary, '.*'],
    [set, '{member}'],
    [map?.[0], '{key}'],
    [map?.[1], '{value}'],
    [loose, '.*'],
  ] as const;
  return [
    ...inside.flatMap(([type, step]): TypePlace[] =>
      type === undefined ? [] : [{ type, path: path + step }],
    ),
    ...fields.map(({ key, type }): TypePlace => ({ type, path: path + keyText(key) })),
  ];
}
