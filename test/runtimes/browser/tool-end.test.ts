/** However the tool ends, no process of a browser is left, and none of its files. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { browserProcesses, isOfPage, until } from '../../support/child-processes.ts';
import { TEST_BROWSERS } from '../../support/fetched.ts';
import { envWith, missing, runtime } from '../../support/runtimes.ts';
import { ROOT } from '../../support/spawn-cli.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { usually } from '../../support/whole.ts';

const locks = () => readdirSync('/tmp').filter((name) => /^\.X\d+-lock$/.test(name));

const ENDS = [
  ['SIGKILL', 'SIGKILL'],
  ['SIGINT', 130],
  ['SIGTERM', 130],
] as const;

for (const name of TEST_BROWSERS) {
  for (const [signal, ending] of usually(
    name === 'chromium' ? ENDS.slice(0, 2) : [],
    name === 'chromium' ? ENDS.slice(2) : ENDS,
  )) {
    test(`${name}: nothing is left after ${signal}`, {
      skip: process.platform === 'linux' ? missing(name) : 'processes are told apart on Linux only',
    }, async () => {
      const temp = tempFolder('end');
      const before = locks();
      const args = ['bin/clone-prof.js', 'analyze', 'fixtures/orders.json', '-r', name, '--budget', '60s'];
      const env = { ...envWith(runtime(name)), TMPDIR: temp };
      const tool = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ['ignore', 'ignore', 'pipe'] });
      let said = '';
      tool.stderr.on('data', (piece) => (said += piece));
      const ended = new Promise((resolve) => tool.once('exit', (code, by) => resolve(by ?? code)));
      await until(
        () => browserProcesses(temp).some(isOfPage),
        () => said,
      );
      tool.kill(signal);
      assert.equal(await ended, ending, said);
      const left = () => [
        ...readdirSync(temp).filter((file) => file.startsWith('clone-prof-browser-')),
        ...browserProcesses(temp).map(({ command }) => command),
      ];
      await until(
        () => left().length === 0,
        () => left().join('\n'),
      );
      assert.deepEqual(locks(), before);
    });
  }
}
