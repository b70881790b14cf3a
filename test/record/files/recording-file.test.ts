import assert from 'node:assert/strict';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { jsonSchema } from '../../../src/app/store/documents.ts';
import type { ValueTree } from '../../../src/model/documents/recorded/value-tree.ts';
import * as files from '../../../src/record/files/recording-file.ts';
import { header, messages, recording } from '../../make.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { isToolError, rejection } from '../../support/tool-errors.ts';

const folder = tempFolder('recording');

const TREES: ValueTree[] = [
  null,
  'é',
  { is: 'undefined' },
  { is: 'number', number: '-0' },
  { is: 'bigint', bigint: '12345678901234567890' },
  { is: 'object', id: 0, entries: [['__proto__', { is: 'same', id: 0 }]], flags: ['null-prototype'] },
  { is: 'array', items: [1, null], at: [0, 2], of: 3 },
  { is: 'map', entries: [[{ is: 'date', date: null }, 1]] },
  { is: 'set', items: [{ is: 'regexp', source: 'a', letters: 'gi' }], of: 9 },
  { is: 'error', tag: 'TypeError', message: 'no', cause: { is: 'boxed', value: true } },
  { is: 'view', type: 'Uint8Array', bytes: 3, offset: 8, on: { is: 'buffer', bytes: 8192 }, content: 'AAEC' },
  { is: 'buffer', bytes: 3, content: 'AAEC', shared: true },
  { is: 'text', units: 9, beyond: [1, 0, 0, 0, 2, 0], flags: ['rope'], like: 1 },
  { is: 'left', left: 'too deep' },
];

const FULL = recording(
  { gaps: [{ what: 'A worker with an environment of its own.', count: 2 }], exit: null, runtime: null },
  [
    {},
    { sample: null, bytes: null, send: null, queue: null, received: null },
    ...TREES.map((sample) => ({ sample })),
  ],
);
const LINES = files.recordingText(FULL).trimEnd().split('\n');

describe('a recording', () => {
  test('that is written is read back', () =>
    assert.deepEqual(files.parseRecording(files.recordingText(FULL), 'a.cprof'), FULL));

  test('fits the JSON Schema, line by line', () => {
    const ajv = new Ajv2020({ allErrors: true, strict: false });
    const validate = ajv.compile(jsonSchema('recording.schema.json'));
    for (const line of LINES) assert.ok(validate(JSON.parse(line)), JSON.stringify(validate.errors));
    assert.equal(validate({ ...messages(), count: -1 }), false);
  });

  test('that would be too large is written without values, then without the last groups', () => {
    const sample: ValueTree = { is: 'left', left: 'x'.repeat(3000) };
    const given = recording({}, [{ sample }, { sample }, { sample }]);
    const line = Buffer.byteLength(JSON.stringify(messages({ sample: null }))) + 1;
    const text = files.recordingText(given, 2 ** 20 + 3000 + 2 * line + 50);
    const read = files.parseRecording(text, 'a.cprof');
    const actual = read.messages.map((one) => one.sample !== null);
    assert.deepEqual(actual, [true, false]);
    const what = 'Messages left out: the file would be too large.';
    assert.deepEqual(read.header.gaps, [{ what, count: 1 }]);
  });

  test('keeps fields of a different version', () => {
    const other = { ...messages(), later: [1], wait: { followed: 4, median: 8e7, listener: null } };
    const text = [header(), other].map((line) => JSON.stringify(line)).join('\n');
    assert.deepEqual(files.parseRecording(text, 'a.cprof').messages[0], other);
  });
});

const first = JSON.stringify(header());
const line = (more: object) => JSON.stringify({ ...messages(), ...more });
const deep = (levels: number) => `${'{"is":"array","items":['.repeat(levels)}1${']}'.repeat(levels)}`;
const SAMPLE = `"sample":${JSON.stringify(messages().sample)}`;
const withSample = (sample: string) => `${first}\n${line({}).replace(SAMPLE, `"sample":${sample}`)}`;

const HOSTILE: [what: string, text: string, message: RegExp][] = [
  ['empty', '', /not valid JSON/],
  ['a report', '{"schema":"clone-prof/report@1"}', /"schema" is "clone-prof\/report@1"/],
  ['of an older version', first.replace('@2', '@1'), /recording@2: .*recording@1/],
  ['with a bad line inside', `${first}\n{"a":\n${line({})}\n`, /line 2 is not valid JSON/],
  ['with an infinite size', `${first}\n${line({}).replace('1200000', '1e999')}`, /bytes/],
  ['with __proto__ for a site', `${first}\n{"__proto__":${line({})}}`, /line 2: \$\.site/],
  ['with a name of a megabyte', `${first}\n\n${line({ from: 'x'.repeat(1e6) })}`, /line 3: \$\.from/],
  ['nested 100,000 levels deep', withSample(deep(1e5)), /line 2 is nested more than 500 levels deep/],
  ['whose header is', `{"schema":"clone-prof/recording@2","gaps":${deep(1e5)}}`, /line 1 is nested/],
  ['of 1,000,000 lines', `${first}\n${'{}\n'.repeat(1e6)}`, /more than 10000 lines/],
];

describe('an invalid recording is a one-line error', () => {
  for (const [what, text, message] of HOSTILE) {
    test(what, () =>
      assert.throws(
        () => files.parseRecording(text, 'a.cprof'),
        (error: Error) => {
          isToolError('document-bad', message)(error);
          assert.match(error.message, /^a\.cprof: [^\n]{1,900}clone-prof record -- node app\.js$/);
          return true;
        },
      ),
    );
  }

  test('a missing file, a folder', async () => {
    await rejection('file-missing', files.readRecording(join(folder, 'none'), 'none', {}));
    await rejection('file-unreadable', files.readRecording(folder, 'folder', {}));
  });

  test('a device without end', { skip: process.platform === 'win32' }, async () => {
    const { message } = await rejection('file-unreadable', files.readRecording('/dev/zero', 'zero', {}));
    assert.match(message, /not a regular file/);
  });

  test('a deep sample that may be kept is read', () => {
    assert.ok(files.parseRecording(withSample(deep(200)), 'a.cprof').messages[0]?.sample);
  });
});

describe('a file may be replaced', () => {
  const put = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const ROWS: [string, string, boolean][] = [
    ['a recording', files.recordingText(recording()), true],
    ['a recording of another version', first.replace('@2', '@1'), true],
    ['an empty file', '', true],
    ['a report', '{"schema":"clone-prof/report@1"}', false],
    ['notes', 'hello', false],
  ];
  for (const [what, text, expected] of ROWS)
    test(`${what}: ${expected}`, () => assert.equal(files.mayBeReplaced(put('one', text)), expected));

  test('if it is missing, but not if it is a link to notes', () => {
    assert.equal(files.mayBeReplaced(join(folder, 'none')), true);
    symlinkSync(put('notes', 'hello'), join(folder, 'link'));
    assert.equal(files.mayBeReplaced(join(folder, 'link')), false);
  });
});
