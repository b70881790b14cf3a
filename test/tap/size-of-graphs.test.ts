/** Messages of which some are visited: the size is told where those say something of the others, and is unknown of graphs. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { types } from 'node:util';
import { seeded } from '../../src/core/stats/random.ts';
import { counted, trusted } from '../../src/tap/size/counted.ts';
import type { SizeEngine } from '../../src/tap/size/scalars.ts';
import '../support/probe.ts';

const ENGINE: SizeEngine = { types, smallBits: 31 };

type Node = { id: number; label: string; next: Node[] };
const list = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

/** Each of so many nodes refers to some others. */
function graph(count: number, edges: number): Node[] {
  const random = seeded(7);
  const nodes = list(count, (id): Node => ({ id, label: 'x'.repeat(1 + (id % 25)), next: [] }));
  for (const node of nodes) node.next.push(...list(edges, () => nodes[Math.floor(random() * count)]!));
  return nodes;
}

function chain(count: number): object[] {
  const all = list(count, (id) => ({ id, next: null as object | null, previous: null as object | null }));
  for (const [i, one] of all.entries()) {
    one.next = all[i + 1] ?? null;
    one.previous = all[i - 1] ?? null;
  }
  return all;
}

function withParent(count: number): object {
  const root = { children: [] as object[] };
  root.children = list(count, (id) => ({ id, parent: root, name: 'x'.repeat(10) }));
  return root;
}

const rules = list(10, (i) => ({ i, rules: list(300, () => 'x'.repeat(20)) }));

const GRAPHS: Readonly<Record<string, unknown>> = {
  'three edges a node': graph(1200, 3),
  'in an envelope': { type: 'graph', nodes: graph(1200, 2) },
  'values of a map': new Map(graph(1200, 3).map((node) => [node.id, node])),
  'members of a set': new Set(graph(1200, 3)),
  'the next and the one before': chain(2000),
};

const NO_GRAPHS: Readonly<Record<string, unknown>> = {
  records: list(5000, (id) => ({ id, tags: ['x'], name: 'x'.repeat(id % 30) })),
  'each has its parent': withParent(2000),
  'some of ten others': list(2000, (id) => ({ id, name: 'x'.repeat(10), of: rules[id % 10] })),
  'the same few again and again': list(5000, (id) => rules[id % 10]!),
};

const sizeOf = (value: unknown, nodes: number) =>
  trusted((most) => counted(value, ENGINE, most, null), nodes);

function isHeld(value: unknown, bytes: number, error: number): boolean {
  const whole = counted(value, ENGINE, Number.POSITIVE_INFINITY, null)!;
  assert.ok(whole.isWhole);
  return Math.abs(whole.bytes / bytes - 1) <= error;
}

for (const [name, value] of Object.entries(GRAPHS)) {
  test(`the size of a graph is unknown, or within its interval: ${name}`, () => {
    const told = [50, 200, 600, 2000].map((nodes) => sizeOf(value, nodes));
    assert.ok(told.includes(null));
    for (const one of told)
      assert.ok(one === null || isHeld(value, one.bytes, one.error), `${one?.bytes} ± ${one?.error}`);
  });
}

for (const [name, value] of Object.entries(NO_GRAPHS)) {
  test(`others have a size: ${name}`, () => {
    const { bytes, error } = sizeOf(value, 600)!;
    assert.ok(isHeld(value, bytes, Math.max(error, 0.1)), `${bytes} ± ${error}`);
  });
}
