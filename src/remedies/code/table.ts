import { type ColumnType, type Field, isList, type Leaf } from '../facts/fields.ts';
import { typed } from './dialect.ts';
import { filled, indent, Names, propertyName, throwing, WIDTH } from './javascript.ts';
import { type LeafExpression, RecordReader } from './records.ts';

/**
 * Records without their keys: their values one after the other, list by list, in the order in which the receiver needs
 * them. One list for all kinds of values; with `isTyped`, numbers in typed arrays of their own.
 */

interface Lane {
  name: string;
  /** Function of the receiver that reads the next value. */
  read: string;
  /** The condition under which the lane does not hold what it was made for; null: it holds anything. */
  misfit: string | null;
  type: ColumnType | null;
}

const LANES = {
  cells: { name: 'cells', read: 'get', type: null, misfit: 'cells.includes(undefined)' },
  optional: { name: 'optional', read: 'maybe', type: null, misfit: null },
  numbers: {
    name: 'numbers',
    read: 'number',
    type: 'Float64Array',
    misfit: `numbers.some((value${typed('-')}) => typeof value !== 'number')`,
  },
  integers: {
    name: 'integers',
    read: 'integer',
    type: 'Int32Array',
    misfit: `integers.some((value${typed('-')}) => !Object.is(value | 0, value))`,
  },
} as const satisfies Record<string, Lane>;

type LaneName = keyof typeof LANES;
const LANE_NAMES = Object.keys(LANES) as LaneName[];

/** One value, or a list with the values of each of its items, in the order of the message. */
type Step = { lane: LaneName; path: string } | { path: string; items: Step[] };

const idOf = (path: readonly string[]) => path.join('\n');

export interface Table {
  /** Statements that read the records of a list into the lanes. */
  sender: string[];
  /** Expression of the message. */
  message: string;
  /** Left side of a declaration that takes the message apart. */
  lanes: string;
  /** Statements that build the records, in a list called `rows`. */
  receiver: string[];
  rows: string;
}

const has = (fields: readonly Field[], type: ColumnType): boolean =>
  fields.some((field) => field.type === type || has(field.fields ?? field.items ?? [], type));

export class TableCode {
  readonly #fields: readonly Field[];
  readonly #isTyped: boolean;
  readonly #used = new Set<LaneName>();
  /** Lane of the lengths of lists. */
  readonly #lengths: LaneName;

  constructor(fields: readonly Field[], isTyped: boolean) {
    this.#fields = fields;
    this.#isTyped = isTyped;
    this.#lengths = !isTyped ? 'cells' : has(fields, 'Int32Array') ? 'integers' : 'numbers';
  }

  /** @param path of the list, from which names come; @param margin columns to the left of the sender's code; @param misfits further conditions under which the payload does not fit */
  code(list: string, path: readonly string[], margin: number, misfits: readonly string[] = []): Table {
    const received = new Names();
    const rows = path.length === 0 ? 'rows' : received.fresh(path);
    const receiver = new ReceiverCode((field) => this.#laneOf(field), this.#lengths, received);
    const { lines, steps } = receiver.record(this.#fields, path, rows, 4);
    const names = new Names();
    const row = path.length === 0 ? 'row' : names.item(path);
    const sending = this.#sending(this.#fields, row, path, steps, names, margin + 2);
    const lanes = LANE_NAMES.filter((name) => this.#used.has(name)).map((name): Lane => LANES[name]);
    return {
      sender: [
        ...lanes.map(({ name, type }) => `const ${name}${typed(type ? 'number[]' : 'unknown[]')} = [];`),
        `for (const ${row} of ${list}) {`,
        ...sending.map((line) => indent(line)),
        '}',
        ...lanes.flatMap((lane, at) => misfitLines(lane, at === 0 ? misfits : [], margin)),
      ],
      message: messageOf(lanes),
      lanes: lanes.length === 1 ? lanes[0]!.name : `{ ${lanes.map(({ name }) => name).join(', ')} }`,
      receiver: [`const ${rows} = [];`, ...this.#loop(steps, lines, lanes)],
      rows,
    };
  }

  #laneOf({ type, maybe }: Field): LaneName {
    const lane = maybe
      ? 'optional'
      : !this.#isTyped || type === undefined
        ? 'cells'
        : type === 'Int32Array'
          ? 'integers'
          : 'numbers';
    this.#used.add(lane);
    return lane;
  }

  /** Over a lane from which each record takes a value, which tells where the records end. */
  #loop(steps: readonly Step[], lines: readonly string[], lanes: readonly Lane[]): string[] {
    const first = steps.find((step) => 'lane' in step);
    const main: Lane = LANES[first !== undefined && 'lane' in first ? first.lane : this.#lengths];
    const others = lanes.filter(({ name }) => name !== main.name);
    return [
      ...others.flatMap((lane) => [`let ${lane.read}At = 0;`, readerOf(lane, `${lane.read}At`)]),
      `for (let at = 0; at < ${main.name}.length; ) {`,
      indent(readerOf(main, 'at')),
      ...lines.map((line) => indent(line)),
      '}',
    ];
  }

  #sending(
    fields: readonly Field[],
    record: string,
    above: readonly string[],
    steps: readonly Step[],
    names: Names,
    margin: number,
  ): string[] {
    const { lines, leaves } = new RecordReader(fields, record, names, margin);
    const byPath = new Map(leaves.map((leaf) => [idOf([...above, ...leaf.path]), leaf]));
    const waiting = new Map<LaneName, string[]>();
    const push = (lane: LaneName, source: string) =>
      void waiting.set(lane, [...(waiting.get(lane) ?? []), source]);
    const flush = () => {
      for (const [lane, sources] of waiting) lines.push(...filled(`${lane}.push(`, sources, ');', margin));
      waiting.clear();
    };
    for (const step of steps) {
      const leaf = byPath.get(step.path)!;
      if ('lane' in step) push(step.lane, leaf.source);
      else {
        push(this.#lengths, `${leaf.source}.length`);
        this.#used.add(this.#lengths);
        if (leaf.items === undefined) {
          push((step.items[0] as { lane: LaneName }).lane, `...${leaf.source}`);
          continue;
        }
        flush();
        lines.push(...this.#sendingList(leaf, [...above, ...leaf.path], step.items, names, margin));
      }
    }
    flush();
    return lines;
  }

  #sendingList(
    { source, items = [] }: LeafExpression,
    path: readonly string[],
    steps: readonly Step[],
    names: Names,
    margin: number,
  ): string[] {
    const item = names.item(path);
    const inner = this.#sending(items, item, path, steps, names, margin + 2);
    return [`for (const ${item} of ${source}) {`, ...inner.map((line) => indent(line)), '}'];
  }
}

function misfitLines({ name, misfit }: Lane, others: readonly string[], margin: number): string[] {
  const all = [...(misfit === null ? [] : [misfit]), ...others];
  const what = name === 'cells' ? 'a field is missing' : `not only ${name}`;
  return all.length === 0 ? [] : throwing(all.join(' || '), what, margin);
}

const typedArray = ({ name, type }: Lane) => (type === null ? name : `new ${type}(${name})`);

function messageOf(lanes: readonly Lane[]): string {
  const [only, ...others] = lanes;
  if (others.length === 0) return typedArray(only!);
  const properties = lanes.map((lane) =>
    lane.type === null ? lane.name : `${lane.name}: ${typedArray(lane)}`,
  );
  return `{ ${properties.join(', ')} }`;
}

const readerOf = ({ name, read }: Lane, at: string): string =>
  `const ${read} = ()${typed('any')} => ${name}[${at}++];`;

/** Builds records in the order of the values. */
class ReceiverCode {
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
