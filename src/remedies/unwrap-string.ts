import { parsePath } from '../core/paths.ts';
import type { Plan, Remedy } from '../model/remedy.ts';
import type { Shape } from '../model/shape.ts';
import { member, propertyName } from './code/javascript.ts';
import { type RemedyCode, remedyFromCode } from './code/remedy-from-code.ts';
import { declareToMessage } from './code/rewrite.ts';
import { commonPath, everyRow, type PatternRows, ShapeIndex, sizeOf } from './facts/shape-index.ts';

interface UnwrapPlan extends Plan {
  /** The strings that travel as values of the flat message. */
  paths: string[];
  /** bare: nothing but the one string is in the payload, so it is the message. beside: the rest goes as JSON text. */
  form: 'bare' | 'beside';
}

/** Bun shares strings from here on instead of copying them. */
const SHARED_FROM = 256;
const MOST_STRINGS = 8;

function isBigText(spot: PatternRows): boolean {
  return spot.count === 1 && spot.kinds.has('string') && sizeOf(spot) >= SHARED_FROM;
}

function isNamed(path: string): boolean {
  const steps = parsePath(path) ?? [];
  return steps.length > 0 && steps.every((step) => step.type === 'key' && step.key !== '__proto__');
}

/** Only objects of one key lead to it. */
function isAlone(spots: ShapeIndex, path: string): boolean {
  const all = spots.all();
  const isOnTheWay = all.every(
    (spot) => spot.pattern === path || everyRow(spot, (row) => row.kind === 'object'),
  );
  return isOnTheWay && all.length === (parsePath(path)?.length ?? 0) + 1;
}

function wanted(shape: Shape): Plan[] {
  const spots = new ShapeIndex(shape);
  // Only Bun treats a string better as the root or in a flat object than further down.
  if (shape.representation.engine !== 'jsc' || spots.root?.rows[0]?.kind !== 'object') return [];
  const big = spots.all().filter((spot) => isBigText(spot) && isNamed(spot.pattern));
  const paths = big.slice(0, MOST_STRINGS).map((spot) => spot.pattern);
  const first = paths[0];
  if (first === undefined || !paths.every((path) => spots.isRewritable(path))) return [];
  if (isAlone(spots, first)) return [{ path: first, paths, form: 'bare' }];
  const isFlat = spots.all().every((spot) => spot.depth <= 1);
  const path = commonPath(paths);
  return shape.jsonSafe && !isFlat ? [{ path, paths, form: 'beside' }] : [];
}

function keysOf(path: string): string[] {
  return parsePath(path)!.map((step) => {
    if (step.type === 'key' && step.key !== '__proto__') return step.key;
    throw new TypeError(`${path} does not lead to one string`);
  });
}

const read = (from: string, keys: readonly string[]) => from + keys.map(member).join('');

function bareSource(path: string): RemedyCode {
  const keys = keysOf(path);
  const text = read('payload', keys);
  const others = keys.map((_, depth) => `Object.keys(${read('payload', keys.slice(0, depth))}).length > 1`);
  const wrapped = keys.reduceRight((inner, key) => `{ ${propertyName(key)}: ${inner} }`, 'message');
  return {
    sender: `function toMessage(payload) {
  if (typeof ${text} !== 'string' || ${others.join(' || ')}) throw new TypeError('not one string alone');
  return ${text};
}`,
    receiver: `function fromMessage(message) {
  return ${wrapped};
}`,
  };
}

/** Zero keeps the place, and so the order of the keys. */
function besideSource(paths: readonly string[]): RemedyCode {
  const texts = paths.map((path, i) => ({ name: `text${i}`, keys: keysOf(path) }));
  const list = texts.map(({ name }) => name).join(', ');
  const targets = paths.map((path) => ({ path, rewrite: () => '0' }));
  return {
    sender: `${declareToMessage(targets, 'withoutTexts')}
function toMessage(payload) {
${texts.map(({ name, keys }) => `  const ${name} = ${read('payload', keys)};`).join('\n')}
  if (${texts.map(({ name }) => `typeof ${name} !== 'string'`).join(' || ')}) throw new TypeError('no string there');
  return { rest: JSON.stringify(withoutTexts(payload)), ${list} };
}`,
    receiver: `function fromMessage(message) {
  const payload = JSON.parse(message.rest);
${texts.map(({ name, keys }) => `  ${read('payload', keys)} = message.${name};`).join('\n')}
  return payload;
}`,
  };
}

export const unwrapString: Remedy = remedyFromCode({
  name: 'unwrap-string',
  title: 'take the big string out of the object',
  loses: ['what JSON text cannot hold, in the rest; a value that holds such a thing is not offered this'],
  wanted,
  source(plan) {
    const { paths, form } = plan as UnwrapPlan;
    return form === 'bare' ? bareSource(paths[0]!) : besideSource(paths);
  },
});
