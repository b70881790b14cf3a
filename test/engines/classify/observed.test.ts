import assert from 'node:assert/strict';
import { test } from 'node:test';
import { classify } from '../../../src/engines/classify/classify.ts';
import {
  lossErrors,
  toldLosses,
  UNTOLD,
  withConfirmation,
  withObservedLosses,
  withVaryingValue,
} from '../../../src/engines/classify/observed.ts';
import { ENGINES } from '../../../src/engines/index.ts';
import type { Blocker } from '../../../src/model/documents/classification.ts';
import type { Confirmation } from '../../../src/model/wire/wire.ts';
import { differences } from '../../../src/value/compare/compare.ts';
import { describe } from '../../../src/value/describe/describe.ts';
import { rowsIn } from '../../make.ts';
import { probeFor } from '../../support/probe.ts';
import { run } from './classified.ts';

const predicted = (engine: 'v8' | 'jsc', facts: string) =>
  run(engine === 'v8' ? 'node@24.21.0' : 'bun@1.4.5', rowsIn(facts));

const rulesOf = (blockers: readonly Blocker[]) => blockers.map(({ rule }) => rule);

const oracle = (path: Confirmation['path'], more: Partial<Confirmation> = {}): Confirmation => ({
  path,
  evidence: 'test',
  examples: [],
  hidden: [],
  refused: null,
  ...more,
});

const FLAT = '$ object history-unknown; $.id number int32';
const ROWS = '$ array contiguous; $[*] object ×9 history-unknown; $[*].id number';
const LONG = '$ string units-from-256';

test('confirmed stays null without an oracle, or if the oracle gives no answer', () => {
  const before = predicted('jsc', FLAT);
  assert.deepEqual(withConfirmation(before, null), before);
  assert.deepEqual(withConfirmation(before, oracle(null)), before);
  assert.equal(before.verdict.confirmed, null);
});

test('the same path: confirmed, and no unknowns are left', () => {
  for (const [before, path] of [
    [predicted('jsc', FLAT), 'simple-object'],
    [predicted('jsc', ROWS), 'dense-array'],
    [predicted('jsc', `${LONG} share-unknown`), 'string-shared'],
    [predicted('v8', '$ array'), 'packed-array'],
  ] as const) {
    assert.equal(before.verdict.unknowns.length, 1, path);
    const { verdict, findings } = withConfirmation(before, oracle(path));
    assert.deepEqual([verdict.confirmed, verdict.path, verdict.unknowns], [true, path, []]);
    assert.deepEqual(findings, before.findings);
  }
});

test('another path without an explanation: confirmed is false and the verdict is unchanged', () => {
  for (const [before, path] of [
    [predicted('jsc', FLAT), 'serializer'],
    [predicted('jsc', LONG), 'string-copied'],
    [predicted('v8', '$ array packed-smi'), 'holey-array'],
    [predicted('v8', '$ function'), 'fast-object'],
  ] as const) {
    const { verdict } = withConfirmation(before, oracle(path));
    assert.deepEqual([verdict.confirmed, verdict.path], [false, before.verdict.path]);
  }
});

test('number arrays in either storage agree with the prediction', () => {
  const before = predicted('jsc', '$ array double-storage; $[*] number int32');
  assert.deepEqual(withConfirmation(before, oracle('int32-array')).verdict.confirmed, true);
  assert.deepEqual(withConfirmation(before, oracle('simple-array')).verdict.confirmed, false);
});

test('hidden state found by the oracle answers the delete history', () => {
  const { verdict, findings } = withConfirmation(
    predicted('jsc', ROWS),
    oracle('serializer', { hidden: ['$[4]', '$[7]'] }),
  );
  const found = { rule: 'jsc/hidden-state', path: '$[*]', count: 2, example: '$[4]' };
  assert.deepEqual(
    [verdict.confirmed, verdict.path, verdict.class, verdict.aspired, verdict.blockers, verdict.unknowns],
    [true, 'serializer', 'serialized', 'dense-array', [found], []],
  );
  assert.deepEqual(findings[0], { ...found, level: 'slow' });
});

test('hidden state at another path answers nothing', () => {
  const { verdict } = withConfirmation(predicted('jsc', ROWS), oracle('serializer', { hidden: ['$.other'] }));
  assert.equal(verdict.confirmed, false);
});

test('a string of unknown storage is copied', () => {
  const { verdict } = withConfirmation(predicted('jsc', `${LONG} share-unknown`), oracle('string-copied'));
  const { confirmed, path, blockers, unknowns } = verdict;
  assert.deepEqual([confirmed, path, verdict.class, unknowns], [true, 'string-copied', 'bulk', []]);
  assert.deepEqual(rulesOf(blockers), ['jsc/string-copied']);
});

test('a nested array of unknown kind is answered by its own tag', () => {
  const before = predicted('v8', '$ object; $.xs array; $.ys array');
  assert.equal(before.verdict.unknowns.length, 2);
  const at = [{ pattern: '$.xs', example: '$.xs', path: 'holey-array' as const }];
  const { verdict } = withConfirmation(before, oracle('fast-object', { examples: at }));
  assert.deepEqual(
    [verdict.path, verdict.class, verdict.unknowns.map(({ path }) => path)],
    ['fast-object', 'degraded', ['$.ys']],
  );
  assert.deepEqual(verdict.blockers, [{ rule: 'v8/holey-array', path: '$.xs', count: 1, example: '$.xs' }]);
});

test('a value that the engine refuses is rejected at the path found by the engine, regardless of the rules', () => {
  for (const [before, refused, path] of [
    [predicted('v8', FLAT), '$.id', '$.id'],
    [predicted('jsc', ROWS), null, '$'],
  ] as const) {
    const { verdict, findings } = withConfirmation(before, oracle('rejected', { refused }));
    const found = { rule: 'spec/refused', path, count: 1, example: path };
    assert.deepEqual([verdict.path, verdict.class, verdict.confirmed], ['rejected', 'rejected', true]);
    assert.deepEqual(verdict.unknowns, []);
    assert.deepEqual([verdict.blockers[0], findings[0]], [found, { ...found, level: 'rejected' }]);
  }
});

test('the message of the engine selects the rule of a refusal that nothing else explains', () => {
  for (const [evidence, rule] of [
    ['Proxy object could not be cloned.', 'spec/proxy'],
    ['Maximum call stack size exceeded', 'spec/stack-overflow'],
    ['too much recursion', 'spec/stack-overflow'],
    ['#<Object> could not be cloned.', 'spec/refused'],
    ['no Proxy object', 'spec/refused'],
  ] as const) {
    const { verdict } = withConfirmation(predicted('v8', FLAT), oracle('rejected', { evidence }));
    assert.deepEqual(verdict.blockers[0]?.rule, rule, evidence);
  }
});

test('a refusal that a rule explains is reported once', () => {
  const before = predicted('v8', '$ object; $.run function');
  const { verdict, findings } = withConfirmation(before, oracle('rejected', { refused: '$.run' }));
  assert.deepEqual([verdict.confirmed, findings], [true, before.findings]);
});

test('a getter that throws does not contradict the rule book', () => {
  const before = predicted('v8', '$ object; $.item object accessor enumerable-accessor');
  const refused = withConfirmation(before, oracle('rejected')).verdict;
  assert.deepEqual([refused.path, refused.class, refused.confirmed], ['rejected', 'rejected', true]);
  const fine = withConfirmation(before, oracle('fast-object')).verdict;
  assert.deepEqual([fine.path, fine.confirmed, fine.unknowns], ['fast-object', true, []]);
});

test('an answer about a different value neither confirms nor contradicts', () => {
  const contradicted = withConfirmation(predicted('jsc', FLAT), oracle('serializer'));
  assert.equal(contradicted.verdict.confirmed, false);
  const { verdict, findings } = withVaryingValue(contradicted, '$.id', 'value-varies');
  assert.equal(verdict.confirmed, null);
  assert.equal(verdict.path, contradicted.verdict.path);
  assert.deepEqual(verdict.unknowns.at(-1), { what: 'value-varies', path: '$.id', count: 1 });
  assert.deepEqual(findings, contradicted.findings);
});

// Losses that a real post shows decide: told ones that did not happen go, untold ones are named.

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

const LOSSES: [name: string, value: unknown, arrived: unknown, lossy: string[], untold: string[]][] = [
  ['nothing was seen', { at: new Point() }, undefined, ['spec/class-instance'], []],
  ['the loss that is told', { at: new Point() }, { at: { x: 1 } }, ['spec/class-instance'], []],
  ['a loss that is told, and did not happen', { at: new Point() }, { at: new Point() }, [], []],
  ['a loss that no rule tells', { at: new Date(3) }, { at: 'text' }, [], ['$.at Date became string']],
  ['a whole value', { at: new Date(3) }, { at: new Date(3) }, [], []],
  ['a symbol of Node', { at: new Map(), [Symbol('kHandle')]: 1 }, { at: new Map() }, ['spec/symbol-key'], []],
];

for (const [name, value, arrived, lossy, untold] of LOSSES)
  test(`losses: ${name}`, () => assert.deepEqual(observed(value, arrived), { lossy, untold }));

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
