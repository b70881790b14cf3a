import type { EngineName } from '../model/names.ts';
import type { Plan, Remedy } from '../model/rules/remedy.ts';
import type { Shape } from '../model/rules/shape.ts';
import { cellsSource } from './code/cells.ts';
import { columnsSource } from './code/columns.ts';
import { guardsIn } from './code/records.ts';
import { type RemedyCode, remedyFromCode } from './code/remedy-from-code.ts';
import { declareFromMessage, declareToMessage } from './code/rewrite.ts';
import { callsOf } from './code/target-trie.ts';
import { type Field, fieldsAt, type Leaf, leavesOf, richLeaves } from './facts/fields.ts';
import { ShapeIndex } from './facts/shape-index.ts';
import { tablesOf } from './facts/tables.ts';

/**
 * cells: one flat array, record after record, which Bun hands over in memory when all cells are scalars.
 * lists: an array per leaf. typed: the same, with a typed array where all values are numbers.
 */
type Form = 'cells' | 'lists' | 'typed';

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
  if (numbers === 0) return engine === 'jsc' ? ['cells'] : ['lists'];
  if (engine !== 'jsc') return numbers * 4 >= leaves.length ? ['typed'] : ['lists', 'typed'];
  return path === '$' && isFlat && numbers < leaves.length ? ['cells', 'typed'] : ['typed', 'cells'];
}

function plans(shape: Shape): ColumnsPlan[] {
  const index = new ShapeIndex(shape);
  const { engine } = shape.representation;
  const found = tablesOf(index).flatMap(({ path, row }) => {
    const fields = fieldsAt(index, row, true) ?? [];
    const isFlat = richLeaves(index, row, fields).length === 0;
    const forms = fields.length === 0 ? [] : formsFor(engine, path, leavesOf(fields), isFlat);
    return forms.map((form, nth) => ({ nth, plan: { path, fields, form } }));
  });
  return found.sort((a, b) => a.nth - b.nth).map(({ plan }) => plan);
}

function source({ path, fields, form }: ColumnsPlan): RemedyCode {
  const { pack, unpack } = form === 'cells' ? cellsSource(fields) : columnsSource(fields, form === 'typed');
  return {
    sender: `${guardsIn(pack)}${pack}\n${declareToMessage(callsOf('pack', [path]))}`,
    receiver: `${unpack}\n${declareFromMessage(callsOf('unpack', [path]))}`,
  };
}

export const columns: Remedy = remedyFromCode<ColumnsPlan>({
  name: 'columns',
  title: 'send columns instead of records',
  forms: { cells: 'one array', lists: 'arrays', typed: 'typed' },
  plans,
  source,
});
