/** A build goes on where the process that builds was killed, or ended with another build. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { bundleModule } from '../../../src/app/sources/bundle.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const skip = process.platform !== 'linux';

test('a killed esbuild is started again', { skip }, async () => {
  const cwd = tempFolder('build');
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
