/** Seeded programs of payloads that codecs are made for: records, tables of them, dictionaries, unions, long lists. */
import { type Random, randomBelow, seeded, seedFor } from '../../../src/stats/intervals/random.ts';
import { type Entry, type Program, partsOf } from '../../differential/program.ts';
import { pick } from './mutated.ts';
import { ODD_KEYS, OWN_NAMES } from './odd-keys.ts';

const DEEPEST = 4;
/** Of a list: more of the same tells nothing new. */
const MAX_NODES = 500;

const KEYS = ['id', 'name', 'items', 'value', 'state', ...OWN_NAMES, ...ODD_KEYS, 'x\0y'];

const SCALARS =
  '0 1 -1 7 1.5 -0 NaN Infinity true false null undefined "" "text" "é" "\\ud800" "\\udc00x" 2147483647 -2147483648 ' +
  '-2147483640 -2147483641 2147483648 -Number.MAX_VALUE 5e-324 1n -(2n**63n) 2n**63n "long".repeat(30)';
const RICH = [
  ...['new Date(0)', 'new Date(NaN)', 'new Date(-8.64e15)', '/x/g', 'new Uint8Array(3)'],
  ...['new Uint8Array(new ArrayBuffer(16), 4, 4)', 'Object(1)', 'new Error("e")', '[1, undefined]'],
  ...['[, 1]', '[]', '({})', 'new Map()', 'new Set()'],
];

const repeated = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);
const list = (items: Program[]): Program => ({
  ...{ op: 'array', origin: 'literal', items, bulk: null, steps: [] },
});
const object = (entries: Entry[]): Program => ({
  ...{ op: 'object', origin: 'literal', entries: [...new Map(entries)], bulk: 0, steps: [] },
});

/** Gives values of one type: each call another one. */
type Source = () => Program;

function scalars(random: Random): Source {
  const codes = repeated(1 + randomBelow(3, random), () => pick(SCALARS.split(' '), random));
  if (randomBelow(3, random) > 0) codes.length = 1;
  return () => ({ op: 'scalar', code: pick(codes, random) });
}

function records(depth: number, random: Random): Source {
  const fields = [...new Set(repeated(randomBelow(6, random), () => pick(KEYS, random)))].map(
    (key): [string, Source] => [key, source(depth + 1, random)],
  );
  const way = randomBelow(5, random);
  return () => {
    const entries = fields
      .filter(() => way < 2 || randomBelow(4, random) > 0)
      .map(([key, make]): Entry => [key, make()]);
    return object(way === 4 && randomBelow(2, random) === 0 ? entries.reverse() : entries);
  };
}

/** Keys that are never the same twice, or come again. */
function dictionaries(depth: number, random: Random): Source {
  const make = source(depth + 1, random);
  const special = source(depth + 1, random);
  const [count, repeats] = [randomBelow(12, random), randomBelow(2, random) === 0];
  let next = 0;
  return () => {
    const entries = repeated(
      count,
      (): Entry => [
        repeats
          ? `k-${randomBelow(9, random)}`
          : pick([`id-${next++}`, String(next++), `${next++}.5`], random),
        make(),
      ],
    );
    if (randomBelow(3, random) === 0) entries.push(['kind', special()]);
    return object(entries);
  };
}

function containers(depth: number, random: Random): Source {
  const inner = source(depth + 1, random);
  const kind = pick(['map', 'set'], random);
  return () => ({ op: 'container', kind, parts: repeated(randomBelow(4, random), inner) });
}

function lists(depth: number, random: Random): Source {
  const inner = source(depth + 1, random);
  const length = randomBelow(5, random);
  const isTuple = randomBelow(3, random) === 0;
  return () => list(repeated(isTuple ? length : randomBelow(9, random), inner));
}

/** A value of the type around it, now and then: records that hold themselves. */
function trees(depth: number, random: Random): Source {
  const inner = source(depth + 1, random);
  const node = (left: number): Program => {
    const children = left > 0 ? repeated(randomBelow(3, random), () => node(left - 1)) : [];
    return object([
      ['value', inner()],
      ['children', list(children)],
    ]);
  };
  return () => node(3);
}

function unions(depth: number, random: Random): Source {
  const all = repeated(2 + randomBelow(2, random), () => source(depth + 1, random));
  return () => pick(all, random)();
}

function source(depth: number, random: Random): Source {
  if (depth > DEEPEST || randomBelow(5, random) < 2)
    return randomBelow(8, random) === 0
      ? () => ({ op: 'builtin', code: pick(RICH, random) })
      : scalars(random);
  const makers = [records, records, records, lists, lists, dictionaries, containers, trees, unions];
  return pick(makers, random)(depth, random);
}

const nodesOf = (program: Program): number =>
  partsOf(program).reduce((total, part) => total + nodesOf(part), 1);

/** Value number `index` of the sequence of `seed`. */
export function typicalProgramAt(seed: number, index: number): Program {
  const random = seeded(seedFor(seed, index));
  const one = pick([records, records, lists, dictionaries, trees, unions], random)(0, random);
  const at = randomBelow(4, random);
  if (at === 0) return one();
  const [items, count]: [Program[], number] = [[], at === 1 ? 40 : 1 + randomBelow(8, random)];
  for (let nodes = 0; items.length < count && nodes < MAX_NODES; nodes += nodesOf(items.at(-1)!))
    items.push(one());
  return list(items);
}
