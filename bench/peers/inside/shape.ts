/** The shape of a sample, as someone would write a schema for it: for formats that need one. */
export type Scalar = 'bool' | 'int32' | 'double' | 'string';

export type Shape =
  /** Nothing but null. */
  | { kind: 'nothing' }
  | { kind: 'scalar'; type: Scalar }
  | { kind: 'list'; item: Shape }
  | { kind: 'record'; fields: Map<string, Shape> }
  /** Many keys, values of one shape. */
  | { kind: 'dictionary'; value: Shape };

const MANY_KEYS = 50;

type Plain = Record<string, unknown>;

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'list' : typeof value;
}

const isInt32 = (value: unknown) => value === ((value as number) | 0) && !Object.is(value, -0);

function numbers(values: readonly unknown[]): Shape {
  return { kind: 'scalar', type: values.every(isInt32) ? 'int32' : 'double' };
}

function lists(values: readonly unknown[], path: string): Shape {
  const items = (values as unknown[][]).flat();
  if (items.some((item) => item === null)) throw new Error(`null in the list ${path}`);
  return { kind: 'list', item: shapeOf(items, `${path}[]`) };
}

function objects(values: readonly unknown[], path: string): Shape {
  const byKey = new Map<string, unknown[]>();
  for (const value of values as Plain[])
    for (const [key, part] of Object.entries(value)) {
      const seen = byKey.get(key);
      if (seen) seen.push(part);
      else byKey.set(key, [part]);
    }
  const parts = [...byKey.values()].flat();
  if (byKey.size > MANY_KEYS && new Set(parts.map(kindOf)).size === 1)
    return { kind: 'dictionary', value: shapeOf(parts, `${path}.*`) };
  const fields = [...byKey].map(([key, part]) => [key, shapeOf(part, `${path}.${key}`)] as const);
  return { kind: 'record', fields: new Map(fields) };
}

/** Of all the values that a place of the sample has. */
export function shapeOf(values: readonly unknown[], path = '$'): Shape {
  const present = values.filter((value) => value !== null && value !== undefined);
  const kinds = [...new Set(present.map(kindOf))];
  if (kinds.length > 1) throw new Error(`${kinds.join(' and ')} at ${path}`);
  switch (kinds[0]) {
    case undefined:
      return { kind: 'nothing' };
    case 'list':
      return lists(present, path);
    case 'object':
      return objects(present, path);
    case 'number':
      return numbers(present);
    case 'boolean':
      return { kind: 'scalar', type: 'bool' };
    default:
      return { kind: 'scalar', type: 'string' };
  }
}
