import type { Plan, Remedy } from '../model/remedy.ts';
import type { Shape } from '../model/shape.ts';
import { remedyFromCode } from './code/remedy-from-code.ts';
import { declareFromMessage, declareToMessage } from './code/rewrite.ts';
import { anyRow, commonPath, has, type PatternRows, ShapeIndex, sizeOf } from './facts/shape-index.ts';

interface DedupePlan extends Plan {
  paths: string[];
}

/** JSC and WebKit write a repeated string once by themselves. */
const WRITES_EACH: ReadonlySet<string> = new Set(['v8', 'spidermonkey']);
/** UTF-16 units: a table of shorter strings costs more than copying them (seen on Node 24: break-even near 400). */
const LEAST = 512;

const isRepeated = (spot: PatternRows) =>
  anyRow(spot, (row) => row.kind === 'string' && has(row, 'repeated')) &&
  !spot.kinds.has('number') &&
  sizeOf(spot) >= LEAST * spot.count;

/** Strings only: two equal objects made one would see each other's changes. */
function wanted(shape: Shape): Plan[] {
  const spots = new ShapeIndex(shape);
  if (!WRITES_EACH.has(shape.representation.engine)) return [];
  const paths = spots
    .all()
    .filter((spot) => spot.depth > 0 && isRepeated(spot) && spots.isRewritable(spot.pattern))
    .map((spot) => spot.pattern);
  return paths.length === 0 ? [] : [{ path: commonPath(paths), paths }];
}

function source(paths: readonly string[]) {
  const indexed = paths.map((path) => ({ path, rewrite: (value: string) => `numberOf(${value})` }));
  const spelled = paths.map((path) => ({ path, rewrite: (value: string) => `textOf(${value})` }));
  return {
    sender: `let texts = [];
let numbers = new Map();
function numberOf(value) {
  if (typeof value === 'number') throw new TypeError('numbers among the strings');
  if (typeof value !== 'string') return value;
  let number = numbers.get(value);
  if (number === undefined) {
    number = texts.push(value) - 1;
    numbers.set(value, number);
  }
  return number;
}
${declareToMessage(indexed, 'withNumbers')}
function toMessage(payload) {
  texts = [];
  numbers = new Map();
  return { body: withNumbers(payload), texts };
}`,
    receiver: `let texts = [];
function textOf(value) {
  return typeof value === 'number' ? texts[value] : value;
}
${declareFromMessage(spelled, 'withTexts')}
function fromMessage(message) {
  texts = message.texts;
  return withTexts(message.body);
}`,
  };
}

export const dedupe: Remedy = remedyFromCode({
  name: 'dedupe',
  title: 'send each repeated string once',
  loses: [],
  wanted,
  source: (plan) => source((plan as DedupePlan).paths),
});
