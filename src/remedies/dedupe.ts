import { has } from '../core/shape-facts.ts';
import type { Remedy } from '../model/rules/remedy.ts';
import type { Shape } from '../model/rules/shape.ts';
import { remedyFromCode } from './code/remedy-from-code.ts';
import { declareFromMessage, declareToMessage } from './code/rewrite.ts';
import { callsOf } from './code/target-trie.ts';
import {
  anyRow,
  type PathsPlan,
  type PatternRows,
  planFor,
  ShapeIndex,
  totalSize,
} from './facts/shape-index.ts';

/** JSC and WebKit write a repeated string only once anyway. */
const WRITES_EACH: ReadonlySet<string> = new Set(['v8', 'spidermonkey']);
/** UTF-16 units: a table of shorter strings costs more than copying them (seen on Node 24: break-even near 400). */
const LEAST = 512;

const isRepeated = (at: PatternRows) =>
  anyRow(at, (row) => row.kind === 'string' && has(row, 'repeated')) &&
  !at.kinds.has('number') &&
  totalSize(at) >= LEAST * at.count;

/** Strings only: two equal objects merged into one would see each other's changes. */
function plans(shape: Shape): PathsPlan[] {
  if (!WRITES_EACH.has(shape.representation.engine)) return [];
  return planFor(ShapeIndex.of(shape).rewritable((at) => at.depth > 0 && isRepeated(at)));
}

const TO_INDEX = `let texts/*: string[] */ = [];
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
}`;

const TO_TEXT = `let texts/*: string[] */ = [];
function textOf(value) {
  return typeof value === 'number' ? texts[value] : value;
}`;

export const dedupe: Remedy = remedyFromCode<PathsPlan>({
  name: 'dedupe',
  title: 'send each repeated string once',
  plans,
  source: ({ paths }) => ({
    sender: `${TO_INDEX}
${declareToMessage(callsOf('numberOf', paths), 'withNumbers')}
function toMessage(payload) {
  texts = [];
  numbers = new Map();
  return { body: withNumbers(payload), texts };
}`,
    receiver: `${TO_TEXT}
${declareFromMessage(callsOf('textOf', paths), 'withTexts')}
function fromMessage(message) {
  texts = message.texts;
  return withTexts(message.body);
}`,
  }),
});
