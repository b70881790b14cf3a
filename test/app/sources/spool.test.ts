import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { spool } from '../../../src/app/sources/load.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { isToolError } from '../../support/tool-errors.ts';

async function* endless() {
  for (;;) yield Buffer.alloc(1000, 'x');
}

test('a stream that does not end is refused', async () => {
  await assert.rejects(
    spool(endless(), join(tempFolder('spool'), 'in'), 'stdin', undefined, 2 ** 20),
    isToolError('file-unreadable', /stdin.*more than 1 MiB/),
  );
});
