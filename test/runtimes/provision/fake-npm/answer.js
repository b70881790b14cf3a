// What an npm says that answers from FAKE_NPM (JSON): what is published, which error, where the package is.
import { execFileSync } from 'node:child_process';
import { appendFileSync, copyFileSync } from 'node:fs';
import { join } from 'node:path';

const printed = (value) => ({ stdout: JSON.stringify(value) });

/** null: it hangs. */
export function answer(fake, [command, ...args]) {
  const { registry, userconfig, versions, tags, error, stderr, hang, integrity, log } = fake;
  if (log) appendFileSync(log, `${process.pid} ${command} ${args[0]}\n`);
  if (hang === command) return null;
  if (error?.[command]) return { ...printed({ error: error[command] }), code: 1 };
  if (stderr?.[command]) return { stderr: stderr[command], code: 1 };
  if (command === 'config') return printed({ registry, userconfig, globalconfig: '/none' });
  // null: the registry has no hash.
  const dist = integrity === null ? { shasum: 'abc' } : { integrity };
  if (command === 'view' && args.includes('dist')) return printed({ name: 'package', dist });
  if (command === 'view') return printed({ versions, 'dist-tags': tags });
  const filename = 'package-1.0.0.tgz';
  const file = join(args[args.indexOf('--pack-destination') + 1], filename);
  // Nobody writes to the pipe, so that whoever opens it waits.
  if (fake.blocksUnpacking) execFileSync('mkfifo', [file]);
  else copyFileSync(fake.tarball, file);
  return printed([{ filename }]);
}
