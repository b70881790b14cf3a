// src/runtimes/provision/known-hashes.json: the hashes of the versions that the rule book names, of each package that
// carries a runtime, as npm's registry publishes them. `npm run known-hashes` after a rule names another version.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import semver from 'semver';
import { PROGRAM_RUNTIMES, type ProgramRuntime } from '../src/model/names.ts';
import { RUNTIME_KINDS } from '../src/runtimes/process/kinds.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const ENGINES = join(ROOT, 'src/engines');
const OUT = join(ROOT, 'src/runtimes/provision/known-hashes.json');

/** "1.4.5", "20.20" and, of "Node 20-26", each major. A number that no runtime has as a version does no harm. */
function named(): { exact: string[]; lines: string[] } {
  const files = readdirSync(ENGINES, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  const text = files.map((file) => readFileSync(join(ENGINES, file), 'utf8')).join('\n');
  const numbers = text.match(/\b\d+\.\d+(?:\.\d+)?\b/g) ?? [];
  const majors = [...text.matchAll(/Node (\d+)-(\d+)/g)].flatMap(([, first, last]) =>
    Array.from({ length: Number(last) - Number(first) + 1 }, (_, index) => String(Number(first) + index)),
  );
  const oldest = Object.values(RUNTIME_KINDS).map((kind) => kind.oldest);
  return {
    exact: [...oldest, ...numbers.filter((number) => semver.valid(number))],
    lines: [...majors, ...numbers.filter((number) => !semver.valid(number))],
  };
}

/** For every machine that has one. */
function packagesOf(name: ProgramRuntime): string[] {
  const targets = ['linux', 'darwin', 'win32'].flatMap((platform) =>
    ['x64', 'arm64'].flatMap((arch) =>
      [false, true].flatMap((musl) => [false, true].map((avx2) => ({ platform, arch, musl, avx2 }))),
    ),
  );
  const packages = targets
    .filter(({ platform, musl }) => platform === 'linux' || !musl)
    .map((target) => RUNTIME_KINDS[name].npmPackage(target)?.package);
  return [...new Set(packages.filter((one) => one !== undefined))].sort();
}

const npm = (...args: string[]): unknown =>
  JSON.parse(
    execFileSync('npm', [...args, '--json'], {
      cwd: ROOT,
      encoding: 'utf8',
      shell: process.platform === 'win32',
    }),
  );

function versionsFor(published: readonly string[]): string[] {
  const { exact, lines } = named();
  const newest = lines.map((line) => semver.maxSatisfying(published, `~${line}`));
  const wanted = new Set([...exact, ...newest]);
  return semver.sort(published.filter((version) => wanted.has(version)));
}

/** Of the versions of one package: npm prints one as an object, several as an array. */
function hashesOf(name: string): Record<string, string> {
  const published = [npm('view', name, 'versions')].flat() as string[];
  const versions = versionsFor(published);
  if (versions.length === 0) return {};
  const printed = [npm('view', `${name}@${versions.join(' || ')}`, 'version', 'dist.integrity')].flat() as {
    version: string;
    'dist.integrity'?: string;
  }[];
  return Object.fromEntries(
    semver.sort(versions).map((version) => {
      const integrity = printed.find((row) => row.version === version)?.['dist.integrity'] ?? '';
      if (!integrity.startsWith('sha512-'))
        throw new Error(`${name}@${version}: '${integrity}' is no sha512`);
      return [version, integrity];
    }),
  );
}

const hashes = Object.fromEntries(
  PROGRAM_RUNTIMES.flatMap(packagesOf)
    .map((name) => [name, hashesOf(name)] as const)
    .filter(([, versions]) => Object.keys(versions).length > 0),
);
writeFileSync(OUT, `${JSON.stringify(hashes, null, 2)}\n`);
