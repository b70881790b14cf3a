import type { ColumnType, Field } from '../facts/fields.ts';
import { typed } from './dialect.ts';
import { filled, indent, Names, throwing } from './javascript.ts';
import { type LeafExpression, RecordReader } from './records.ts';
import { idOf, LANE_NAMES, LANE_OF, LANES, type Lane, type LaneName, type Step } from './table-lanes.ts';
import { ReceiverCode } from './table-receiver.ts';

/**
 * Records without their keys: their values one after the other, list by list, in the order in which the receiver needs
 * them. One list for all kinds of values; with `isTyped`, numbers in typed arrays of their own.
 */

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
    const isRoot = path.length === 0;
    const received = new Names(isRoot ? ['rows'] : []);
    const rows = isRoot ? 'rows' : received.fresh(path);
    const receiver = new ReceiverCode((field) => this.#laneOf(field), this.#lengths, received);
    const { lines, steps } = receiver.record(this.#fields, path, rows, 4);
    const names = new Names(isRoot ? ['row'] : []);
    const row = isRoot ? 'row' : names.item(path);
    const sending = this.#sending(this.#fields, row, path, steps, names, margin + 2);
    const lanes = LANE_NAMES.filter((name) => this.#used.has(name)).map((name): Lane => LANES[name]);
    return {
      sender: [
        ...lanes.map(({ name, values }) => `const ${name}${typed(`${values}[]`)} = [];`),
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
    const lane = maybe ? 'optional' : !this.#isTyped || type === undefined ? 'cells' : LANE_OF[type];
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
