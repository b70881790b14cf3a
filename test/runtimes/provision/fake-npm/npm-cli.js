// An npm that answers from FAKE_NPM (JSON): what is published, which error, how a package looks. Found by its name
// through npm_execpath, like the real one.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const { registry, userconfig, versions, tags, error, stderr, hang, blocksUnpacking, files, integrity, log } =
  JSON.parse(process.env.FAKE_NPM);
const [command, ...args] = process.argv.slice(2);
if (log) appendFileSync(log, `${process.pid} ${command} ${args[0]}\n`);

/** Most commands pack nothing. The same files are the same bytes. */
async function pack(file) {
  const { create } = await import('tar');
  const source = mkdtempSync(`${file}-`);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(source, 'package', name)), { recursive: true });
    writeFileSync(join(source, 'package', name), text, { mode: 0o644 });
  }
  await create({ gzip: true, portable: true, mtime: new Date(0), cwd: source, file }, ['package']);
  rmSync(source, { recursive: true });
}

/** null: the registry has no hash. */
async function published() {
  if (integrity !== undefined) return integrity === null ? { shasum: 'abc' } : { integrity };
  const folder = mkdtempSync(join(tmpdir(), 'clone-prof-fake-'));
  try {
    const file = join(folder, 'p.tgz');
    await pack(file);
    return { integrity: `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}` };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

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
  process.stdout.write(JSON.stringify({ name: 'package', dist: await published() }));
} else if (command === 'view') {
  process.stdout.write(JSON.stringify({ versions, 'dist-tags': tags }));
} else {
  const filename = 'package-1.0.0.tgz';
  const file = join(args[args.indexOf('--pack-destination') + 1], filename);
  // Nobody writes to the pipe, so that whoever opens it waits.
  if (blocksUnpacking) execFileSync('mkfifo', [file]);
  else await pack(file);
  process.stdout.write(JSON.stringify([{ filename }]));
}
