// An npm that answers from FAKE_NPM (JSON): what is published, which error, where the package is. Found by its name
// through npm_execpath, like the real one.
import { execFileSync } from 'node:child_process';
import { appendFileSync, copyFileSync } from 'node:fs';
import { join } from 'node:path';

const {
  registry,
  userconfig,
  versions,
  tags,
  error,
  stderr,
  hang,
  blocksUnpacking,
  tarball,
  integrity,
  log,
} = JSON.parse(process.env.FAKE_NPM);
const [command, ...args] = process.argv.slice(2);
if (log) appendFileSync(log, `${process.pid} ${command} ${args[0]}\n`);

if (hang === command) {
  setInterval(() => {}, 1000);
} else if (error?.[command]) {
  process.stdout.write(JSON.stringify({ error: error[command] }));
  process.exitCode = 1;
} else if (stderr?.[command]) {
  process.stderr.write(stderr[command]);
  process.exitCode = 1;
} else if (command === 'config') {
  process.stdout.write(JSON.stringify({ registry, userconfig, globalconfig: '/none' }));
} else if (command === 'view' && args.includes('dist')) {
  // null: the registry has no hash.
  const dist = integrity === null ? { shasum: 'abc' } : { integrity };
  process.stdout.write(JSON.stringify({ name: 'package', dist }));
} else if (command === 'view') {
  process.stdout.write(JSON.stringify({ versions, 'dist-tags': tags }));
} else {
  const filename = 'package-1.0.0.tgz';
  const file = join(args[args.indexOf('--pack-destination') + 1], filename);
  // Nobody writes to the pipe, so that whoever opens it waits.
  if (blocksUnpacking) execFileSync('mkfifo', [file]);
  else copyFileSync(tarball, file);
  process.stdout.write(JSON.stringify([{ filename }]));
}
