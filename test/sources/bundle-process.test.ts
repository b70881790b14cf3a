/** A build goes on where the process that builds was killed. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { bundleModule } from '../../src/sources/bundle.ts';

test('a killed esbuild is started again', { skip: process.platform !== 'linux' }, async (t) => {
  const cwd = mkdtempSync(join(tmpdir(), 'clone-prof-build-'));
  t.after(() => rmSync(cwd, { recursive: true, force: true }));
  const entry = join(cwd, 'a.ts');
  writeFileSync(entry, 'export default 1 as number;');
  await bundleModule(entry, join(cwd, 'first'), cwd);
  const own = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)], { encoding: 'utf8' });
  const esbuild = own.split('\n').find((line) => line.includes('--service='));
  assert.ok(esbuild, own);
  process.kill(Number.parseInt(esbuild, 10), 'SIGKILL');
  const file = await bundleModule(entry, join(cwd, 'second'), cwd);
  assert.match(readFileSync(file, 'utf8'), /a_default as default/);
});
