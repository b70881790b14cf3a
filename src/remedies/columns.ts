import { parsePath } from '../core/paths.ts';
import type { EngineName } from '../model/names.ts';
import type { Assumption, Plan, ProposalFacts, Remedy } from '../model/rules/remedy.ts';
import type { Shape } from '../model/rules/shape.ts';
import { indent, listed, literal, member, propertyName } from './code/javascript.ts';
import { guardsIn } from './code/records.ts';
import { type RemedyCode, remedyFromCode } from './code/remedy-from-code.ts';
import { declareFromMessage, declareToMessage } from './code/rewrite.ts';
import { TableCode } from './code/table.ts';
import { LANES, type LaneName } from './code/table-lanes.ts';
import { callsOf } from './code/target-trie.ts';
import { assumptionsOf } from './facts/assumptions.ts';
import { type Field, fieldsAt, type Leaf, leavesOf, richLeaves } from './facts/fields.ts';
import { ShapeIndex } from './facts/shape-index.ts';
import { tablesOf } from './facts/tables.ts';

/**
 * cells: all values in one array, which Bun hands over in memory when they are scalars. typed: the same, with the numbers
 * in a typed array.
 */
type Form = 'cells' | 'typed';

interface ColumnsPlan extends Plan {
  fields: Field[];
  form: Form;
}

/**
 * Best first, as measured. V8 writes every key of every object, but a typed array in one memcpy. Bun hands a flat root
 * array of scalars over in memory; where it has to serialize anyway, typed arrays are the least work.
 */
function formsFor(engine: EngineName, path: string, leaves: readonly Leaf[], isFlat: boolean): Form[] {
  const numbers = leaves.filter((leaf) => leaf.type !== undefined).length;
  if (numbers === 0) return ['cells'];
  if (engine !== 'jsc') return numbers * 4 >= leaves.length ? ['typed'] : ['cells', 'typed'];
  const isShared = path === '$' && isFlat && numbers < leaves.length;
  return isShared || numbers * 4 < leaves.length ? ['cells', 'typed'] : ['typed', 'cells'];
}

function plans(shape: Shape, { assumeIntegers = false }: ProposalFacts): ColumnsPlan[] {
  const index = ShapeIndex.of(shape, assumeIntegers);
  const { engine } = shape.representation;
  const found = tablesOf(index).flatMap(({ path, row }) => {
    const fields = fieldsAt(index, row, true) ?? [];
    const isFlat = richLeaves(index, row, fields).length === 0;
    const forms = fields.length === 0 ? [] : formsFor(engine, path, leavesOf(fields), isFlat);
    return forms.map((form, nth) => ({ nth, plan: { path, fields, form } }));
  });
  return found.sort((a, b) => a.nth - b.nth).map(({ plan }) => plan);
}

/** A table that is the payload itself, or one key of it. */
function direct(code: TableCode, key: string | null): RemedyCode {
  const of = (value: string) => (key === null ? value : `${value}${member(key)}`);
  const list = of('payload');
  const margin = 4;
  const { sender, message, lanes, receiver, rows } = code.code(
    list,
    key === null ? [] : [key],
    margin,
    key === null ? [] : ["'asIs' in payload"],
  );
  const guards =
    key === null
      ? ['checkKeys(0, [], payload);']
      : [`checkKeys(Object.keys(payload).length, [payload], ${list});`];
  const returned = (whole: string, value: string) => {
    const property = key === value ? key : `${propertyName(key ?? '')}: ${value}`;
    return key === null ? `return ${value};` : listed('return { ', [`...${whole}`, property], ' };', margin);
  };
  const body = [...guards, ...sender, returned('payload', message)];
  const back = [`const ${lanes} = ${of('message')};`, ...receiver, returned('message', rows)];
  const send = `function toMessage(payload) {\n${indent(body.join('\n'))}\n}`;
  return {
    message: 'closed',
    messageType: messageTypeOf(lanes, key),
    sender: `${guardsIn(send)}${send}`,
    receiver: `function fromMessage(message) {\n${indent(back.join('\n'))}\n}`,
  };
}

function messageTypeOf(lanes: string, key: string | null): string {
  const names = lanes.match(/\w+/g) ?? [];
  const typeOf = (name: string) => LANES[name as LaneName].type ?? 'unknown[]';
  const only = names.length === 1 ? typeOf(names[0]!) : null;
  const type = only ?? `{ ${names.map((name) => `${name}: ${typeOf(name)}`).join('; ')} }`;
  return key === null ? type : `(Omit<Payload, ${literal(key)}> & { ${propertyName(key)}: ${type} })`;
}

/** Tables anywhere else: each packed by itself. */
function inside(code: TableCode, path: string): RemedyCode {
  const last = parsePath(path)!.at(-1);
  const { sender, message, lanes, receiver, rows } = code.code(
    'list',
    last?.type === 'key' ? [last.key] : [],
    2,
  );
  const pack = `function pack(list) {
  if (!Array.isArray(list)) throw new TypeError('no list');
${indent([...sender, `return ${message};`].join('\n'))}
}`;
  const unpack = `function unpack(${lanes === 'cells' ? lanes : 'packed'}) {
${indent([...(lanes === 'cells' ? [] : [`const ${lanes} = packed;`]), ...receiver, `return ${rows};`].join('\n'))}
}`;
  return {
    sender: `${guardsIn(pack)}${pack}\n${declareToMessage(callsOf('pack', [path]))}`,
    receiver: `${unpack}\n${declareFromMessage(callsOf('unpack', [path]))}`,
  };
}

function source({ path, fields, form }: ColumnsPlan): RemedyCode {
  const code = new TableCode(fields, form === 'typed');
  const [first, ...others] = parsePath(path) ?? [];
  if (first === undefined) return direct(code, null);
  if (others.length > 0 || first.type !== 'key' || first.key === '__proto__') return inside(code, path);
  return direct(code, first.key);
}

export const columns: Remedy = remedyFromCode<ColumnsPlan>({
  name: 'columns',
  title: 'send the values of records without their keys',
  forms: { cells: 'one array', typed: 'numbers in a typed array' },
  plans,
  source,
  assumes: ({ path, fields, form }): Assumption[] => assumptionsOf(path, fields, form === 'typed'),
});
