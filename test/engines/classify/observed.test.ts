/** Losses that a real post shows decide: told ones that did not happen go, untold ones are named. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { classify } from '../../../src/engines/classify/classify.ts';
import { lossErrors, toldLosses, UNTOLD, withObservedLosses } from '../../../src/engines/classify/losses.ts';
import { ENGINES } from '../../../src/engines/index.ts';
import { differences } from '../../../src/value/compare/compare.ts';
import { describe } from '../../../src/value/describe/describe.ts';
import { probeFor } from '../../support/probe.ts';

const WHERE = { runtime: { name: 'node', version: '24.21.0', engine: 'v8' }, channel: 'worker' } as const;
const probe = await probeFor();

class Point {
  x = 1;
}

/** @param arrived what the receiver got; undefined: nothing could be seen */
function observed(value: unknown, arrived: unknown) {
  const shape = describe(value, probe);
  const told = classify(shape, ENGINES.v8, WHERE);
  const losses = arrived === undefined ? null : differences(value, arrived);
  const books = { engine: ENGINES.v8, context: WHERE };
  const { findings } = withObservedLosses(told, shape, losses, books);
  return {
    lossy: findings.filter(({ level, rule }) => level === 'lossy' && rule !== UNTOLD).map(({ rule }) => rule),
    untold: findings.filter(({ rule }) => rule === UNTOLD).map(({ path, what }) => `${path} ${what}`),
  };
}

const ROWS: [name: string, value: unknown, arrived: unknown, lossy: string[], untold: string[]][] = [
  ['nothing was seen', { at: new Point() }, undefined, ['spec/class-instance'], []],
  ['the loss that is told', { at: new Point() }, { at: { x: 1 } }, ['spec/class-instance'], []],
  ['a loss that is told, and did not happen', { at: new Point() }, { at: new Point() }, [], []],
  ['a loss that no rule tells', { at: new Date(3) }, { at: 'text' }, [], ['$.at Date became string']],
  ['a whole value', { at: new Date(3) }, { at: new Date(3) }, [], []],
  ['a symbol of Node', { at: new Map(), [Symbol('kHandle')]: 1 }, { at: new Map() }, ['spec/symbol-key'], []],
];

for (const [name, value, arrived, lossy, untold] of ROWS)
  test(name, () => assert.deepEqual(observed(value, arrived), { lossy, untold }));

test('a symbol key of an element is told, although another element loses a property that is told by its own path', () => {
  const context = { ...WHERE, channel: 'ipc-json' } as const;
  const value = [Object.defineProperty([], Symbol('h'), { value: 1 }), { b: undefined }];
  const told = toldLosses(describe(value, probe, context), ENGINES.v8, context);
  const errors = (arrived: unknown) => lossErrors(told, differences(value, arrived));
  assert.deepEqual(errors([[], {}]), { untold: [], false: [] });
  assert.deepEqual(
    errors([[], 5]).untold.map(({ path }) => path),
    ['$[1]'],
  );
});
