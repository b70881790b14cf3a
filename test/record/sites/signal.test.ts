/** What is taken to be a signal: it may be posted again and again, and is never the same news. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RecordedMessages } from '../../../src/model/documents/recorded/recording.ts';
import type { Facts } from '../../../src/model/documents/shape.ts';
import { isSignal } from '../../../src/record/analyze/recorded.ts';
import { row, shapeOf } from '../../make.ts';

const size = (max: number) => ({ size: { min: max, max, total: max } });
const reply = (library: NonNullable<RecordedMessages['envelope']>['library']) =>
  ({ library, direction: 'reply' }) as const;
/** A reply of piscina around these rows. */
const result = (...rows: Facts[]): Facts[] => [
  row('$', 'object', [], size(3)),
  row('$.taskId', 'number', ['int32']),
  row('$.error', 'null'),
  ...rows,
];

type Row = [what: string, envelope: RecordedMessages['envelope'], rows: Facts[], is: boolean];

const ROWS: Row[] = [
  ['undefined', null, [row('$', 'undefined')], true],
  ['null', null, [row('$', 'null')], true],
  ['a boolean', null, [row('$', 'boolean')], true],
  ['a number', null, [row('$', 'number', ['int32'])], true],
  ['a bigint', null, [row('$', 'bigint')], true],
  ['a word', null, [row('$', 'string', [], size(5))], true],
  ['a long text', null, [row('$', 'string', [], size(65))], false],
  ['an empty object', null, [row('$', 'object', [], size(0))], true],
  ['an empty list', null, [row('$', 'array', [], size(0))], true],
  ['an object', null, [row('$', 'object', [], size(1)), row('$.a', 'null')], false],
  ['a buffer', null, [row('$', 'arraybuffer')], false],
  ['a date', null, [row('$', 'date')], false],
  ['a reply of undefined', reply('piscina'), result(row('$.result', 'undefined')), true],
  ['a reply of true', reply('piscina'), result(row('$.result', 'boolean')), true],
  ['a reply of an empty object', reply('piscina'), result(row('$.result', 'object', [], size(0))), true],
  [
    'a reply of an object',
    reply('piscina'),
    result(row('$.result', 'object', [], size(1)), row('$.result.a', 'null')),
    false,
  ],
  ['a reply of a long text', reply('piscina'), result(row('$.result', 'string', [], size(1000))), false],
  ['the envelope alone says nothing', reply('piscina'), result(), false],
  [
    'a reply in a list, of null',
    reply('jest-worker'),
    [row('$', 'array', [], size(2)), row('$[*]', 'number', ['int32']), row('$[*]', 'null')],
    true,
  ],
  [
    'a reply in a list, of an object',
    reply('jest-worker'),
    [
      row('$', 'array', [], size(2)),
      row('$[*]', 'number', ['int32']),
      row('$[*]', 'object', [], size(1)),
      row('$[*].a', 'null'),
    ],
    false,
  ],
];

for (const [what, envelope, rows, is] of ROWS) {
  test(`signal: ${what}`, () => assert.equal(isSignal(shapeOf('v8', ...rows), envelope), is));
}
