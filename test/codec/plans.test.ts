/** Where remedies apply: paths of their plans for a value, as V8 and JavaScriptCore store it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { REMEDIES, type RemedyName } from '../../src/codec/remedies/index.ts';
import { inferSchema } from '../../src/codec/schema/payload-schema.ts';
import type { Plan } from '../../src/model/documents/trial.ts';
import type { EngineName } from '../../src/model/names.ts';
import type { ProposalFacts } from '../../src/model/rules/remedy.ts';
import { compare } from '../../src/value/compare/compare.ts';
import { STORED } from '../../src/value/describe/inspect/flags.ts';
import { typeDetection } from '../support/probe.ts';
import { big, rows } from './cases/objects.ts';
import { FACTS, shapeOf } from './codecs/emitted.ts';

interface PlanRow {
  value: string;
  make: () => unknown;
  v8: string[];
  jsc: string[];
  facts?: Partial<ProposalFacts>;
  /** Flags with which its strings are stored; absent: by their content. */
  strings?: number;
  /** Its objects of the platform are of this class, which Node does not have. */
  platformClass?: string;
}

const numbers = (count: number) => rows(count, (i) => i);
const dates = (count: number) => rows(count, (i) => new Date(i));
type Context = Pick<PlanRow, 'facts' | 'strings' | 'platformClass'>;
const both = (value: string, make: () => unknown, plans: string[], context: Context = {}): PlanRow => ({
  ...{ value, make, v8: plans, jsc: plans },
  ...context,
});
const table = (count = 100) => rows(count, (i) => ({ id: i, tags: ['x'], pos: [i, 1] }));
const odd = (list: unknown[], element: unknown) => [...list, element];
const port = () => new MessageChannel().port1;
const onDisk = { facts: { channel: 'indexeddb' } } as const;
const toServiceWorker = { facts: { channel: 'service-worker' } } as const;
const overJson = { facts: { channel: 'ipc-json' } } as const;
const toExtension = { facts: { channel: 'extension' } } as const;
const nine = () => new Uint8Array(9);

const NUMBERS: PlanRow[] = [
  both('a list', () => numbers(64), ['$ Float64Array']),
  both('few', () => numbers(63), []),
  both('below keys', () => ({ a: { b: numbers(99) } }), ['$.a.b Float64Array']),
  both('of two keys', () => ({ a: numbers(99), b: 1, c: numbers(99) }), [
    '$.a Float64Array, $.c Float64Array',
  ]),
  both('of keys at several depths', () => ({ a: numbers(99), b: { c: numbers(99) } }), []),
  both('in each row', () => rows(3, () => ({ a: numbers(99) })), []),
  both('in a row', () => [numbers(99)], []),
  both('beside those of rows', () => ({ a: numbers(99), rows: rows(3, () => numbers(99)) }), [
    '$.a Float64Array',
  ]),
  both('a text among them', () => odd(numbers(99), 'x'), []),
  both('a hole', () => Object.assign(numbers(99), { length: 101 }), []),
];

const JSON_TEXTS: PlanRow[] = [
  both('a table', () => table(), ['$']),
  { value: 'beside a number', make: () => ({ n: 1, t: table() }), v8: ['$'], jsc: ['$', '$.t'] },
  both('beside NaN', () => ({ n: Number.NaN, t: table() }), ['$.t']),
  both('beside bytes', () => ({ b: new Uint8Array(9), t: table() }), ['$.t']),
  both('deep, beside a Date', () => ({ a: { at: new Date(5), t: table(), u: table(30) }, n: 1 }), [
    '$.a.t $.a.u',
  ]),
  both('small', () => ({ at: new Date(5), t: table(5) }), []),
  both('a small share', () => ({ at: dates(999), t: table(50) }), []),
  both('a Date in each row', () => [...table(), ...dates(5)], []),
  both('many small', () => rows(99, () => ({ at: new Date(5), t: table(3) })), []),
  both('few large', () => rows(3, () => ({ at: new Date(5), t: table() })), ['$[*].t']),
  both('in a Map', () => new Map([['t', table()]]), []),
  both('beside a long text', () => ({ html: big(20_000), t: table(), u: { t: table() } }), ['$', '$.t $.u']),
  {
    ...{ value: 'beside a long text, deep', make: () => ({ a: { html: big(20_000), t: table() } }) },
    ...{ v8: ['$', '$.a.t'], jsc: ['$'] },
  },
  both('one text', () => big(500), []),
];

const frozen = () => Object.freeze(rows(50, String));

const PLAN_ROWS: Record<RemedyName, PlanRow[]> = {
  'typed-array': NUMBERS,
  'json-text': JSON_TEXTS,
  transfer: [
    both('a whole buffer', () => ({ a: new Uint8Array(100) }), ['$.a']),
    both('part of a buffer', () => ({ a: new Uint8Array(new ArrayBuffer(99), 5, 10) }), []),
  ],
  'image-buffer': [
    both('an image', () => ({ tile: port() }), ['$.tile'], { platformClass: 'ImageData' }),
    both('a port', () => ({ tile: port() }), []),
  ],
  'slice-view': [
    both('a small part', () => new Uint8Array(new ArrayBuffer(99_999), 5, 10), ['copied $']),
    both('a large part', () => ({ a: new Uint8Array(new ArrayBuffer(999_999), 0, 600_000) }), [
      'transferred $.a',
      'copied $.a',
    ]),
    both('a whole buffer', () => new Uint8Array(10), []),
  ],
  'unwrap-string': [
    { value: 'a text alone', make: () => ({ task: { s: big(9999) } }), v8: [], jsc: ['bare $.task.s'] },
    {
      ...{ value: 'a text beside a list', make: () => ({ task: { s: big(9999), n: [1] } }) },
      ...{ v8: [], jsc: ['beside $.task.s'] },
    },
    both('a text in a flat object', () => ({ s: big(9999), n: 1 }), []),
    both('a text in a list', () => [{ s: big(9999) }], []),
  ],
  base64: [
    both('bytes, over JSON', () => ({ b: nine(), c: Buffer.from('pooled') }), ['$.b $.c'], overJson),
    both(
      'bytes of rows',
      () => [{ b: nine() }, { b: nine().buffer }, { b: 'text' }],
      ['$[*].b'],
      toExtension,
    ),
    both('shared bytes', () => [new Uint8Array(new SharedArrayBuffer(9))], [], overJson),
    both('bytes in a Map', () => [new Map([['b', nine()]])], [], overJson),
    both('bytes, to a worker', () => ({ b: nine() }), []),
  ],
  blob: [
    both('much memory, stored', () => ({ b: new Uint8Array(999_999) }), ['$.b'], onDisk),
    both('little memory, stored', () => ({ b: new Uint8Array(9) }), [], onDisk),
    both('much memory, to a worker', () => ({ b: new Uint8Array(999_999) }), []),
  ],
  compiled: [
    both('a table', () => table(), ['joined $']),
    both('long texts', () => rows(9, () => ({ html: big(999) })), ['joined $', 'listed $']),
    both('nothing but numbers, over JSON', () => ({ n: numbers(99) }), ['base64 $'], overJson),
    both('a list with holes', () => Object.assign(numbers(99), { length: 101 }), []),
  ],
  repack: [
    both('a frozen list', frozen, ['$']),
    { value: 'a frozen list below the root', make: () => ({ a: frozen() }), v8: ['$.a'], jsc: [] },
    both('a list', () => rows(50, String), []),
  ],
  plain: [
    both('a Map', () => [new Map([['a', 1]])], ['$[*] map']),
    { value: 'dates', make: () => dates(5), v8: [], jsc: ['$[*] date'] },
    both('an object', () => ({ a: 1 }), []),
  ],
  rebuild: [
    both('a symbol key', () => ({ a: 1, [Symbol('s')]: 1 }), ['$']),
    { value: 'a symbol key deeper', make: () => ({ o: { a: 1, [Symbol('s')]: 1 } }), v8: ['$.o'], jsc: [] },
    both('an object', () => ({ a: 1 }), []),
  ],
  'own-string': [
    {
      ...{ value: 'narrow text in wide storage', make: () => ({ s: big(300) }) },
      ...{ strings: STORED['ascii-in-two-byte'], v8: ['narrow $.s'], jsc: [] },
    },
    {
      ...{ value: 'a view of another text', make: () => ({ s: big(300) }) },
      ...{ strings: STORED.substring, v8: [], jsc: ['own $.s'] },
    },
    both('a view of another text, short', () => ({ s: big(255) }), [], { strings: STORED.substring }),
    both('a text', () => ({ s: big(300) }), []),
  ],
  share: [
    both('much memory', () => ({ a: new Uint8Array(999_999) }), ['$.a']),
    both('little memory', () => ({ a: new Uint8Array(9) }), []),
    both('much memory, stored', () => ({ a: new Uint8Array(999_999) }), [], onDisk),
    both('much memory, to another process', () => ({ a: new Uint8Array(999_999) }), [], toServiceWorker),
  ],
  'parse-text': [
    both('a text', () => JSON.stringify(table()), ['$']),
    both('a text in an object', () => ({ t: JSON.stringify(table()) }), []),
  ],
  patch: [
    both('one of a sequence', () => table(), ['$'], { facts: { isSequence: true } }),
    both('one alone', () => table(), []),
    both('one with a Proxy', () => [...table(), new Proxy({}, {})], [], { facts: { isSequence: true } }),
  ],
};

function shown({ path, paths = [path], lists, form, forms }: Plan): string {
  if (lists !== undefined)
    return (lists as { path: string; type: string }[]).map((list) => `${list.path} ${list.type}`).join(', ');
  if (forms !== undefined)
    return (forms as { path: string; form: string }[]).map((one) => `${one.path} ${one.form}`).join(', ');
  return [...(form === undefined ? [] : [form]), ...(paths as string[])].join(' ');
}

function plansOf(
  name: RemedyName,
  engine: EngineName,
  { make, facts, strings, platformClass }: PlanRow,
): string[] {
  const value = make();
  const shape = shapeOf(value, engine, strings);
  for (const row of shape.patterns) if (row.kind === 'platform' && platformClass) row.tag = platformClass;
  const schema = platformClass || facts?.isSequence ? null : inferSchema([value], typeDetection, false);
  return REMEDIES[name].plans(shape, { ...FACTS, schema, ...facts }).map(shown);
}

for (const [name, ofRemedy] of Object.entries(PLAN_ROWS) as [RemedyName, PlanRow[]][]) {
  test(`${name}: at least one row applies, and at least one row does not`, () => {
    const plans = ofRemedy.map(({ v8, jsc }) => v8.length + jsc.length);
    assert.ok(plans.some((count) => count > 0) && plans.includes(0));
  });
  for (const row of ofRemedy)
    for (const engine of ['v8', 'jsc'] as const)
      test(`${name}, ${engine}: ${row.value}`, () => {
        assert.deepEqual(plansOf(name, engine, row), row[engine]);
      });
}

test('transfer: whole buffers, and objects of the platform that are moved there', () => {
  const value = {
    view: new Uint8Array(4),
    port: new MessageChannel().port1,
    part: new Uint8Array(new ArrayBuffer(9), 1),
  };
  const shape = shapeOf(value);
  const planned = (moves?: (name: string) => boolean) =>
    REMEDIES.transfer.plans(shape, { ...FACTS, ...(moves && { moves }) });
  assert.deepEqual(planned(), [{ path: '$.view', paths: ['$.view'], inline: ['view'] }]);
  const paths = ['$.view', '$.port'];
  const [plan, ...others] = planned((name) => name === 'MessagePort');
  assert.deepEqual(
    [plan, others],
    [{ path: '$', paths, classes: ['MessagePort'], inline: ['view', 'buffer'] }, []],
  );
  assert.match(
    REMEDIES.transfer.codec(plan!).calls.sender,
    /postMessage\(payload, \[payload\.view\.buffer, payload\.port\]\);$/,
  );
  const { view, port } = value;
  assert.deepEqual(REMEDIES.transfer.transfer?.(value, plan!), [view.buffer, port]);
  const moved = structuredClone(value, { transfer: [view.buffer, port] });
  assert.deepEqual([moved.port instanceof MessagePort, compare(value.port, moved.port)], [true, []]);
});
