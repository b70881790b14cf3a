/** The rules of browsers as tables: what was measured in Chromium 156, Firefox 153 and WebKitGTK 2.50. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { row, rowsIn } from '../make.ts';
import { run } from './classify/classified.ts';

const seen = ({ verdict, findings }: ReturnType<typeof run>): string[] => [
  `${verdict.path} ${verdict.class}`,
  ...findings.filter(({ rule }) => !rule.startsWith('spec/')).map(({ rule, path }) => `${rule} ${path}`),
  ...verdict.unknowns.map(
    ({ what, path, otherwise }) => `? ${what} ${path} else ${otherwise?.class} ${otherwise?.rule}`,
  ),
];

const UNSHARED = 'spidermonkey/unshared-string';
const TEXT = '$ string size=514 one-byte bytes-from-514';
const IN_OBJECT = '$ object; $.a string';
const WIDE = `${IN_OBJECT} size=600 two-byte bytes-from-514`;
const WIDE_OVER_PORT =
  'serializer degraded, spidermonkey/string-over-port $.a, spidermonkey/two-byte-copied $.a';
const IN_MAP = '$ map; $' + '{value} string size=257 two-byte bytes-from-514';
const SMI31 = '$ array size=2 packed-smi; $[*] number int32 beyond-smi31';
const STRINGS = '$ array size=1000; $[*] string ×1000';

/** "where: facts -> what is seen". */
const CASES = `
// Strings are shared at any depth; how the string was made is not known.
firefox@153: ${TEXT} -> string-shared shared, ? share-or-copy $ else bulk ${UNSHARED}
firefox@153 window: ${TEXT} -> string-shared shared, ? share-or-copy $ else bulk ${UNSHARED}
firefox@153 structured-clone: ${IN_OBJECT} size=514 one-byte bytes-from-514 -> serializer serialized, ? share-or-copy $.a else serialized ${UNSHARED}
firefox@153: ${IN_MAP} -> serializer serialized, ? share-or-copy \${value} else serialized ${UNSHARED}
firefox@153: ${IN_OBJECT} size=600 one-byte bytes-from-514 substring -> serializer serialized, ${UNSHARED} $.a
firefox@153 message-port: ${WIDE} -> ${WIDE_OVER_PORT}
// Nothing is shared with a database.
firefox@153 indexeddb: ${WIDE} -> serializer degraded, spidermonkey/string-to-database $.a, spidermonkey/two-byte-copied $.a
chromium@143 indexeddb: $ object; $.a sharedarraybuffer -> rejected rejected
firefox@153 indexeddb: $ object; $.a sharedarraybuffer -> rejected rejected
webkit@60 indexeddb: $ object; $.a sharedarraybuffer -> rejected rejected
// A service worker is of another process: nothing is shared or moved.
chromium@143 service-worker: $ object; $.a sharedarraybuffer -> rejected rejected
firefox@153 service-worker: $ object; $.a sharedarraybuffer -> rejected rejected
webkit@60 service-worker: $ object; $.a sharedarraybuffer -> rejected rejected
chromium@143 service-worker transferring: $ arraybuffer -> buffer bulk
firefox@153 service-worker transferring: $ arraybuffer -> serializer serialized
webkit@60 service-worker transferring: $ arraybuffer -> serializer serialized
firefox@153 service-worker: ${WIDE} -> ${WIDE_OVER_PORT}
// TextDecoder and fetch().text() give two-byte strings: content does not tell.
firefox@153 broadcast: $ string size=600 one-byte bytes-from-514 -> string-copied bulk, spidermonkey/string-over-port $, ? string-width $ else degraded spidermonkey/two-byte-copied
firefox@128: ${IN_OBJECT} size=600 one-byte bytes-from-514 -> serializer serialized, spidermonkey/string-too-early $.a
firefox@153: $ string size=127 one-byte -> string-copied bulk
firefox@153: $ string size=513 one-byte -> string-copied bulk, ? string-width $ else degraded spidermonkey/two-byte-copied
firefox@153: ${IN_OBJECT} size=256 two-byte -> serializer degraded, spidermonkey/two-byte-copied $.a
firefox@153: $ array; $[*] string size=64 one-byte repeated -> serializer serialized
// Buffers.
firefox@153 worker transferring: $ arraybuffer -> serializer moved
firefox@153 structured-clone transferring: $ arraybuffer -> serializer moved
firefox@153 window transferring: $ arraybuffer -> serializer moved
firefox@153 message-port transferring: $ arraybuffer -> serializer serialized
firefox@153 window transferring: $ arraybuffer resizable -> serializer serialized
firefox@153 worker transferring: $ arraybuffer resizable -> serializer serialized
firefox@153 message-port transferring: $ arraybuffer resizable -> serializer serialized
firefox@153: $ arraybuffer resizable -> serializer serialized
// Storage of arrays makes no difference.
firefox@153: $ array size=9 holes -> serializer serialized
firefox@153: $ array size=9 frozen -> serializer serialized
firefox@153: $ array size=9 dictionary-elements -> serializer serialized
firefox@153: $ array size=9 holey-kind -> serializer serialized
webkit@2.50: $ array size=3 -> serializer serialized
webkit@2.50: $ array size=3 frozen -> serializer degraded, webkit/frozen-array $
webkit@2.50: $ array size=0 frozen empty -> serializer serialized
webkit@2.50: $ array size=3 sealed -> serializer serialized, ? element-storage $ else degraded webkit/frozen-array
webkit@2.50: $ object indexed-key -> serializer degraded, webkit/indexed-key $
webkit@2.50: $ array size=5000000 holes -> serializer degraded
webkit@2.50 message-port: $ arraybuffer resizable -> serializer degraded, webkit/resizable-buffer $
webkit@2.50: $ sharedarraybuffer resizable -> serializer shared
// Posting to a Worker shares memory; posting to a window copies it.
webkit@2.50 window: $ sharedarraybuffer -> serializer serialized
webkit@2.50 structured-clone: $ sharedarraybuffer -> serializer serialized
firefox@153 window: $ sharedarraybuffer -> serializer shared
chromium@156 window: $ sharedarraybuffer -> buffer shared
chromium@156 window transferring: $ arraybuffer -> buffer moved
webkit@2.50: ${STRINGS} -> serializer serialized, webkit/long-string $[*]
webkit@2.50: ${STRINGS} repeated -> serializer serialized, webkit/repeated-string $[*]
chromium@156: ${SMI31} -> packed-array serialized, v8/smi31 $[0]
node@24.21.0: ${SMI31} -> packed-array serialized`;

for (const line of CASES.trim().split('\n')) {
  if (line.startsWith('// ')) continue;
  const [, where = '', facts = '', expected] = /^(\w+@[^:]+): (.+) -> (.+)$/.exec(line)!;
  test(`${where}: ${facts}`, () => assert.equal(seen(run(where, rowsIn(facts))).join(', '), expected));
}

test('a port is moved', () => {
  const port = row('$', 'platform', ['transferable'], { tag: 'MessagePort' });
  assert.deepEqual(seen(run('firefox@153 message-port transferring', [port])), ['serializer moved']);
});
