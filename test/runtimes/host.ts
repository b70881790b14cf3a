/** A host of its own, to be killed by a test: starts guests as its arguments say and keeps asking. */
import { processDriver } from '../../src/runtimes/process/driver.ts';
import { killAll } from '../../src/runtimes/process/process-group.ts';
import { runtime } from '../support/runtimes.ts';

const [spec = 'node', file = '', cwd = '.', ending = 'wait'] = process.argv.slice(2);
const build = { form: 'module', file, original: file, export: 'value' } as const;
const recipe = { id: 'x', source: { file, export: null }, build };
const rt = await runtime(spec);

if (ending === 'signal') {
  const controller = new AbortController();
  process.on('SIGINT', () => controller.abort());
  const guest = await processDriver.start(rt, { timeoutMs: 60_000, cwd, signal: controller.signal });
  console.log('asking');
  await guest
    .ask({ type: 'open', recipe, exports: null })
    .catch((error: Error) => console.log(error.message));
} else if (ending === 'killAll') {
  await processDriver.start(rt, { timeoutMs: 60_000, cwd });
  killAll();
} else if (ending === 'return') {
  // Nothing closes this guest: the end of the host must.
  await processDriver.start(rt, { timeoutMs: 60_000, cwd });
} else if (ending === 'throw') {
  await processDriver.start(rt, { timeoutMs: 60_000, cwd });
  throw new Error('the host broke');
} else {
  const guests = await Promise.all([1, 2].map(() => processDriver.start(rt, { timeoutMs: 60_000, cwd })));
  console.log('asking');
  await Promise.all(guests.map((guest) => guest.ask({ type: 'open', recipe, exports: null })));
}
