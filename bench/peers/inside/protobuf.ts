/** protobufjs with a schema made from the sample: each place a message type of its own. */
import protobuf from 'protobufjs';
import { type Shape, shapeOf } from './shape.ts';
import { byBytes, type OpenWay } from './way.ts';

type Convert = (value: unknown) => unknown;
type Plain = Record<string, unknown>;

/** A type of field, and how values get in and out of it; null: as they are. */
interface Fitted {
  type: string;
  rule: 'optional' | 'repeated' | 'map';
  wrap: Convert | null;
  unwrap: Convert | null;
}

const asItIs: Convert = (value) => value;
const SCALARS = { bool: 'bool', int32: 'sint32', double: 'double', string: 'string' } as const;

function addField(parent: protobuf.Type, name: string, { type, rule }: Fitted): void {
  const id = parent.fieldsArray.length + 1;
  // Of an optional scalar that was not sent, null is read; without this its zero.
  if (rule === 'optional') parent.add(new protobuf.Field(name, id, type, rule, { proto3_optional: true }));
  else if (rule === 'map') parent.add(new protobuf.MapField(name, id, 'string', type));
  else parent.add(new protobuf.Field(name, id, type, rule));
}

class Schema {
  readonly root = new protobuf.Root();

  fitted(shape: Shape): Fitted {
    if (shape.kind === 'record') return this.record(shape.fields);
    if (shape.kind === 'list') return this.many('repeated', shape.item, eachItem);
    if (shape.kind === 'dictionary') return this.many('map', shape.value, eachValue);
    const type = shape.kind === 'scalar' ? SCALARS[shape.type] : 'string';
    return { type, rule: 'optional', wrap: null, unwrap: null };
  }

  /** A message of one field: lists of lists are not in the format. */
  boxed(inner: Fitted): Fitted {
    if (inner.rule === 'optional') return inner;
    const type = this.newType();
    addField(type, 'all', inner);
    const { wrap = asItIs, unwrap = asItIs } = { wrap: inner.wrap ?? asItIs, unwrap: inner.unwrap ?? asItIs };
    return {
      type: type.name,
      rule: 'optional',
      wrap: (value) => ({ all: wrap(value) }),
      unwrap: (box) => unwrap((box as Plain).all),
    };
  }

  private many(rule: 'repeated' | 'map', part: Shape, each: (convert: Convert) => Convert): Fitted {
    const { type, wrap, unwrap } = this.boxed(this.fitted(part));
    return { type, rule, wrap: wrap && each(wrap), unwrap: unwrap && each(unwrap) };
  }

  private record(fields: ReadonlyMap<string, Shape>): Fitted {
    const type = this.newType();
    const converted: [string, Fitted][] = [];
    for (const [key, shape] of fields) {
      if (shape.kind === 'nothing') continue;
      const field = this.fitted(shape);
      addField(type, key, field);
      if (field.wrap) converted.push([key, field]);
    }
    const isPlain = converted.length === 0;
    return {
      type: type.name,
      rule: 'optional',
      wrap: isPlain ? null : (value) => withFields({ ...(value as Plain) }, converted, 'wrap'),
      // What was decoded is nobody else's.
      unwrap: isPlain ? null : (value) => withFields(value as Plain, converted, 'unwrap'),
    };
  }

  private newType(): protobuf.Type {
    const type = new protobuf.Type(`Type${this.root.nestedArray.length}`);
    this.root.add(type);
    return type;
  }
}

const eachItem =
  (convert: Convert): Convert =>
  (list) =>
    (list as unknown[]).map(convert);

const eachValue =
  (convert: Convert): Convert =>
  (object) =>
    Object.fromEntries(Object.entries(object as Plain).map(([key, value]) => [key, convert(value)]));

function withFields(record: Plain, fields: readonly [string, Fitted][], way: 'wrap' | 'unwrap'): Plain {
  for (const [key, field] of fields) {
    const value = record[key];
    if (Object.hasOwn(record, key) && value !== null) record[key] = field[way]?.(value);
  }
  return record;
}

export const protobufjs: OpenWay = (value) => {
  const schema = new Schema();
  const { type, wrap, unwrap } = schema.boxed(schema.fitted(shapeOf([value])));
  const root = schema.root.lookupType(type);
  return byBytes(
    'protobufjs',
    (payload) => root.encode((wrap ?? asItIs)(payload) as Plain).finish(),
    (bytes) => (unwrap ?? asItIs)(root.decode(bytes)),
    true,
  );
};
