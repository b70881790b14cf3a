/** Pipes that nobody writes to, and devices without an end; `cases/commands/odd-files.md` has them wherever a file may be. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { bundleModule } from '../../src/app/sources/bundle.ts';
import { filesOf } from '../../src/app/sources/load.ts';
import { readBaseline } from '../../src/gate/check/sides.ts';
import { startOf } from '../../src/machine/given-file.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { isToolError } from '../support/tool-errors.ts';

const skip = process.platform === 'win32' && 'no pipes and devices in folders';
const folder = tempFolder('hostile-odd');
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
