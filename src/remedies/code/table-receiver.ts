import { type Field, isList, type Leaf } from '../facts/fields.ts';
import { indent, type Names, propertyName, WIDTH } from './javascript.ts';
import { idOf, LANES, type LaneName, type Step } from './table-lanes.ts';

/** Builds records in the order of the values. */
export class ReceiverCode {
  readonly #laneOf: (field: Field) => LaneName;
  readonly #lengths: LaneName;
  readonly #names: Names;

  constructor(laneOf: (field: Field) => LaneName, lengths: LaneName, names: Names) {
    this.#laneOf = laneOf;
    this.#lengths = lengths;
    this.#names = names;
  }

  record(fields: readonly Field[], above: readonly string[], to: string, margin: number) {
    const lines: string[] = [];
    const steps: Step[] = [];
    const literal = this.#literal(fields, above, lines, steps, margin, `${to}.push();`.length);
    return { lines: [...lines, `${to}.push(${literal});`], steps };
  }

  /** The object literal; objects and lists in it are constants, which `lines` declare. */
  #literal(
    fields: readonly Field[],
    above: readonly string[],
    lines: string[],
    steps: Step[],
    margin: number,
    around: number,
  ): string {
    const inOrder: Step[] = [];
    const flat = this.#flat(fields, above, inOrder);
    if (flat !== null && flat.length + around + margin <= WIDTH) {
      steps.push(...inOrder);
      return flat;
    }
    const inner = new Map<Field, string>();
    // Lists come last: what is beside them is pushed together.
    for (const field of [...fields].sort((a, b) => Number(isList(a)) - Number(isList(b)))) {
      const name = this.#inner(field, [...above, field.key], lines, steps, margin);
      if (name !== null) inner.set(field, name);
    }
    const properties = fields.map((field) => {
      const name = inner.get(field) ?? this.#read(field, [...above, field.key], steps);
      return field.key === name ? name : `${propertyName(field.key)}: ${name}`;
    });
    const inline = `{ ${properties.join(', ')} }`;
    if (inline.length + around + margin <= WIDTH) return inline;
    return `{\n${properties.map((text) => `  ${text},\n`).join('')}}`;
  }

  /** On one line, with the objects in it; null where there are lists in it. */
  #flat(fields: readonly Field[], above: readonly string[], steps: Step[]): string | null {
    const properties: string[] = [];
    for (const field of fields) {
      const path = [...above, field.key];
      if (isList(field)) return null;
      const value = field.fields ? this.#flat(field.fields, path, steps) : this.#read(field, path, steps);
      if (value === null) return null;
      properties.push(`${propertyName(field.key)}: ${value}`);
    }
    return `{ ${properties.join(', ')} }`;
  }

  #read(field: Field, path: readonly string[], steps: Step[]): string {
    const lane = this.#laneOf(field);
    steps.push({ lane, path: idOf(path) });
    const value = `${LANES[lane].read}()`;
    return field.date ? `new Date(${value})` : value;
  }

  #inner(field: Field, path: string[], lines: string[], steps: Step[], margin: number): string | null {
    if (field.fields !== undefined) {
      const name = this.#names.fresh(path);
      const start = `const ${name} = `;
      const literal = this.#literal(field.fields, path, lines, steps, margin, start.length + 1);
      lines.push(`${start}${literal};`);
      return name;
    }
    return isList(field) ? this.#list({ ...field, path }, lines, steps, margin) : null;
  }

  #list({ path, items, type }: Leaf, lines: string[], steps: Step[], margin: number): string {
    const name = this.#names.fresh(path);
    const head = `for (let left = ${LANES[this.#lengths].read}(); left > 0; left--)`;
    const inside: Step[] = [];
    lines.push(`const ${name} = [];`);
    if (items === undefined) {
      const field = { key: '', ...(type === undefined ? {} : { type }) };
      lines.push(`${head} ${name}.push(${this.#read(field, path, inside)});`);
    } else {
      const record = this.record(items, path, name, margin + 2);
      inside.push(...record.steps);
      lines.push(`${head} {`, ...record.lines.map((line) => indent(line)), '}');
    }
    steps.push({ path: idOf(path), items: inside });
    return name;
  }
}
