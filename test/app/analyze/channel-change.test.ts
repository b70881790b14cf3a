import assert from 'node:assert/strict';
import { test } from 'node:test';
import { channelChange } from '../../../src/app/analyze/measure.ts';
import { otherIpc } from '../../../src/model/names.ts';
import { shapeOf } from '../../record/module/made-again.ts';

class Point {
  x = 1;
}

/** From JSON text to the serializer; the way back is the other way round. */
const ROWS: [what: string, value: unknown, kept: string[], lost: string[], isRefused?: boolean][] = [
  ['plain data', { list: [{ a: 1, text: 'x', none: null }] }, [], []],
  ['a class is plain in both', { at: new Point() }, [], []],
  [
    'a Map, NaN and undefined',
    { a: new Map([[1, 2]]), b: Number.NaN, c: undefined },
    ['spec/json-emptied $.a', 'spec/json-number $.b', 'spec/json-undefined $.c'],
    [],
  ],
  [
    'a function, which JSON leaves out',
    { run() {} },
    ['spec/json-function $.run'],
    ['spec/function $.run'],
    true,
  ],
];

const told = (all: { rule: string; path: string }[]) => all.map(({ rule, path }) => `${rule} ${path}`).sort();
const runtime = { name: 'node', version: '24.21.0', engine: 'v8' } as const;

for (const [what, value, kept, lost, isRefused = false] of ROWS)
  test(`losses that only one ipc serialization has are reported: ${what}`, () => {
    const shape = shapeOf(value);
    const change = (channel: 'ipc-json' | 'ipc-advanced') =>
      channelChange(shape, { runtime, channel }, otherIpc(channel));
    const there = change('ipc-json');
    assert.deepEqual([told(there.kept), told(there.lost), there.isRefused], [kept, lost, isRefused]);
    const back = change('ipc-advanced');
    assert.deepEqual([told(back.kept), told(back.lost)], [lost, kept]);
  });
