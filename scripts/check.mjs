// Types, style and borders, side by side. `npm run check`, or the types alone: `npm run check:types`.
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { resolve } = createRequire(import.meta.url);
const TSC = join(dirname(resolve('typescript/package.json')), 'bin', 'tsc');
const BIOME = join(dirname(resolve('@biomejs/biome/package.json')), 'bin', 'biome');

/** In one program: more threads do some of the work twice, and projects that read declarations of each other write them. */
const TYPES = [TSC, '--singleThreaded'];
const STYLE = [BIOME, 'check', '.'];
const BORDERS = [join('scripts', 'borders.mjs')];

/** Prints what it said when it fails. */
function passes(command) {
  return new Promise((done) => {
    execFile(process.execPath, command, { cwd: root, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      if (error) process.stderr.write(`${stdout}${stderr}`);
      done(error === null);
    });
  });
}

export async function check({ typesOnly = false } = {}) {
  const results = await Promise.all((typesOnly ? [TYPES] : [TYPES, STYLE, BORDERS]).map(passes));
  return results.every(Boolean);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.exitCode = (await check({ typesOnly: process.argv.includes('--types') })) ? 0 : 1;
}
