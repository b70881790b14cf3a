/** What is said of objects of the platform, by the table of what runtimes do with them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { missingClass } from '../../../src/engines/classify/match.ts';
import { postBytes } from '../../../src/engines/classify/post-bytes.ts';
import { ENGINES, PLATFORM_POSTS } from '../../../src/engines/index.ts';
import type { Facts } from '../../../src/model/documents/shape.ts';
import { RUNTIME_NAMES } from '../../../src/model/names.ts';
import { PLATFORM_CLASSES } from '../../../src/model/vocabulary/platform-classes.ts';
import type { Flag } from '../../../src/model/vocabulary/shape.ts';
import { row, shapeOf } from '../../make.ts';
import { contextOf, run } from './classified.ts';

const object = (tag: string, ...flags: Flag[]) => row('$', 'platform', flags, { tag });
const emptied = (tag: string) =>
  row('$', 'object', ['empty', 'class-instance', 'web-object'], {
    tag,
    size: { min: 0, max: 0, total: 0 },
  });
const error = (tag: string, ...flags: Flag[]) => row('$', 'error', flags, { tag });

/** `firefox@153 worker transferring` */
function seen(where: string, facts: Facts) {
  const context = contextOf(where);
  const { engine } = context.runtime;
  const { verdict, findings } = run(where, [facts]);
  const bytes = postBytes(shapeOf(engine, facts), verdict.path, ENGINES[engine], context, []);
  return { verdict, findings, bytes };
}

const QUOTA = 'QuotaExceededError';
const CASES: [where: string, facts: Facts, verdict: string, ...rules: string[]][] = [
  ['chromium@156', object('ImageBitmap'), 'serializer serialized'],
  ['chromium@156 worker transferring', object('ImageBitmap'), 'serializer moved'],
  ['chromium@156 worker transferring', object('ImageData'), 'serializer serialized'],
  ['firefox@153', object('OffscreenCanvas', 'transferable'), 'rejected rejected', 'spec/needs-transfer'],
  ['firefox@153 worker transferring', object('OffscreenCanvas', 'transferable'), 'serializer moved'],
  ['webkit@2.50', object('ReadableStream', 'transferable'), 'rejected rejected', 'spec/stream-refused'],
  ['firefox@153', object('MediaStreamTrack'), 'rejected rejected', 'spec/platform-object-refused'],
  ['webkit@2.50', object('CanvasCaptureMediaStreamTrack'), 'serializer serialized', 'spec/other-class'],
  ['webkit@2.50 window', object('Memory'), 'rejected rejected', 'spec/platform-object-refused'],
  ['chromium@156 broadcast', object('VideoFrame'), 'rejected rejected', 'spec/message-lost'],
  ['firefox@153 message-port', object('RTCCertificate'), 'rejected rejected', 'spec/message-lost'],
  ['firefox@153 window', object('RTCCertificate'), 'serializer serialized'],
  ['webkit@2.50', object('Blob', 'repeated'), 'serializer serialized', 'spec/identity'],
  ['bun@1.4.5', object('Module', 'repeated'), 'serializer serialized', 'spec/identity'],
  [
    'deno@2.9.6',
    emptied('ImageData'),
    'fast-object serialized',
    'spec/class-instance',
    'spec/platform-object-emptied',
  ],
  ['deno@2.9.6', error(QUOTA), 'serializer serialized', 'spec/other-class', 'v8/error-stack'],
  // Into a file and a database, and to a renderer.
  [
    'node@24.21.0 storage',
    error('DOMException'),
    'serializer serialized',
    'spec/other-class',
    'v8/error-stack',
  ],
  [
    'node@24.21.0 ipc-advanced',
    error('DOMException'),
    'serializer serialized',
    'spec/other-class',
    'v8/error-stack',
  ],
  ['node@24.21.0 storage', object('Module'), 'rejected rejected', 'spec/message-lost'],
  ['firefox@153 indexeddb', object('VideoFrame'), 'rejected rejected', 'spec/platform-object-refused'],
  ['webkit@2.50 indexeddb', object('Blob', 'repeated'), 'serializer serialized', 'spec/identity'],
  ['electron@33.2.1 electron-ipc', object('Blob'), 'rejected rejected', 'spec/platform-object-refused'],
  ['node@24.21.0 ipc-advanced', object('Module'), 'rejected rejected', 'spec/platform-object-refused'],
  [
    'workerd@1.20261117.1 rpc',
    object('Memory'),
    'rejected rejected',
    'spec/shared-refused',
    'spec/platform-object-refused',
  ],
  ['firefox@153 indexeddb', object('FormData'), 'rejected rejected', 'spec/platform-refused'],
  ['node@24.21.0 storage', object('URL'), 'serializer serialized', 'v8/platform-emptied'],
  ['node@24.21.0 ipc-advanced', object('Blob'), 'serializer serialized', 'v8/platform-emptied'],
  // Of the user's.
  ['chromium@143', error(QUOTA), 'rejected rejected', 'spec/platform-object-refused', 'v8/error-stack'],
  ['chromium@156', error(QUOTA, 'subclass'), 'serializer serialized', 'spec/error-class', 'v8/error-stack'],
];

for (const [where, facts, verdict, ...rules] of CASES) {
  test(`${where}: ${facts.kind} ${facts.tag} ${facts.flags.join(' ')}`, () => {
    const told = seen(where, facts);
    assert.equal(`${told.verdict.path} ${told.verdict.class}`, verdict);
    assert.deepEqual(told.findings.map(({ rule }) => rule).sort(), rules.sort());
  });
}

test('copied pixels are counted as copied; frames are counted as shared by both sides', () => {
  const bytes = { total: 1_228_800, max: 1_228_800 };
  const bitmap = { ...object('ImageBitmap'), bytes: { ...bytes, backing: 1_228_800 } };
  const frame = { ...object('VideoFrame'), bytes: { ...bytes, backing: 0, shared: 1_228_800 } };
  const told = [bitmap, frame].map((facts) => seen('webkit@2.50', facts).bytes);
  assert.deepEqual(
    told.map((one) => [one?.copied, one?.shared]),
    [
      [1_228_803, 0],
      [3, 1_228_800],
    ],
  );
});

test('a runtime has a class or not', () => {
  const without = (facts: Facts) =>
    RUNTIME_NAMES.filter((name) => missingClass(shapeOf('v8', facts), PLATFORM_POSTS, name) !== null);
  assert.deepEqual(without(object('VideoFrame')), ['node', 'bun', 'deno', 'electron', 'workerd']);
  assert.deepEqual(without(object('ImageData')), ['node', 'bun', 'electron', 'workerd']);
  assert.deepEqual(without(object('CropTarget')), [
    'node',
    'bun',
    'deno',
    'electron',
    'workerd',
    'firefox',
    'webkit',
  ]);
  assert.deepEqual(without(object('Blob')), []);
  // Of the user's.
  assert.deepEqual(without(row('$', 'object', ['class-instance'], { tag: 'ImageData' })), []);
});

test('classes not marked as transferable are never moved, and every class can be posted somewhere', () => {
  for (const [name, { marked }] of Object.entries(PLATFORM_CLASSES)) {
    const rows = Object.values(PLATFORM_POSTS[name as keyof typeof PLATFORM_CLASSES]).flat();
    assert.ok(rows.length > 0, name);
    if (!marked.includes('transferable'))
      assert.ok(
        rows.every(({ as }) => !as.includes('moved')),
        name,
      );
  }
});
