import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { devNull } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { projectFolders } from '../../machine/folders.ts';
import { PROCESS_RUNTIMES, type ProcessRuntime, type ProgramRuntime } from '../../model/names.ts';
import { orElse } from '../../model/or-else.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface BuildTarget {
  platform: string;
  arch: string;
  /** The C library is musl (Alpine), not glibc. */
  musl: boolean;
  /** False on an x64 processor without AVX2: Bun's standard build dies there of an illegal instruction. */
  avx2: boolean;
}

export interface NpmPackage {
  package: string;
  /** Path inside the package. */
  binary: string;
}

/** Runs a program and returns what it prints on stdout and stderr; '' if it cannot be run. */
export type Ask = (file: string, args: readonly string[], env?: Environment) => Promise<string>;

export interface ProgramKind {
  /** The oldest version in which guests run. */
  oldest: string;
  /** null if it is a different program. */
  version(binary: string, ask: Ask): Promise<string | null>;
}

export const printedVersion =
  (versionIn: (printed: string) => string | null): ProgramKind['version'] =>
  async (binary, ask) =>
    versionIn(await ask(binary, ['--version']));

export interface RuntimeKind extends ProgramKind {
  /** Arguments before the guest's file. `config`: see `configFile`. `files`: a folder that it may make, and the host removes. */
  guestArgs(config: string | null, files: string): readonly string[];
  /** File with which a guest resolves the imports of modules in the project of `cwd`; null: it does not need a file. */
  configFile?(cwd: string): string | null;
  /** True if arguments cannot stop it from reading its working folder and above: a guest for data starts elsewhere. */
  readsWorkingFolder?: true;
  /** Changes to the user's environment for the guest; undefined removes a variable. */
  guestEnv: Environment;
  /** Paths of its npm binary below a node_modules folder; `*` matches the name of one platform. */
  inNodeModules: readonly string[];
  /** The tool that installs the binary there, if npm alone does not. */
  installedBy?: string;
  /** The npm package with the binary for a machine; null if no package is published. */
  npmPackage(target: BuildTarget): NpmPackage | null;
}

/** One package for each machine. Windows has the package's name for it, other systems their own names. */
function packages(
  binary: string,
  win32: string,
  nameFor: (system: string, target: BuildTarget) => string | null,
): RuntimeKind['npmPackage'] {
  return (target) => {
    const { platform, arch } = target;
    if (!['linux', 'darwin', 'win32'].includes(platform) || !['x64', 'arm64'].includes(arch)) return null;
    const isWindows = platform === 'win32';
    const name = nameFor(isWindows ? win32 : platform, target);
    return name === null ? null : { package: name, binary: isWindows ? `${binary}.exe` : binary };
  };
}

const firstLineOf = (printed: string): string => printed.split('\n', 1)[0]!.trim();

const bareVersion = (printed: string): string | null =>
  /^(\d+\.\d+\.\d+\S*)$/.exec(firstLineOf(printed))?.[1] ?? null;

const node: RuntimeKind = {
  oldest: '20.19.0',
  version: printedVersion((printed) => /^v(\d+\.\d+\.\d+\S*)$/.exec(firstLineOf(printed))?.[1] ?? null),
  // V8 natives and the garbage collector are reached at run time (v8.setFlagsFromString): no flag needed.
  guestArgs: () => [],
  guestEnv: {
    // Coverage counters change what is measured, and write files for a process that is not the user's program.
    NODE_V8_COVERAGE: undefined,
    NODE_TEST_CONTEXT: undefined,
    VSCODE_INSPECTOR_OPTIONS: undefined,
  },
  inNodeModules: ['node/bin/node', 'node/bin/node.exe'],
  npmPackage: packages('bin/node', 'win', (system, { arch, musl }) =>
    musl ? null : `node-${system}-${arch}`,
  ),
};

const bun: RuntimeKind = {
  oldest: '1.2.20',
  // Only Bun prints "1.4.5+a7733435c" for --revision, and tells a canary there alone. A browser would open a window for an argument that it does not know.
  async version(binary, ask) {
    if (bareVersion(await ask(binary, ['--version'])) === null) return null;
    const revision = firstLineOf(await ask(binary, ['--revision']));
    return /^(\d+\.\d+\.\d+(?:-[\w.]+)?)\+\w+$/.exec(revision)?.[1] ?? null;
  },
  guestArgs: () => [
    // This option keeps Bun from fetching the imports of a payload module if there is no node_modules folder.
    '--no-install',
    // The working folder's bunfig.toml runs programs before the guest (preload); its .env changes what a module sees.
    `--config=${devNull}`,
    `--env-file=${devNull}`,
  ],
  // `paths` of a tsconfig.json there, or above, replace the guest's own file. The guest's folder has an empty
  // tsconfig.json (scripts/build.mjs).
  readsWorkingFolder: true,
  guestEnv: {
    // A crash is a result here; Bun's handler would send it to bun.report.
    BUN_ENABLE_CRASH_REPORTING: '0',
    BUN_INSPECT: undefined,
    BUN_INSPECT_NOTIFY: undefined,
    BUN_INSPECT_CONNECT_TO: undefined,
    BUN_INSPECT_PRELOAD: undefined,
  },
  inNodeModules: ['@oven/bun-*/bin/bun', '@oven/bun-*/bin/bun.exe', '.bin/bun', 'bun/bin/bun.exe'],
  npmPackage: packages('bin/bun', 'windows', (system, { arch, musl, avx2 }) => {
    const baseline = arch === 'x64' && system !== 'darwin' && !avx2 ? '-baseline' : '';
    return `@oven/bun-${system}-${arch === 'x64' ? arch : 'aarch64'}${musl ? '-musl' : ''}${baseline}`;
  }),
};

/**
 * Deno looks for its config next to the program, which is the guest's here: the user's import map would be missing. An
 * import map can also replace what the guest itself imports.
 */
function configFile(cwd: string): string | null {
  const files = projectFolders(cwd).flatMap((folder) => [
    join(folder, 'deno.json'),
    join(folder, 'deno.jsonc'),
  ]);
  return files.find((file) => existsSync(file)) ?? null;
}

const deno: RuntimeKind = {
  oldest: '2.5.0',
  version: printedVersion((printed) => /^deno (\d+\.\d+\.\d+\S*)/.exec(printed)?.[1] ?? null),
  guestArgs: (config) => [
    'run',
    '--allow-all',
    '--no-prompt',
    '--no-lock',
    // Nothing is fetched at import: a payload's dependencies are in the cache or in node_modules.
    '--cached-only',
    // Resolves bare names in the user's node_modules, from the payload's folder; the default mode refuses this, because
    // the guest is not part of the user's project.
    '--node-modules-dir=manual',
    // A .js file of a package without "type" is CommonJS when its syntax is, as on Node and Bun.
    '--unstable-detect-cjs',
    // A global without the flag only in later versions: 2.9 has it, 2.3 has not.
    '--unstable-broadcast-channel',
    // Node sets this at run time; Deno only here (v8.setFlagsFromString has no effect on the parser there).
    '--v8-flags=--allow-natives-syntax',
    ...(config === null ? ['--no-config'] : ['--config', config]),
  ],
  configFile,
  guestEnv: {
    DENO_NO_UPDATE_CHECK: '1',
    DENO_NO_PROMPT: '1',
    DENO_V8_COVERAGE: undefined,
    DENO_COVERAGE_DIR: undefined,
  },
  inNodeModules: ['@deno/*/deno', '@deno/*/deno.exe', 'deno/deno', '.bin/deno'],
  npmPackage: packages('deno', 'win32', (system, { arch, musl }) =>
    musl ? null : `@deno/${system}-${arch}${system === 'linux' ? '-glibc' : ''}`,
  ),
};

const electron: RuntimeKind = {
  // Its main script and preload scripts may be ES modules from here on.
  oldest: '28.0.0',
  // `--version` would start the app, and print what Node prints.
  async version(binary, ask) {
    if (!/^electron\d*(\.exe|\.cmd)?$/i.test(basename(binary))) return null;
    const env = { ELECTRON_RUN_AS_NODE: '1', NODE_OPTIONS: undefined };
    return bareVersion(await ask(binary, ['-p', 'process.versions.electron'], env));
  },
  guestArgs: (_config, files) => [
    `--user-data-dir=${files}`,
    // Its flags are frozen after the start: setting one at run time ends the process.
    '--js-flags=--allow-natives-syntax --expose-gc --no-flush-bytecode',
    '--disable-gpu',
    // Windows are hidden and loaded with the guest's own files, and user code of the guest has all of Node anyway.
    // Chromium with a sandbox ends at once if it runs as root, or if root did not install a helper.
    ...(process.platform === 'linux' ? ['--no-sandbox', '--ozone-platform=headless'] : []),
  ],
  guestEnv: {
    ELECTRON_RUN_AS_NODE: undefined,
    ELECTRON_ENABLE_LOGGING: undefined,
    ELECTRON_DISABLE_SECURITY_WARNINGS: '1',
  },
  inNodeModules: [
    ...['electron/dist/electron', 'electron/dist/electron.exe'],
    'electron/dist/Electron.app/Contents/MacOS/Electron',
  ],
  // The script of the package fetches the binary, from elsewhere.
  installedBy: 'npm install electron',
  npmPackage: () => null,
};

/** It prints the day of its build, which is the middle part of the version that npm has. */
const workerd: RuntimeKind = {
  oldest: '1.20251001.0',
  // The last part is in the package of the binary.
  async version(binary, ask) {
    const printed = firstLineOf(await ask(binary, ['--version']));
    const [, year, month, day] = /^workerd (\d{4})-(\d\d)-(\d\d)$/.exec(printed) ?? [];
    if (year === undefined) return null;
    const file = join(dirname(realpathSync(binary)), '../package.json');
    const read = () => (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
    const known = `1.${year}${month}${day}.`;
    const version = orElse(read, '');
    return version.startsWith(known) && /^\d+$/.test(version.slice(known.length)) ? version : `${known}0`;
  },
  guestArgs: () => [],
  guestEnv: {},
  inNodeModules: ['@cloudflare/workerd-*/bin/workerd', '@cloudflare/workerd-*/bin/workerd.exe'],
  npmPackage: packages('bin/workerd', 'windows', (system, { arch, musl }) =>
    musl || (system === 'windows' && arch !== 'x64')
      ? null
      : `@cloudflare/workerd-${system}-${arch === 'x64' ? '64' : arch}`,
  ),
};

/** Electron is first: an unknown program is asked by each kind in turn, and `--version` starts Electron's app. */
export const RUNTIME_KINDS: Readonly<Record<ProgramRuntime, RuntimeKind>> = {
  ...{ electron, node, bun, deno, workerd },
};

export const isProgramRuntime = (name: string): name is ProgramRuntime => Object.hasOwn(RUNTIME_KINDS, name);

export const isProcessRuntime = (name: string): name is ProcessRuntime =>
  PROCESS_RUNTIMES.some((one) => one === name);
