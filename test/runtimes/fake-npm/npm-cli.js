// An npm that answers from FAKE_NPM (JSON): what is published, which error, how a package looks. Found by its name
// through npm_execpath, like the real one.
import { appendFileSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { create } from 'tar';

const { versions, tags, error, stderr, hang, files, log } = JSON.parse(process.env.FAKE_NPM);
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
} else if (command === 'view') {
  process.stdout.write(JSON.stringify({ versions, 'dist-tags': tags }));
} else {
  const source = mkdtempSync(join(tmpdir(), 'fake-npm-'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(source, 'package', name)), { recursive: true });
    writeFileSync(join(source, 'package', name), text, { mode: 0o644 });
  }
  const filename = 'package-1.0.0.tgz';
  const folder = args[args.indexOf('--pack-destination') + 1];
  await create({ gzip: true, cwd: source, file: join(folder, filename) }, ['package']);
  process.stdout.write(JSON.stringify([{ filename }]));
}
