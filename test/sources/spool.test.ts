import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { spool } from '../../src/sources/load.ts';
import { isToolError } from '../support/tool-errors.ts';

async function* endless() {
  for (;;) yield Buffer.alloc(1000, 'x');
}

test('a stream that does not end is refused', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'clone-prof-spool-'));
  try {
    await assert.rejects(
      spool(endless(), join(folder, 'in'), 'stdin', undefined, 2 ** 20),
      isToolError('file-unreadable', /stdin.*more than 1 MiB/),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
