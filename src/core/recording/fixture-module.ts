/** From a recorded shape to the text of a module that makes a payload like it. */
import type { Facts, Kind, Shape } from '../../model/rules/shape.ts';
import { map } from '../value/lists.ts';
import type { FixtureModule } from './fixture/fixture.ts';
import { arrayText, collectionText } from './fixture/list-text.ts';
import { memoryText } from './fixture/memory.ts';
import { ModuleText } from './fixture/module-text.ts';
import { argumentsText, errorText, objectText, ownedText } from './fixture/object-text.ts';
import { type PatternTree, patternTree } from './fixture/pattern-tree.ts';
import { likeness, References } from './fixture/references.ts';
import { type RowPlace, scalarText } from './fixture/scalars.ts';
import {
  type Dealt,
  dealtTo,
  type ItemShare,
  isReference,
  itemsOf,
  type KeyShare,
  keysOf,
} from './fixture/sharing.ts';
import { hintOf, type Values } from './fixture/values.ts';
import { freeSizes } from './fixture/wire-size.ts';

export type { FixtureModule };

/**
 * Values of our own, with the counts, kinds, sizes and storage of the shape.
 *
 * @param bytes serialized size of a typical message, where it is known: integers and keys get lengths that fit it
 * @throws ToolError 'document-bad' for a shape that no payload has, or that is too large to be made
 */
export function fixtureFromShape(shape: Shape, seed: number, bytes: number | null = null): FixtureModule {
  const tree = patternTree(shape);
  const writer = new ShapeWriter(tree);
  const constants = { seed: seed >>> 0, ...freeSizes(shape, bytes) };
  const root = writer.expression(tree, tree.rows[0]!);
  const head = `Made by clone-prof from a recorded shape: kinds, counts and sizes are those of the messages, values are made up (seed ${constants.seed}).`;
  return { text: writer.text.module(head, root, constants), differences: writer.text.differences };
}

/** A text that is long enough to count as repeated when it comes again. */
const REPEATABLE = 64;
/** Numbers begin at different values in so many rows. */
const NUMBER_ROWS = 50;

class ShapeWriter implements Values {
  readonly text = new ModuleText();
  readonly #references: References;
  readonly #offsets = new Map<Facts, number>();
  readonly #lists = new Map<Facts | string, string>();
  readonly #makers = new Map<Facts | PatternTree, Map<Kind | 'row', string>>();
  readonly #keys = new Map<PatternTree, Map<Kind, Map<Facts, KeyShare[]>>>();
  readonly #items = new Map<PatternTree, Map<Facts, ItemShare>>();
  readonly #nodes = new Map<Facts, PatternTree>();
  #texts = 0;
  #numbers = 0;

  constructor(root: PatternTree) {
    this.#references = new References(root);
    this.#number(root);
  }

  #number(node: PatternTree): void {
    for (const row of node.rows) {
      this.#nodes.set(row, node);
      if (row.kind === 'number') this.#offsets.set(row, this.#numbers++ % NUMBER_ROWS);
      if (row.kind !== 'string' || (row.size?.max ?? 0) < REPEATABLE) continue;
      this.#offsets.set(row, this.#texts);
      this.#texts += row.count;
    }
    for (const child of node.children) this.#number(child);
  }

  next(child: PatternTree, parent: Kind, count: number): string {
    const dealt = dealtTo(child, parent);
    const [only] = dealt;
    if (dealt.length === 1 && only!.count === count) return this.expression(child, only!.row);
    return `${this.maker(child, dealt, false, parent)}()`;
  }

  maker(child: PatternTree, dealt: readonly Dealt[], alone: boolean, parent: Kind = 'array'): string {
    const [only] = dealt;
    if (alone && dealt.length === 1 && only!.count === only!.row.count)
      return arrowOf(this.expression(child, only!.row));
    const isAll = dealt.every(({ row, count }) => row.count === count);
    if (isAll) return this.#once(child, parent, () => this.#dealer(child, dealt));
    return this.#dealer(child, dealt);
  }

  /** Declared once for all who ask. */
  #once(of: Facts | PatternTree, kind: Kind | 'row', declare: () => string): string {
    const known = this.#makers.get(of) ?? new Map<Kind | 'row', string>();
    this.#makers.set(of, known);
    const name = known.get(kind) ?? declare();
    known.set(kind, name);
    return name;
  }

  #dealer(child: PatternTree, dealt: readonly Dealt[]): string {
    const [only] = dealt;
    if (dealt.length === 1) return this.#rowMaker(child, only!.row);
    const rows = map(dealt, ({ row, count }) => {
      const make = row.count === count ? arrowOf(this.expression(child, row)) : this.#rowMaker(child, row);
      return `[${[count, make, ...this.#waitsFor(row)].join(', ')}]`;
    });
    return this.text.variable(hintOf(child), this.text.call('mixed', ...rows));
  }

  /** The list that a reference takes its value from. */
  #waitsFor(row: Facts): string[] {
    const target =
      row.flags.includes('repeated') && row.kind !== 'string' ? this.#references.targets.get(row) : undefined;
    return target === undefined ? [] : [this.#listOf(target, 'kept')];
  }

  #rowMaker(child: PatternTree, row: Facts): string {
    return this.#once(row, 'row', () =>
      this.text.variable(hintOf(child), this.text.call('each', arrowOf(this.expression(child, row)))),
    );
  }

  openOf(row: Facts): string | null {
    return this.#references.open.has(row) ? this.#listOf(row, 'open') : null;
  }

  /** Of values that are alike: references do not say which of them they mean. */
  #listOf(row: Facts, what: 'kept' | 'open'): string {
    const key = what === 'open' ? row : likeness(row);
    const name = this.#lists.get(key) ?? this.text.variable(`${what}_${hintOf(this.#nodes.get(row)!)}`, '[]');
    this.#lists.set(key, name);
    return name;
  }

  /** The n-th value of the row. */
  expression(node: PatternTree, row: Facts): string {
    if (isReference(row)) return this.#reference(node, row);
    const made = this.#made(node, row);
    return this.#references.kept.has(row) ? this.text.call('keep', this.#listOf(row, 'kept'), made) : made;
  }

  #reference(node: PatternTree, row: Facts): string {
    const target = this.#references.targets.get(row);
    if (target === undefined) {
      this.text.differs(`${node.pattern}: a repeated ${row.kind} of which the first is not in the shape`);
      return row.kind === 'string' ? this.#made(node, row) : 'null';
    }
    if (row.kind === 'string') return this.#made(this.#nodes.get(target)!, target, earlier(row, target));
    if (row.flags.includes('cycle')) return `${this.#listOf(target, 'open')}.at(-1)`;
    return this.text.call('again', this.#listOf(target, 'kept'), row.count === 1 ? '0' : 'n');
  }

  #made(node: PatternTree, row: Facts, n = row.count === 1 ? '0' : 'n'): string {
    const { text } = this;
    const step = node.step;
    const place: RowPlace = {
      n,
      offset: this.#offsets.get(row) ?? 0,
      distinct: step?.type === 'entry' && step.part !== 'value',
    };
    const scalar = scalarText(text, node.pattern, row, place);
    return (
      (scalar === null ? null : ownedText(this, node, row, scalar)) ??
      memoryText(text, node.pattern, row, hintOf(node)) ??
      this.#container(node, row)
    );
  }

  #container(node: PatternTree, row: Facts): string {
    const deeper = node.children.some(({ step }) => step?.type === 'deeper');
    if (deeper) this.text.differs(`${node.pattern}: what is deeper is left out`);
    switch (row.kind) {
      case 'array':
        return arrayText(this, node, row, this.#itemsOf(node, row), this.#keysOf(node, row));
      case 'map':
      case 'set':
        return collectionText(this, node, row);
      case 'error':
        return errorText(this, node, row, this.#keysOf(node, row));
      case 'arguments':
        return argumentsText(this, node, row, this.#keysOf(node, row));
      default:
        return objectText(this, node, row, this.#keysOf(node, row));
    }
  }

  #keysOf(node: PatternTree, row: Facts): KeyShare[] {
    const byKind = this.#keys.get(node) ?? new Map<Kind, Map<Facts, KeyShare[]>>();
    this.#keys.set(node, byKind);
    const shares = byKind.get(row.kind) ?? keysOf(node, row.kind);
    byKind.set(row.kind, shares);
    return shares.get(row) ?? [];
  }

  #itemsOf(node: PatternTree, row: Facts): ItemShare {
    const shares = this.#items.get(node) ?? itemsOf(node);
    this.#items.set(node, shares);
    return shares.get(row) ?? { items: [], filled: 0 };
  }
}

const arrowOf = (expression: string): string => {
  const parameter = /\bn\b/.test(expression) ? 'n' : '';
  return `(${parameter}) => ${expression.startsWith('{') ? `(${expression})` : expression}`;
};

/** Index of the value that the n-th reference repeats, so that their sizes come out. */
function earlier({ count, size }: Facts, target: Facts): string {
  const { min, max, total } = target.size ?? { min: 0, max: 0, total: 0 };
  if (target.count === 1 || count === 1) return '0';
  if (min === max || size === undefined) return `n % ${target.count}`;
  const rest = target.count > 2 ? (total - min - max) / (target.count - 2) : max;
  const below = size.total / count <= rest;
  const [low, high] = below ? [min, rest] : [rest, max];
  const many = high === low ? 0 : Math.round((size.total - count * low) / (high - low));
  const middle = target.count > 2 ? 2 : 1;
  return `n < ${many} ? ${below ? middle : 1} : ${below ? 0 : middle}`;
}
