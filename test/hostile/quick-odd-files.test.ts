/**
 * Files and streams that no value comes out of: larger than one may be, pipes that nobody writes to, devices without an end;
 * `cases/commands/odd-files.md` has the latter wherever a file may be.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { bundleModule } from '../../src/app/sources/bundle.ts';
import { filesOf, spool } from '../../src/app/sources/load.ts';
import { readBaseline } from '../../src/gate/check/sides.ts';
import { decoded } from '../../src/guest/payload/text-files.ts';
import { fileReader } from '../../src/guest/platform/process/platforms.ts';
import { startOf } from '../../src/machine/given-file.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { isToolError } from '../support/tool-errors.ts';
import { onlyInWhole } from '../support/whole.ts';

const folder = tempFolder('hostile-odd');

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

const skip = process.platform === 'win32' && 'no pipes and devices in folders';
const at = (name: string) => join(folder, name);

if (!skip) {
  for (const name of ['pipe.json', 'base.json']) execFileSync('mkfifo', [at(name)]);
  symlinkSync('/dev/zero', at('device.json'));
  writeFileSync(at('tsconfig.json'), '{"extends":"./base.json"}');
  writeFileSync(at('m.ts'), 'export const rows = [1];');
}

describe('odd files', { skip }, () => {
  test('the start of a file that will be overwritten is read only if it is a regular file', () => {
    assert.equal(startOf(at('pipe.json')), null);
    assert.equal(startOf(at('device.json')), null);
    assert.equal(startOf(at('m.ts'), 6), 'export');
  });

  test('Ctrl-C ends the wait for a pipe, and the walk of a glob over the disk', async () => {
    const controller = new AbortController();
    const ended = [
      readBaseline(at('pipe.json'), 'b', { signal: controller.signal }),
      bundleModule(at('m.ts'), at('bundle'), folder, { signal: controller.signal }),
      filesOf('/**/no-such-name-*.json', folder, controller.signal),
    ].map((one) => assert.rejects(one, isToolError('interrupted')));
    setImmediate(() => controller.abort());
    await Promise.all(ended);
  });
});
