import { type ColumnType, type Field, isList, type Leaf } from '../facts/fields.ts';
import { indent, listed, Names } from './javascript.ts';
import { type LeafExpression, objectLiteral, RecordReader } from './records.ts';

/** An array per leaf; the items of arrays are joined in columns of their own, beside a column of lengths. */

interface ColumnVariable {
  name: string;
  type: ColumnType | undefined;
  /** One value per row of the table, so its length is known in advance. */
  isOuter: boolean;
}

class PackCode {
  readonly columns: ColumnVariable[] = [];
  readonly names = new Names();
  readonly isTyped: boolean;
  /** The column of each leaf by its path, for the receiver. */
  readonly byPath = new Map<string, string>();

  constructor(isTyped: boolean) {
    this.isTyped = isTyped;
  }

  column(path: readonly string[], type: ColumnType | undefined, isOuter: boolean): ColumnVariable {
    const column = { name: this.names.fresh(path), type: this.isTyped ? type : undefined, isOuter };
    this.columns.push(column);
    this.byPath.set(path.join('\n'), column.name);
    return column;
  }

  /** Statements that append one record to the columns. */
  record(fields: readonly Field[], record: string, above: readonly string[]): string {
    const { lines, leaves } = new RecordReader(fields, record, this.names);
    return [
      ...lines,
      ...leaves.map((leaf) => this.#leaf({ ...leaf, path: [...above, ...leaf.path] }, above.length === 0)),
    ].join('\n');
  }

  #leaf(leaf: LeafExpression, isOuter: boolean): string {
    if (isList(leaf)) return this.#list(leaf, isOuter);
    const column = this.column(leaf.path, leaf.type, isOuter);
    return append(column, guarded(column, leaf.source, leaf.date));
  }

  #list({ path, source, items, type }: LeafExpression, isOuter: boolean): string {
    const list = this.names.fresh(path);
    const length = this.column([...path, 'length'], 'Int32Array', isOuter);
    const item = this.names.fresh([...path, 'item']);
    const body = items === undefined ? this.#scalar(path, item, type) : this.record(items, item, path);
    return [
      `const ${list} = ${source};`,
      append(length, `${list}.length`),
      `for (const ${item} of ${list}) {\n${indent(body)}\n}`,
    ].join('\n');
  }

  #scalar(path: string[], item: string, type: ColumnType | undefined): string {
    const column = this.column([...path, 'items'], type, false);
    return append(column, guarded(column, `present(${item})`));
  }
}

function append({ name, type, isOuter }: ColumnVariable, source: string): string {
  return type !== undefined && isOuter ? `${name}[i] = ${source};` : `${name}.push(${source});`;
}

/** A typed array would silently change a value of another type. */
function guarded({ type }: ColumnVariable, source: string, isDate = false): string {
  if (type === undefined || isDate) return source;
  const plain = source.replace(/^present\((.*)\)$/, '$1');
  return type === 'Int32Array' ? `int32(${plain})` : `number(${plain})`;
}

class UnpackCode {
  readonly #packing: PackCode;
  /** Positions in the columns of lists. */
  readonly cursors: string[] = [];

  constructor(packing: PackCode) {
    this.#packing = packing;
  }

  #column(path: readonly string[]): string {
    return this.#packing.byPath.get(path.join('\n'))!;
  }

  /** Statements that build the record at `index` and append it to `to`. */
  record(fields: readonly Field[], index: string, above: readonly string[], to: string): string {
    const lists = new Map<string, string>();
    const loops: string[] = [];
    const record = objectLiteral(fields, (leaf) => {
      const path = [...above, ...leaf.path];
      if (!isList(leaf)) return `${this.#column(path)}[${index}]`;
      const name = this.#packing.names.fresh(path);
      lists.set(path.join('\n'), name);
      loops.push(this.#list(leaf, path, index, name));
      return name;
    });
    return [...loops, `${to}.push(${record});`].join('\n');
  }

  #list(leaf: Leaf, path: string[], index: string, name: string): string {
    const cursor = this.#packing.names.fresh([...path, 'at']);
    const left = this.#packing.names.fresh([...path, 'left']);
    this.cursors.push(cursor);
    const body =
      leaf.items === undefined
        ? `${name}.push(${this.#column([...path, 'items'])}[${cursor}]);`
        : this.record(leaf.items, cursor, path, name);
    const length = `${this.#column([...path, 'length'])}[${index}]`;
    return `const ${name} = [];\nfor (let ${left} = ${length}; ${left} > 0; ${left}--, ${cursor}++) {\n${indent(body)}\n}`;
  }
}

function declared({ name, type, isOuter }: ColumnVariable): string {
  return type !== undefined && isOuter ? `const ${name} = new ${type}(rows.length);` : `const ${name} = [];`;
}

function posted({ name, type, isOuter }: ColumnVariable): string {
  return type === undefined || isOuter ? name : `${name}: ${type}.from(${name})`;
}

export function columnsSource(fields: readonly Field[], isTyped: boolean): { pack: string; unpack: string } {
  const packing = new PackCode(isTyped);
  const packed = packing.record(fields, 'row', []);
  const unpacking = new UnpackCode(packing);
  const unpacked = unpacking.record(fields, 'i', [], 'rows');
  const { columns } = packing;
  return {
    pack: `function pack(rows) {
  if (!Array.isArray(rows)) throw new TypeError('not an array of records');
${columns.map((column) => `  ${declared(column)}`).join('\n')}
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i];
${indent(packed, '    ')}
  }
${indent(listed('return { ', columns.map(posted), ' };'))}
}`,
    unpack: `${listed(
      'function unpack({ ',
      columns.map(({ name }) => name),
      ' }) {',
    )}
  const rows = [];
${unpacking.cursors.map((cursor) => `  let ${cursor} = 0;\n`).join('')}  for (let i = 0; i < ${columns.find(({ isOuter }) => isOuter)!.name}.length; i++) {
${indent(unpacked, '    ')}
  }
  return rows;
}`,
  };
}
