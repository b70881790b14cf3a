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
import { contextOf } from './classified.ts';

const object = (tag: string, ...flags: Flag[]) => row('$', 'platform', flags, { tag });

test('copied pixels are counted as copied; frames are counted as shared by both sides', () => {
  const bytes = { total: 1_228_800, max: 1_228_800 };
  const bitmap = { ...object('ImageBitmap'), bytes: { ...bytes, backing: 1_228_800 } };
  const frame = { ...object('VideoFrame'), bytes: { ...bytes, backing: 0, shared: 1_228_800 } };
  const told = [bitmap, frame].map((facts) =>
    postBytes(shapeOf('webkit', facts), 'serializer', ENGINES.webkit, contextOf('webkit@2.50'), []),
  );
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
