/** Told and real losses of one value, compared without a runtime. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENGINES, STANDARD } from '../../src/engines/index.ts';
import type { Facts } from '../../src/model/documents/shape.ts';
import type { Channel } from '../../src/model/names.ts';
import type { RealLoss } from '../../src/model/wire/wire.ts';
import { facts as rowOf, runtime, shape } from '../make.ts';
import { complaintOf } from './losses.ts';

const CHROMIUM = { ...runtime('chromium@156.0.0.0'), spec: 'chromium@156.0.0.0', binary: '', from: 'test' };
const absent = (path: string, what: string): RealLoss => ({
  path,
  what: `${what} became absent`,
  kind: 'property',
  owner: '$',
});
const exception: Facts = { ...rowOf('$', 'error'), tag: 'DOMException' };
const error: Facts = { ...rowOf('$', 'error'), tag: 'Error' };

const ROWS: [name: string, facts: Facts, losses: RealLoss[], complaint: RegExp | ''][] = [
  ['a DOMException that the browser threw loses its stack', exception, [absent('$.stack', 'string')], ''],
  ['its stack is a number of the user', exception, [absent('$.stack', 'number')], ''],
  ['its stack is an object of the user', exception, [absent('$.stack', 'object')], ''],
  ['another property of it', exception, [absent('$.own', 'number')], /^untold: property at \$: \$\.own/],
  ['the stack of another error', error, [absent('$.stack', 'number')], /^untold: property at \$: \$\.stack/],
];

for (const [name, facts, losses, complaint] of ROWS)
  test(`chromium: ${name}`, () => {
    const against = {
      runtime: CHROMIUM,
      channel: 'extension-clone' as Channel,
      engine: ENGINES.v8,
      standard: STANDARD,
    };
    const found = complaintOf({ shape: shape({ patterns: [facts] }), losses }, against);
    if (complaint === '') assert.equal(found, '');
    else assert.match(found, complaint);
  });
