/** Files and streams that are larger than a value may be: one line that says what to do, and little is read. */
import assert from 'node:assert/strict';
import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { spool } from '../../src/app/sources/load.ts';
import { fileReader } from '../../src/guest/platform/process/sources.ts';
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

  test('a text, and bytes: nothing of them is read', async () => {
    const { text, bytes } = fileReader();
    await assert.rejects(text(large), isToolError('value-too-large', WHAT_TO_DO));
    await assert.rejects(bytes(large), isToolError('value-too-large', WHAT_TO_DO));
  });

  test('a text with more characters than V8 has in a string', { skip: onlyInWhole }, async () => {
    const file = { file: join(folder, 'long.json'), name: 'rows.json' };
    writeFileSync(file.file, '');
    truncateSync(file.file, 536_870_889);
    const message =
      /^rows\.json: longer than a text may be \(in V8 536,870,888 characters\)\. Write its values into a \.ndjson file/;
    await assert.rejects(fileReader().text(file), isToolError('value-too-large', message));
  });

  test('lines: nothing beyond the requested part is read', async () => {
    const { textRange, chunks } = fileReader();
    assert.equal(await textRange(large, 2 * GIB, 5), '\0'.repeat(5));
    let pieces = 0;
    for await (const { length } of chunks(large)) {
      assert.ok(length <= 2 ** 20, `${length} bytes at once`);
      if (++pieces === 3) break;
    }
  });

  test('the limit itself may be read', async () => {
    const small = { file: join(folder, 'small.json'), name: 'rows.json' };
    writeFileSync(small.file, '[1]');
    assert.equal(await fileReader(3).text(small), '[1]');
    assert.equal((await fileReader(3).bytes(small)).length, 3);
    await assert.rejects(fileReader(2).text(small), isToolError('value-too-large'));
    await assert.rejects(fileReader(2).bytes(small), isToolError('value-too-large'));
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
