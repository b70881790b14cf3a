import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { RecordingSettings } from '../../../src/record/program/recorder.ts';
import { programNamed, type Recorded, recorded } from './recorded.ts';

/** A marked text is at every place where a value, a key or an error can carry one. */
const run = (settings: Partial<RecordingSettings>, files = programNamed('marked texts')): Promise<Recorded> =>
  recorded({ files, settings });

describe('posted values are not stored unless the user requests it', () => {
  test('no value, no map-like key and no error without --values', async () => {
    const result = await run({});
    assert.ok(result.messages.length > 8, result.stderr);
    assert.ok(result.messages.some(({ sample }) => sample !== null));
    const all = result.written + JSON.stringify(result.messages);
    const base64 = Buffer.from('S3CRET in bytes').toString('base64');
    for (const secret of ['S3CRET', '4711083', '83.114207', '1234567890123', base64.slice(0, 8)])
      assert.equal(all.includes(secret), false, secret);
  });

  test('no text with --values --mask', async () => {
    const result = await run({ values: 'masked' });
    assert.ok(result.messages.some(({ sample }) => sample !== null));
    const all = result.written + JSON.stringify(result.messages);
    assert.equal(all.includes('S3CRET'), false);
  });

  test('texts with --values', async () => {
    const result = await run({ values: 'kept' }, { 'main.cjs': "structuredClone({ password: 'S3CRET' });" });
    assert.ok(JSON.stringify(result.messages).includes('S3CRET'));
  });
});
