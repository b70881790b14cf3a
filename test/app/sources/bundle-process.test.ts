/** A build goes on where the process that builds was killed, or ended with another build. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { Plugin } from 'esbuild';
import { bundleModule } from '../../../src/app/sources/bundle.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { isToolError } from '../../support/tool-errors.ts';

const skip = process.platform !== 'linux';

/** Opens a pipe for writing once somebody reads it: that waits from then on. */
async function whenRead(pipe: string): Promise<number> {
  for (;;) {
    try {
      return openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENXIO') throw error;
      await setTimeout(5);
    }
  }
}

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

test('a build in progress is repeated if an interrupted build ends the process that they share', {
  skip,
}, async (t) => {
  const cwd = tempFolder('build');
  mkdirSync(join(cwd, 'stuck'));
  execFileSync('mkfifo', [join(cwd, 'stuck', 'base.json')]);
  writeFileSync(join(cwd, 'stuck', 'tsconfig.json'), '{"extends":"./base.json"}');
  const [entry, stuck] = [join(cwd, 'a.ts'), join(cwd, 'stuck', 'b.ts')];
  for (const file of [entry, stuck]) writeFileSync(file, 'export default 1 as number;');
  let starts = 0;
  // The first time it gets no answer before the process has ended.
  const waits: Plugin = {
    name: 'waits',
    setup(build) {
      build.onStart(() => (starts++ === 0 ? new Promise(() => {}) : undefined));
    },
  };
  const going = [0, 1].map((at) => bundleModule(entry, join(cwd, `${at}`), cwd, { plugins: [waits] }));
  const giving = new AbortController();
  const last = bundleModule(stuck, join(cwd, 'stuck'), cwd, { signal: giving.signal });
  const writing = await whenRead(join(cwd, 'stuck', 'base.json'));
  t.after(() => closeSync(writing));
  while (starts < 2) await setTimeout(5);
  giving.abort();
  await assert.rejects(last, isToolError('interrupted'));
  for (const file of await Promise.all(going))
    assert.match(readFileSync(file, 'utf8'), /a_default as default/);
  assert.ok(starts > 2, String(starts));
});
