import type { Plan, Remedy } from '../model/remedy.ts';
import type { Shape } from '../model/shape.ts';
import type { EngineName } from '../model/words.ts';
import { Spots } from './facts.ts';
import { pasteable, type Source } from './pasteable.ts';
import { receivingAt, sendingAt } from './places.ts';
import {
  building,
  declarations,
  type Field,
  fieldsAt,
  type Leaf,
  leavesOf,
  reading,
  richLeaves,
} from './records.ts';
import { listsOfRecords } from './tables.ts';

/**
 * cells: one flat array, record after record. Bun takes it in memory when all cells are scalars.
 * lists: an array per leaf. typed: the same, with a typed array where all values are numbers.
 */
type Form = 'cells' | 'lists' | 'typed';

interface ColumnsPlan extends Plan {
  fields: Field[];
  form: Form;
}

/**
 * Best first, as measured. V8 writes every key of every object, but a typed array in one memcpy. Bun takes one flat
 * array of scalars in memory, if it is the root; where it must serialize anyway, typed arrays are the least work.
 */
function formsFor(engine: EngineName, path: string, leaves: readonly Leaf[], isFlat: boolean): Form[] {
  const numbers = leaves.filter((leaf) => leaf.type !== undefined).length;
  if (numbers === 0) return engine === 'jsc' ? ['cells'] : ['lists'];
  if (engine !== 'jsc') return ['typed', 'lists'];
  return path === '$' && isFlat && numbers < leaves.length ? ['cells', 'typed'] : ['typed', 'cells'];
}

function wanted(shape: Shape): Plan[] {
  const spots = new Spots(shape);
  const { engine } = shape.representation;
  const plans = listsOfRecords(spots).flatMap(({ path, row }) => {
    const fields = fieldsAt(spots, row) ?? [];
    const isFlat = richLeaves(spots, row, fields).length === 0;
    const forms = fields.length === 0 ? [] : formsFor(engine, path, leavesOf(fields), isFlat);
    return forms.map((form, nth) => ({ nth, plan: { path, fields, form } }));
  });
  return plans.sort((a, b) => a.nth - b.nth).map(({ plan }) => plan);
}

const EACH_RECORD = (lines: readonly string[], kept: readonly string[]) =>
  [...lines, ...kept].map((line) => `    ${line}`).join('\n');

function cellsSource(fields: Field[]): { pack: string; unpack: string } {
  const { lines, leaves } = reading(fields);
  return {
    pack: `function pack(rows) {
  const cells = [];
  for (const row of rows) {
${EACH_RECORD(lines, [`cells.push(${leaves.join(', ')});`])}
  }
  return cells;
}`,
    unpack: `function unpack(cells) {
  const rows = [];
  for (let i = 0; i < cells.length; i += ${leaves.length})
    rows.push(${building(fields, (n) => `cells[i + ${n}]`)});
  return rows;
}`,
  };
}

function columnOf(leaf: Leaf, n: number, form: Form, value: string) {
  const name = `c${n}`;
  const type = form === 'typed' ? leaf.type : undefined;
  if (type === undefined) return { open: `const ${name} = [];`, keep: `${name}.push(${value});` };
  const open = `const ${name} = new ${type}(rows.length);`;
  if (leaf.date) return { open, keep: `${name}[i] = ${value};` };
  const test = type === 'Int32Array' ? `Object.is(${value} | 0, ${value})` : `typeof ${value} === 'number'`;
  const wrong = "else throw new TypeError('a column holds other values');";
  return { open, keep: `if (${test}) ${name}[i] = ${value}; ${wrong}` };
}

function columnsSource(fields: Field[], form: Form): { pack: string; unpack: string } {
  const { lines, leaves } = reading(fields);
  const columns = leavesOf(fields).map((leaf, n) => columnOf(leaf, n, form, leaves[n]!));
  const names = columns.map((_, n) => `c${n}`);
  return {
    pack: `function pack(rows) {
${columns.map(({ open }) => `  ${open}`).join('\n')}
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i];
${EACH_RECORD(
  lines,
  columns.map(({ keep }) => keep),
)}
  }
  return { ${names.join(', ')} };
}`,
    unpack: `function unpack({ ${names.join(', ')} }) {
  const rows = [];
  for (let i = 0; i < c0.length; i++) rows.push(${building(fields, (n) => `c${n}[i]`)});
  return rows;
}`,
  };
}

function source({ path, fields, form }: ColumnsPlan): Source {
  const { pack, unpack } = form === 'cells' ? cellsSource(fields) : columnsSource(fields, form);
  return {
    sender: `${declarations(fields)}${pack}\n${sendingAt([{ path, change: (value) => `pack(${value})` }])}`,
    receiver: `${unpack}\n${receivingAt([{ path, change: (value) => `unpack(${value})` }])}`,
  };
}

export const columns: Remedy = pasteable({
  name: 'columns',
  title: 'send columns instead of records',
  loses: [],
  wanted,
  source: (plan) => source(plan as ColumnsPlan),
});
