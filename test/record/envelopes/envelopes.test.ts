import assert from 'node:assert/strict';
import { describe as suite, test } from 'node:test';
import { LIBRARIES } from '../../../src/model/names.ts';
import type { PostingApi } from '../../../src/model/recording/recording.ts';
import * as envelopes from '../../../src/record/envelopes/envelopes.ts';
import { describe } from '../../../src/value/describe/describe.ts';
import { probeFor } from '../../support/probe.ts';
import { treeOf } from '../module/made-again.ts';

const PAIRS: [envelopes.EnvelopeSide, envelopes.EnvelopeSide][] = [
  ['sender', 'receiver'],
  ['receiver', 'sender'],
  ['alone', 'alone'],
  ['alone', 'receiver'],
];

for (const library of [null, ...LIBRARIES])
  test(`${library ?? 'no library'}: each end gets what the other posts`, () => {
    const value = { a: 1 };
    for (const [from, to] of PAIRS) {
      const message = envelopes.envelopeFor(library, from).wrap(value, []);
      assert.equal(envelopes.envelopeFor(library, to).unwrap(message), value);
      assert.deepEqual(envelopes.envelopeFor(library, to).unwrap(structuredClone(message)), value);
    }
  });

test('poolifier posts its transfer list as well', () => {
  const buffer = new ArrayBuffer(8);
  const message = envelopes.envelopeFor('poolifier', 'sender').wrap({ buffer }, [buffer]);
  const sent = structuredClone(message, { transfer: [buffer] }) as {
    data: { buffer: ArrayBuffer };
    transferList: ArrayBuffer[];
  };
  assert.equal(sent.transferList[0], sent.data.buffer);
});

const frame = { file: 'node_modules/x/index.js', line: 1, column: 1, name: null };
const from = (name: string) => ({ name, version: null, frame });
const said = (value: unknown, name: string, api: PostingApi) => {
  const found = envelopes.recognise(treeOf(value), from(name), api);
  return found && `${found.library} ${found.direction}`;
};

for (const library of LIBRARIES)
  test(`what ${library} posts now`, () => {
    for (const value of [{ a: [1, 'x'], taskId: 1 }, 'text', null, undefined, [[1], { id: 1 }]]) {
      const [request, reply] = (['sender', 'receiver'] as const).map((side) =>
        envelopes.envelopeFor(library, side).wrap(value, []),
      );
      assert.equal(said(request, library, 'Worker.postMessage'), `${library} request`);
      assert.equal(said(reply, library, 'parentPort.postMessage'), `${library} reply`);
    }
  });

const TASK = { task: 1, taskId: 1, filename: 'a.js', name: 'default' };
const APART = { __tinypool_worker_message__: true };
const TINY = { taskId: 1, result: 1, error: null, usedMemory: 1 };

/** Messages of other versions, and what is not an envelope. */
type Row = [what: string, value: unknown, library: string, expected: string | null];
const ROWS: Row[] = [
  ['before histograms', TASK, 'piscina', 'piscina request'],
  ['in a process', { ...TASK, source: 'pool', ...APART }, 'tinypool', 'tinypool request'],
  ['from a process', { ...TINY, source: 'port', ...APART }, 'tinypool', 'tinypool reply'],
  ['with a buffer', { sharedBuffer: 1, id: 1, args: [] }, 'synckit', 'synckit request'],
  ['without stdio', { id: 1, result: 1 }, 'synckit', 'synckit reply'],
  ['a text', '[1,{"a":1}]', 'promise-worker', null],
  ['of a handler', { id: 'x', type: 'HANDLER', name: 'proxy', value: 1 }, 'comlink', 'comlink reply'],
  ['that gets a property', { id: 'x', type: 'GET', path: [] }, 'comlink', null],
  ['that ends', [1, false], 'jest-worker', null],
  ['of five elements', [0, false, 'a.js', [], '1'], 'jest-worker', null],
  ['in the form of another library', TASK, 'workerpool', null],
  ['of no known library', TASK, 'left-pad', null],
];

suite('other messages', () => {
  for (const [what, value, library, expected] of ROWS) {
    test(`${library}, ${what}: ${expected}`, () =>
      assert.equal(said(value, library, 'Worker.postMessage'), expected));
  }

  test('nothing is recognised without a library, or if only some items of a list were kept', () => {
    const tree = treeOf([1, null]);
    assert.equal(envelopes.recognise(tree, null, 'Worker.postMessage'), null);
    assert.ok(typeof tree === 'object' && tree?.is === 'array');
    assert.equal(envelopes.recognise({ ...tree, of: 5 }, from('promise-worker'), 'Worker.postMessage'), null);
  });
});

const probe = await probeFor({ assume: 'v8' });
const shapeOf = (value: unknown) => describe(value, probe, { fromJson: false, jsonBytes: false });

/** Its facts would stand in the rows of the envelope. */
const MIXED = ['promise-worker'];

for (const library of LIBRARIES) {
  test(`the value that ${library} sends has its own shape without the envelope`, () => {
    const value = { rows: [{ id: 1, name: 'one' }, { id: 2 }], at: new Date(0) };
    const below = envelopes.shapeBelow(
      shapeOf(envelopes.inEnvelope(library, value)),
      envelopes.valuePath(library, 'request'),
    );
    if (MIXED.includes(library)) {
      assert.equal(below, null);
      return;
    }
    const shape = shapeOf(value);
    for (const field of ['patterns', 'nodes', 'depth'] as const)
      assert.deepEqual(below?.[field], shape[field]);
  });
}

test('no shape where nothing is there, several values are, or the text is not a path', () => {
  const several = { args: [{ a: 1 }, { b: 2 }] };
  for (const [message, path] of [
    [{ a: 1 }, '$.task'],
    [several, '$.args[0]'],
    [{ a: 1 }, 'task'],
  ] as const)
    assert.equal(envelopes.shapeBelow(shapeOf(message), path), null);
});
