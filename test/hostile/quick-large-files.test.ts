/** Files and streams that are larger than a value may be: one line that says what to do, and little is read. */
import assert from 'node:assert/strict';
import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { spool } from '../../src/app/sources/load.ts';
import { decoded } from '../../src/guest/payload/text-files.ts';
import { fileReader } from '../../src/guest/platform/process/platforms.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { isToolError } from '../support/tool-errors.ts';
import { onlyInWhole } from '../support/whole.ts';

const folder = tempFolder('large');

const GIB = 2 ** 30;
const WHAT_TO_DO =
  /^rows\.json: larger than 2 GiB\. Write its values into a \.ndjson file, one per line, or post it as bytes \(--as bytes, up to 2 GiB\)$/;

describe('large files', () => {
  const large = { file: join(folder, 'rows.json'), name: 'rows.json' };
  // Without blocks on disk.
  writeFileSync(large.file, '');
  truncateSync(large.file, 3 * GIB);

  test('a whole file: nothing of it is read', () =>
    assert.rejects(fileReader.bytes(large), isToolError('value-too-large', WHAT_TO_DO)));

  test('a text with more characters than V8 has in a string', { skip: onlyInWhole }, () => {
    const message =
      /^rows\.json: longer than a text may be \(in V8 536,870,888 characters\)\. Write its values into a \.ndjson file/;
    const decode = () => decoded(new Uint8Array(536_870_889), { file: 'rows.json' });
    assert.throws(decode, isToolError('value-too-large', message));
  });

  test('lines: nothing beyond the requested part is read', async () => {
    assert.deepEqual(await fileReader.bytes(large, [2 * GIB, 2 * GIB + 4]), new Uint8Array(5));
    let pieces = 0;
    for await (const { length } of fileReader.chunks(large)) {
      assert.ok(length <= 2 ** 20, `${length} bytes at once`);
      if (++pieces === 3) break;
    }
  });

  test('a stdin that does not end is not read beyond the limit', async () => {
    let given = 0;
    async function* endless() {
      for (;;) {
        given += 2 ** 16;
        yield Buffer.alloc(2 ** 16, 'x');
      }
    }
    await assert.rejects(
      spool(endless(), join(folder, 'in'), 'stdin', undefined, 2 ** 20),
      isToolError('file-unreadable', /^stdin\b.*more than 1 MiB come in: write them into a file/),
    );
    assert.ok(given <= 2 ** 20 + 8 * 2 ** 16, `${given} bytes`);
  });
});
