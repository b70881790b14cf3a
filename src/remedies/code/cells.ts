import { type Field, isList } from '../facts/fields.ts';
import { indent, Names } from './javascript.ts';
import { objectLiteral, RecordReader } from './records.ts';

/** One flat array, record after record: its leaves, with the lengths of its arrays, then the items of these. */

/** Statements that append one record. */
function appending(fields: readonly Field[], record: string, names: Names): string {
  const { lines, leaves } = new RecordReader(fields, record, names);
  const named = leaves.map((leaf) => ({ ...leaf, name: isList(leaf) ? names.fresh(leaf.path) : null }));
  const lists = named.filter(isList);
  const variables = lists.map(({ name, source }) => `const ${name} = ${source};`);
  const heads = named.map(({ name, source }) => (name === null ? source : `${name}.length`));
  const loops = lists.map(({ name, items, path }) => {
    const item = names.fresh([...path, 'item']);
    const body = items === undefined ? `cells.push(present(${item}));` : appending(items, item, names);
    return `for (const ${item} of ${name}) {\n${indent(body)}\n}`;
  });
  return [...lines, ...variables, `cells.push(${heads.join(', ')});`, ...loops].join('\n');
}

/** Statements that read one record, starting at `cells[at]`, and pass it to `keep`. */
function reading(fields: readonly Field[], names: Names, keep: (record: string) => string): string {
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
        : reading(leaf.items, names, (record) => `${name}.push(${record});`);
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
  if (!Array.isArray(rows)) throw new TypeError('not an array of records');
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
  reading(fields, new Names(), (record) => `rows.push(${record});`),
  '    ',
)}
  }
  return rows;
}`,
  };
}
