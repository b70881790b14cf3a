/** Places of a schema: the values that may occur there in words, and the changes between two schemas, place by place. */
import type {
  NumbersFacts,
  PayloadSchema,
  RecordField,
  RecordType,
  ValueType,
} from '../../model/documents/payload-schema.ts';
import { keyText } from '../../value/read/paths.ts';

const numbersWords = ({ int32, length }: NumbersFacts): string =>
  `a list of ${length === undefined ? '' : `${length} `}${int32 ? 'integers' : 'numbers'}`;

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
    ...(type.bytes ?? []),
    type.rest && 'something that only a clone keeps',
    type.null && 'null',
    type.undefined && 'undefined',
  ].filter((word) => typeof word === 'string');
  return words.length === 0 ? 'never there' : words.join(' or ');
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
  const places = [{ type: 0, path: '$' }];
  const entered = new Set<number>();
  const found: string[] = [];
  for (const { type: at, path } of places) {
    const type = schema.types[at]!;
    if (isWanted(type)) found.push(path);
    if (entered.has(at)) continue;
    entered.add(at);
    const { fields = [], loose } = type.record === undefined ? {} : schema.records[type.record]!;
    for (const { type: inner, step } of insideOf(type)) places.push({ type: inner, path: path + step });
    if (loose !== undefined) places.push({ type: loose, path: `${path}.*` });
    for (const { key, type: inner } of fields) places.push({ type: inner, path: path + keyText(key) });
  }
  return found;
}

export interface SchemaChange {
  path: string;
  /** "is new", "was an integer, is a number" */
  what: string;
}

type ComparedType = Record<'before' | 'now', number> & { path: string };

/** Returns the changes, breadth first; [] if both schemas have the same structure. */
export function schemaChanges(before: PayloadSchema, now: PayloadSchema): SchemaChange[] {
  const changes: SchemaChange[] = [];
  const places: ComparedType[] = [{ before: 0, now: 0, path: '$' }];
  /** Pairs of types whose contents were compared. Each pair is entered once, because records may contain themselves. */
  const entered = new Set<string>();
  for (const place of places) {
    const [old, own] = [before.types[place.before]!, now.types[place.now]!];
    const [was, is] = [kindWords(old), kindWords(own)];
    if (was !== is) changes.push({ path: place.path, what: `was ${was}, is ${is}` });
    const pair = `${place.before}:${place.now}`;
    if (entered.has(pair)) continue;
    entered.add(pair);
    places.push(...containedIn(old, own, place.path));
    if (old.record === undefined || own.record === undefined) continue;
    const records = recordChanges(before.records[old.record]!, now.records[own.record]!, place.path);
    changes.push(...records.changes);
    places.push(...records.places);
  }
  return changes;
}

const containedIn = (old: ValueType, own: ValueType, path: string): ComparedType[] =>
  insideOf(old).flatMap(({ type: before, step }) =>
    insideOf(own).flatMap((one) => (one.step === step ? [{ before, now: one.type, path: path + step }] : [])),
  );

function recordChanges(old: RecordType, own: RecordType, path: string) {
  const fieldsOf = ({ fields }: RecordType) => new Map(fields.map((field) => [field.key, field]));
  const [before, now] = [fieldsOf(old), fieldsOf(own)];
  const at = (key: string) => path + keyText(key);
  const changes = [...new Set([...before.keys(), ...now.keys()])].flatMap((key) => {
    const what = presenceChange(before.get(key), now.get(key));
    return what === null ? [] : [{ path: at(key), what }];
  });
  const places = own.fields.flatMap(({ key, type }) => {
    const was = before.get(key);
    return was === undefined ? [] : [{ before: was.type, now: type, path: at(key) }];
  });
  if (old.loose !== undefined && own.loose !== undefined)
    places.push({ before: old.loose, now: own.loose, path: `${path}.*` });
  if (changes.length === 0 && combinations(old) !== combinations(own))
    changes.push({ path, what: 'has its keys in another order, or other combinations' });
  return { changes, places };
}

/** Null if the field is there as often as before. */
function presenceChange(was: RecordField | undefined, now: RecordField | undefined): string | null {
  if (now === undefined) return 'is gone';
  if (was === undefined) return now.optional ? 'is new, and may be missing' : 'is new';
  if (was.optional === now.optional) return null;
  return now.optional ? 'was always there, may be missing' : 'could be missing, is always there';
}

/** Lists of keys that occur in objects, as one text. Records with further keys do not have a fixed order. */
function combinations({ fields, layouts, loose }: RecordType): string {
  if (loose !== undefined) return 'any';
  const lists = (layouts ?? [fields.map((_, at) => at)]).map((layout) =>
    JSON.stringify(layout.map((at) => fields[at]!.key)),
  );
  return `${layouts === undefined ? 'any of' : ''}${lists.sort().join()}`;
}
