import type { Field } from '../facts/fields.ts';
import { indent, Names } from './javascript.ts';
import { objectLiteral, RecordReader } from './records.ts';

/** One flat array, record after record: its leaves, the lengths of its lists, then what is in these. */

const isList = (field: Field) => field.list || field.items !== undefined;

/** Statements that append one record. */
function appending(fields: readonly Field[], record: string, names: Names): string {
  const { lines, leaves } = new RecordReader(fields, record, names);
  const opened = leaves.map((leaf) =>
    isList(leaf) ? { ...leaf, name: names.fresh(leaf.path) } : { ...leaf, name: '' },
  );
  const open = opened.filter(isList).map(({ name, source }) => `const ${name} = ${source};`);
  const heads = opened.map(({ name, source }) => (name === '' ? source : `${name}.length`));
  const loops = opened.filter(isList).map(({ name, items, path }) => {
    const item = names.fresh([...path, 'item']);
    const body = items === undefined ? `cells.push(present(${item}));` : appending(items, item, names);
    return `for (const ${item} of ${name}) {\n${indent(body)}\n}`;
  });
  return [...lines, ...open, `cells.push(${heads.join(', ')});`, ...loops].join('\n');
}

/** Statements that read one record from `cells[at]` on and hand it to `keep`. */
function taking(fields: readonly Field[], names: Names, keep: (record: string) => string): string {
  const { leaves } = new RecordReader(fields, 'row', new Names());
  const from = names.fresh(['from']);
  const lists = new Map<string, string>();
  const loops = leaves.flatMap((leaf, n) => {
    if (!isList(leaf)) return [];
    const name = names.fresh(leaf.path);
    lists.set(leaf.path.join('\n'), name);
    const left = names.fresh([...leaf.path, 'left']);
    const body =
      leaf.items === undefined
        ? `${name}.push(cells[at++]);`
        : taking(leaf.items, names, (record) => `${name}.push(${record});`);
    return [
      `const ${name} = [];`,
      `for (let ${left} = cells[${from} + ${n}]; ${left} > 0; ${left}--) {\n${indent(body)}\n}`,
    ];
  });
  let n = 0;
  const record = objectLiteral(fields, (leaf) => {
    const source = `cells[${from} + ${n++}]`;
    return isList(leaf) ? lists.get(leaf.path.join('\n'))! : source;
  });
  return [`const ${from} = at;`, `at += ${leaves.length};`, ...loops, keep(record)].join('\n');
}

export function cellsSource(fields: readonly Field[]): { pack: string; unpack: string } {
  return {
    pack: `function pack(rows) {
  if (!Array.isArray(rows)) throw new TypeError('no list of records there');
  const cells = [];
  for (const row of rows) {
${indent(appending(fields, 'row', new Names()), '    ')}
  }
  return cells;
}`,
    unpack: `function unpack(cells) {
  const rows = [];
  let at = 0;
  while (at < cells.length) {
${indent(
  taking(fields, new Names(), (record) => `rows.push(${record});`),
  '    ',
)}
  }
  return rows;
}`,
  };
}
