/** A program that starts guests and ends as its arguments say; `host-death.test.ts` runs it. */
import { spawn } from 'node:child_process';
import { announceStart, killAll, newMark } from '../../../src/runtimes/process/supervisor.ts';
import { processDriver, type RuntimeSpec, runtime } from '../../support/runtimes.ts';

const [spec = 'node', file = '', cwd = '.', ending = 'wait'] = process.argv.slice(2);
const build = { form: 'module', file, original: file, export: 'value' } as const;
const recipe = { id: 'x', source: { file, export: null }, build };
const here = runtime(spec as RuntimeSpec);
const options = { timeoutMs: 300_000, cwd, forModules: true };

if (ending === 'signal') {
  const controller = new AbortController();
  process.on('SIGINT', () => controller.abort());
  const guest = await processDriver.start(here, { ...options, signal: controller.signal });
  console.log('asking');
  await guest
    .ask({ type: 'open', recipe, exports: null })
    .catch((error: Error) => console.log(error.message));
} else if (ending === 'starting') {
  announceStart();
  const env = { ...process.env, ...newMark() };
  spawn('sleep', ['302'], { detached: true, stdio: 'ignore', env });
  // Before it has told of what runs already.
  process.kill(process.pid, 'SIGKILL');
} else if (ending === 'killAll') {
  await processDriver.start(here, options);
  killAll();
} else if (ending === 'return') {
  // Nothing closes this guest: the end of the host must.
  await processDriver.start(here, options);
} else if (ending === 'throw') {
  await processDriver.start(here, options);
  throw new Error('the host broke');
} else {
  if (ending === 'wait-again') {
    // These are all gone, one that was started beside another too, before the guests that must end with this program.
    const [first, second] = [
      await processDriver.start(here, options),
      await processDriver.start(here, options),
    ];
    await Promise.all([first.close(), second.close()]);
  }
  const guests = await Promise.all([1, 2].map(() => processDriver.start(here, options)));
  console.log('asking');
  await Promise.all(guests.map((guest) => guest.ask({ type: 'open', recipe, exports: null })));
}
