import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RecordedMessages } from '../../../src/model/documents/recorded/recording.ts';
import type { OtherChannel } from '../../../src/model/documents/report.ts';
import type { Facts } from '../../../src/model/documents/shape.ts';
import { fasterSerialization, isSignal } from '../../../src/record/analyze/recorded.ts';
import { row, shapeOf } from '../../make.ts';

type Site = Parameters<typeof fasterSerialization>[0];

const LOST = [{ rule: 'spec/json-date', path: '$.at', count: 1 }];

function site(ratio: number, totalMs: number, other: Partial<OtherChannel> = {}, to = 'child a.js'): Site {
  const ci: [number, number] = [ratio * 0.95, ratio * 1.05];
  const outcome = ratio < 0.95 ? 'faster' : ratio > 1.05 ? 'slower' : 'unsure';
  return {
    posted: { from: 'main', to, serialization: 'json' },
    cost: { perMessageNs: 1, totalMs, share: 1, of: 'measured' },
    other: {
      ...{ channel: 'ipc-advanced', outcome, kept: [], lost: [] },
      ratio: { ratio, ci, samples: 100, processes: 3 },
      ...other,
    },
  };
}
const back = (one: Site): Site => ({ ...one, posted: { ...one.posted, from: one.posted.to!, to: 'main' } });

const UNSURE = { ratio: 0.1, ci: [0.01, 0.9] as [number, number], samples: 4, processes: 3 };

/** What is told of the first of them. */
const ROWS: [what: string, sites: Site[], share: number | null][] = [
  ['no difference', [site(1, 10)], null],
  ['messages of another child do not count', [site(0.4, 10), site(1.4, 100, {}, 'child b.js')], 0.4],
  ['the way back costs more than is saved', [site(0.4, 10), back(site(1.4, 100))], null],
  ['the way back is refused', [site(0.4, 10), back(site(1, 1, { ratio: null, outcome: 'refused' }))], null],
  ['the way back would lose something', [site(0.4, 10), back(site(0.5, 1, { lost: LOST }))], null],
  ['what it keeps is no obstacle', [site(0.4, 10, { kept: LOST })], 0.4],
  ['how much is not known', [site(0.4, 10, { ratio: UNSURE })], null],
  ['not timed', [{ ...site(0.4, 10), other: undefined }], null],
];

for (const [what, sites, share] of ROWS)
  test(`the serialization of a child: ${what}`, () => {
    assert.equal(fasterSerialization(sites[0]!, sites)?.share ?? null, share);
  });

/** What is taken to be a signal: it may be posted again and again, and is never the same news. */
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

/** A reply in a list, of these rows. */
const inList = (...rows: Facts[]): Facts[] => [
  ...[row('$', 'array', [], size(2)), row('$[*]', 'number', ['int32']), ...rows],
];

type SignalRow = [what: string, envelope: RecordedMessages['envelope'], rows: Facts[], is: boolean];

const SIGNALS: SignalRow[] = [
  ['undefined', null, [row('$', 'undefined')], true],
  ['a long text', null, [row('$', 'string', [], size(65))], false],
  ['an empty object', null, [row('$', 'object', [], size(0))], true],
  ['a buffer', null, [row('$', 'arraybuffer')], false],
  ['a reply of undefined', reply('piscina'), result(row('$.result', 'undefined')), true],
  ['the envelope alone says nothing', reply('piscina'), result(), false],
  ['a reply in a list, of null', reply('jest-worker'), inList(row('$[*]', 'null')), true],
  ['a list, of an object', reply('jest-worker'), inList(row('$[*]', 'object', [], size(1))), false],
];

for (const [what, envelope, rows, is] of SIGNALS) {
  test(`signal: ${what}`, () => assert.equal(isSignal(shapeOf('v8', ...rows), envelope), is));
}
