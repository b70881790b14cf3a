/** The rules of browsers as tables: what was measured in Chromium 156, Firefox 153 and WebKitGTK 2.50. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { classify } from '../../src/core/classify/classify.ts';
import { ENGINES, STANDARD } from '../../src/engines/index.ts';
import type { Facts } from '../../src/model/documents/shape.ts';
import { type Channel, ENGINE_OF, type RuntimeName } from '../../src/model/names.ts';
import type { Flag } from '../../src/model/vocabulary/shape.ts';
import { row, shapeOf } from '../make.ts';

/** `firefox@153 worker transferring`. */
function seen(where: string, rows: readonly Facts[]): string[] {
  const [runtime = '', channel = 'worker', transferring] = where.split(' ');
  const [name, version = ''] = runtime.split('@') as [RuntimeName, string];
  const engine = ENGINE_OF[name];
  const { verdict, findings } = classify(shapeOf(engine, ...rows), ENGINES[engine], STANDARD, {
    runtime: { name, version, engine },
    channel: channel as Channel,
    transferring: transferring !== undefined,
  });
  return [
    `${verdict.path} ${verdict.class}`,
    ...findings.filter(({ rule }) => !rule.startsWith('spec/')).map(({ rule, path }) => `${rule} ${path}`),
    ...verdict.unknowns.map(
      ({ what, path, otherwise }) => `? ${what} ${path} else ${otherwise?.class} ${otherwise?.rule}`,
    ),
  ];
}

const text = (pattern: string, units: number, ...flags: Flag[]) =>
  row(pattern, 'string', flags, { size: { min: units, max: units, total: units } });
const list = (length: number, ...flags: Flag[]) =>
  row('$', 'array', flags, { size: { min: length, max: length, total: length } });
const object = row('$', 'object');
const MAP_VALUE = `$${'{value}'}`;

const UNSHARED = 'spidermonkey/unshared-string';

const CASES: [where: string, rows: Facts[], expected: string[]][] = [
  // Strings are shared at any depth; how the string was made is not known.
  [
    'firefox@153',
    [text('$', 514, 'one-byte', 'bytes-from-514')],
    ['string-shared shared', `? share-or-copy $ else bulk ${UNSHARED}`],
  ],
  [
    'firefox@153 window',
    [text('$', 514, 'one-byte', 'bytes-from-514')],
    ['string-shared shared', `? share-or-copy $ else bulk ${UNSHARED}`],
  ],
  [
    'firefox@153 structured-clone',
    [object, text('$.a', 514, 'one-byte', 'bytes-from-514')],
    ['serializer serialized', `? share-or-copy $.a else serialized ${UNSHARED}`],
  ],
  [
    'firefox@153',
    [row('$', 'map'), text(MAP_VALUE, 257, 'two-byte', 'bytes-from-514')],
    ['serializer serialized', `? share-or-copy ${MAP_VALUE} else serialized ${UNSHARED}`],
  ],
  [
    'firefox@153',
    [object, text('$.a', 600, 'one-byte', 'bytes-from-514', 'substring')],
    ['serializer serialized', `${UNSHARED} $.a`],
  ],
  [
    'firefox@153 message-port',
    [object, text('$.a', 600, 'two-byte', 'bytes-from-514')],
    ['serializer degraded', 'spidermonkey/string-over-port $.a', 'spidermonkey/two-byte-copied $.a'],
  ],
  // Nothing is shared with a database.
  [
    'firefox@153 indexeddb',
    [object, text('$.a', 600, 'two-byte', 'bytes-from-514')],
    ['serializer degraded', 'spidermonkey/string-to-database $.a', 'spidermonkey/two-byte-copied $.a'],
  ],
  ...(['chromium@143', 'firefox@153', 'webkit@60'] as const).map((where): [string, Facts[], string[]] => [
    `${where} indexeddb`,
    [object, row('$.a', 'sharedarraybuffer')],
    ['rejected rejected'],
  ]),
  // TextDecoder and fetch().text() give two-byte strings: content does not tell.
  [
    'firefox@153 broadcast',
    [text('$', 600, 'one-byte', 'bytes-from-514')],
    [
      'string-copied bulk',
      'spidermonkey/string-over-port $',
      '? string-width $ else degraded spidermonkey/two-byte-copied',
    ],
  ],
  [
    'firefox@128',
    [object, text('$.a', 600, 'one-byte', 'bytes-from-514')],
    ['serializer serialized', 'spidermonkey/string-too-early $.a'],
  ],
  ['firefox@153', [text('$', 127, 'one-byte')], ['string-copied bulk']],
  [
    'firefox@153',
    [text('$', 513, 'one-byte')],
    ['string-copied bulk', '? string-width $ else degraded spidermonkey/two-byte-short'],
  ],
  [
    'firefox@153',
    [object, text('$.a', 256, 'two-byte')],
    ['serializer degraded', 'spidermonkey/two-byte-short $.a'],
  ],
  [
    'firefox@153',
    [row('$', 'array'), text('$[*]', 64, 'one-byte', 'repeated')],
    ['serializer serialized', 'spidermonkey/repeated-string $[0]'],
  ],
  // Buffers.
  ['firefox@153 worker transferring', [row('$', 'arraybuffer')], ['serializer moved']],
  ['firefox@153 structured-clone transferring', [row('$', 'arraybuffer')], ['serializer moved']],
  ['firefox@153 window transferring', [row('$', 'arraybuffer')], ['serializer moved']],
  [
    'firefox@153 window transferring',
    [row('$', 'arraybuffer', ['resizable'])],
    ['serializer serialized', 'spidermonkey/resizable-transfer $'],
  ],
  [
    'firefox@153 message-port transferring',
    [row('$', 'arraybuffer')],
    ['serializer serialized', 'spidermonkey/transfer-over-port $'],
  ],
  [
    'firefox@153 worker transferring',
    [row('$', 'arraybuffer', ['resizable'])],
    ['serializer serialized', 'spidermonkey/resizable-transfer $'],
  ],
  [
    'firefox@153 message-port transferring',
    [row('$', 'arraybuffer', ['resizable'])],
    ['serializer serialized', 'spidermonkey/resizable-transfer $'],
  ],
  ['firefox@153', [row('$', 'arraybuffer', ['resizable'])], ['serializer serialized']],
  [
    'firefox@153 message-port transferring',
    [row('$', 'platform', ['transferable'], { tag: 'MessagePort' })],
    ['serializer moved'],
  ],
  // Storage of arrays makes no difference.
  ...(['holes', 'frozen', 'dictionary-elements', 'holey-kind'] as const).map(
    (flag): [string, Facts[], string[]] => ['firefox@153', [list(9, flag)], ['serializer serialized']],
  ),

  ['webkit@2.50', [list(3)], ['serializer serialized']],
  ['webkit@2.50', [list(3, 'frozen')], ['serializer degraded', 'webkit/frozen-array $']],
  ['webkit@2.50', [list(0, 'frozen', 'empty')], ['serializer serialized']],
  [
    'webkit@2.50',
    [list(3, 'sealed')],
    ['serializer serialized', '? element-storage $ else degraded webkit/frozen-array'],
  ],
  ['webkit@2.50', [row('$', 'object', ['indexed-key'])], ['serializer degraded', 'webkit/indexed-key $']],
  ['webkit@2.50', [list(5e6, 'holes')], ['serializer degraded', 'webkit/sparse-length $']],
  [
    'webkit@2.50 message-port',
    [row('$', 'arraybuffer', ['resizable'])],
    ['serializer degraded', 'webkit/resizable-buffer $'],
  ],
  ['webkit@2.50', [row('$', 'sharedarraybuffer', ['resizable'])], ['serializer shared']],
  // Posting to a Worker shares memory; posting to a window copies it.
  ...(['window', 'structured-clone'] as const).map((channel): [string, Facts[], string[]] => [
    `webkit@2.50 ${channel}`,
    [row('$', 'sharedarraybuffer')],
    ['serializer serialized', 'webkit/shared-copied $'],
  ]),
  ['firefox@153 window', [row('$', 'sharedarraybuffer')], ['serializer shared']],
  ['chromium@156 window', [row('$', 'sharedarraybuffer')], ['buffer shared']],
  ['chromium@156 window transferring', [row('$', 'arraybuffer')], ['buffer moved']],
  [
    'webkit@2.50',
    [list(1000), row('$[*]', 'string', [], { count: 1000 })],
    ['serializer serialized', 'webkit/many-strings $[*]'],
  ],
  [
    'webkit@2.50',
    [list(1000), row('$[*]', 'string', ['repeated'], { count: 1000 })],
    ['serializer serialized', 'webkit/repeated-string $[*]'],
  ],

  // Receiving allocates room for every index, up to a length of 2 ** 25.
  ...(['node@20.20.2', 'deno@2.9.6', 'chromium@156'] as const).flatMap(
    (where): [string, Facts[], string[]][] => [
      [
        where,
        [list(5e6, 'holes', 'dictionary-elements')],
        ['holey-array degraded', 'v8/dictionary-elements $', 'v8/sparse-length $'],
      ],
      [
        where,
        [list(2 ** 25 + 1, 'holes', 'dictionary-elements')],
        ['holey-array degraded', 'v8/dictionary-elements $'],
      ],
    ],
  ),
  [
    'chromium@156',
    [list(2, 'packed-smi'), row('$[*]', 'number', ['int32', 'beyond-smi31'])],
    ['packed-array serialized', 'v8/smi31 $[0]'],
  ],
  [
    'node@24.21.0',
    [list(2, 'packed-smi'), row('$[*]', 'number', ['int32', 'beyond-smi31'])],
    ['packed-array serialized'],
  ],
];

for (const [where, rows, expected] of CASES) {
  const flags = rows.map((facts) => `${facts.pattern} ${facts.kind} ${facts.flags.join(',')}`).join('; ');
  test(`${where}: ${flags}`, () => assert.deepEqual(seen(where, rows), expected));
}
