import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { NETWORK_ENV } from '../support/fetched.ts';
import { isWhole } from '../support/whole.ts';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Options of the compiler: `@types/node` comes with the suites, or is that of the checkout. */
export const OF_PROJECT = isWhole ? {} : { typeRoots: [join(ROOT, 'node_modules', '@types')] };

const execute = promisify(execFile);
const TIMEOUT_MS = 300_000;
/** Otherwise `node --test` takes itself for a part of the run that started it. */
const WITHOUT_RUN = { NODE_TEST_CONTEXT: undefined };

export interface Ran {
  stdout: string;
  stderr: string;
  code: number;
}

/** A program in `cwd`; its exit code is a result. */
export async function run(file: string, args: string[], cwd: string, env = process.env): Promise<Ran> {
  const options = {
    cwd,
    env: { ...env, ...WITHOUT_RUN },
    timeout: TIMEOUT_MS,
    killSignal: 'SIGKILL',
    maxBuffer: 2 ** 26,
  } as const;
  try {
    return { ...(await execute(file, args, options)), code: 0 };
  } catch (error) {
    const { stdout, stderr, code } = error as Ran;
    if (typeof code !== 'number') throw error;
    return { stdout, stderr, code };
  }
}

async function ok(file: string, args: string[], cwd: string): Promise<string> {
  const { stdout, stderr, code } = await run(file, args, cwd, NETWORK_ENV);
  if (code !== 0) throw new Error(`${file} ${args.join(' ')}: exit ${code}\n${stdout}\n${stderr}`);
  return stdout;
}

const PUBLISHED = ['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md', 'action.yml', 'bin', 'docs'];

/** Built beside the checkout, so that tests that run meanwhile keep their dist folder. */
async function build(stage: string): Promise<void> {
  for (const name of PUBLISHED) cpSync(join(ROOT, name), join(stage, name), { recursive: true });
  await ok(process.execPath, [join(ROOT, 'scripts', 'build.mjs'), join(stage, 'dist')], ROOT);
}

const pack = (stage: string, ...flags: string[]): Promise<string> =>
  ok('npm', ['pack', '--ignore-scripts', '--json', '--loglevel=error', ...flags], stage);

async function packed(stage: string): Promise<string> {
  const [{ filename }] = JSON.parse(await pack(stage)) as [{ filename: string }];
  return join(stage, filename);
}

/** The files that npm would pack, where npm would put them: to compress and to extract them takes ten seconds. */
async function copied(stage: string, project: string): Promise<void> {
  const [{ files }] = JSON.parse(await pack(stage, '--dry-run')) as [{ files: { path: string }[] }];
  const modules = join(project, 'node_modules');
  for (const { path } of files) {
    const target = join(modules, 'clone-prof', path);
    mkdirSync(dirname(target), { recursive: true });
    cpSync(join(stage, path), target);
  }
  cpSync(join(ROOT, 'node_modules', '@esbuild'), join(modules, '@esbuild'), { recursive: true });
  mkdirSync(join(modules, '.bin'));
  symlinkSync('../clone-prof/bin/clone-prof.js', join(modules, '.bin', 'clone-prof'));
  writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }\n');
}

/** The newest TypeScript, on the project in `cwd`. More threads do some of the work twice. */
export const compile = (cwd: string): Promise<Ran> =>
  run(
    process.execPath,
    [join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', '.', '--singleThreaded'],
    cwd,
  );

export interface Installed {
  /** The user's project. */
  project: string;
  /** A project with test suites; the user's own where there are none. */
  suites: string;
  /** Where the package is built. */
  stage: string;
}

async function installed(project: string, packages: string[]): Promise<void> {
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }\n');
  const quiet = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
  const soon = ['--fetch-retries=1', '--fetch-retry-mintimeout=1000'];
  await ok('npm', ['install', ...quiet, ...soon, ...packages], project);
}

/**
 * The package as a user has it. In the whole suite it is packed, and installed from the tarball into an empty project,
 * and beside test suites.
 */
export async function install(
  { stage, project, suites }: Installed,
  others: readonly string[],
): Promise<void> {
  mkdirSync(stage);
  await build(stage);
  if (!isWhole && process.platform !== 'win32') return copied(stage, project);
  const tarball = await packed(stage);
  const isAlone = project === suites;
  await Promise.all([
    installed(project, [tarball]),
    ...(isAlone ? [] : [installed(suites, [tarball, ...others])]),
  ]);
}

/** Every file below a folder, as paths. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** On disk, where one file may have two names. */
export function bytesBelow(folder: string): number {
  const files = filesBelow(folder).map((file) => statSync(file));
  return [...new Map(files.map((file) => [`${file.dev} ${file.ino}`, file.size])).values()].reduce(
    (sum, size) => sum + size,
    0,
  );
}
