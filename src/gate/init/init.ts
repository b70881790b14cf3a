/** `clone-prof check --init [payload...]`: writes a config and a CI workflow. Existing files are kept. */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { configPlaces } from '../../app/store/config.ts';
import { write } from '../../cli/session/output.ts';
import type { World } from '../../cli/session/world.ts';
import { LOCK_FILES, projectFolders, toolVersion } from '../../machine/folders.ts';
import { startOf } from '../../machine/given-file.ts';
import { EXIT, ToolError } from '../../model/errors.ts';
import { visible } from '../../report/text/escape.ts';

export async function runInit(
  { payloads, shards }: { payloads: readonly string[]; shards: number | null },
  world: World,
): Promise<number> {
  const project = projectOf(world.cwd());
  const { cwd, root, folder } = project;
  const found = payloads.length > 0 ? [...payloads] : payloadFilesIn(cwd);
  const inputs = found.slice(0, MAX_PAYLOADS);
  const kept = keptConfig(cwd);
  const config = kept ?? NEW_CONFIG;
  if (kept === null) put(cwd, config, configText(project, inputs));
  // GitHub reads workflows at the root of the repository only.
  const name = ['clone-prof', ...folder.split('/').filter(Boolean)].join('-').replace(/[^\w.-]/g, '_');
  const workflow = `.github/workflows/${name}.yml`;
  const isNew = put(root, workflow, workflowTemplate(project, shards ?? 1));
  const lines = [
    `${kept === null ? 'wrote' : 'kept '} ${config}`,
    `${isNew ? 'wrote' : 'kept '} ${between(cwd, join(root, workflow))}`,
    ...(kept === null ? [payloadLine(inputs, found.length - inputs.length, config)] : []),
    'Next: run npx clone-prof check, and commit the files. Each pull request is then compared with its base commit.',
    ...(project.dependsOnTool
      ? []
      : ['Add clone-prof to the devDependencies, so that all machines use the same version.']),
  ];
  await write(world.stdout, `${lines.map((line) => visible(line)).join('\n')}\n`);
  return EXIT.ok;
}

const MAX_PAYLOADS = 12;

function payloadLine(inputs: readonly string[], more: number, config: string): string {
  if (inputs.length === 0) return `No payloads found: name yours under "payloads" in ${config}.`;
  const rest = more > 0 ? `, and ${more} more that are not listed` : '';
  return `Payloads, chosen by their names: ${inputs.join(', ')}${rest}. Change the list in ${config}; each export of a module is a payload.`;
}

/** Finds an existing config, even if it is invalid: it is not loaded, because loading may run it. */
function keptConfig(cwd: string): string | null {
  const isConfig = (path: string) =>
    basename(path) === 'package.json' ? 'clone-prof' in manifestIn(dirname(path)) : existsSync(path);
  const found = projectFolders(cwd).flatMap(configPlaces).find(isConfig);
  return found === undefined ? null : between(cwd, found);
}

const NEW_CONFIG = 'clone-prof.config.json';

/** Editors use the schema to complete and explain the keys. Packages of a workspace may be installed at its root. */
function configText({ cwd, root, manager }: Project, inputs: readonly string[]): string {
  const own = join(cwd, 'node_modules/clone-prof');
  const shared = join(manager ? join(root, manager.folder) : cwd, 'node_modules/clone-prof');
  const schema = between(cwd, join(existsSync(own) ? own : shared, 'dist/config.schema.json'));
  const config = {
    $schema: schema.startsWith('.') ? schema : `./${schema}`,
    ...{
      extends: 'recommended',
      runtimes: ['node'],
      payloads: inputs.map((input) => ({ input })),
      limits: {},
    },
  };
  return `${JSON.stringify(config, null, 2)}\n`;
}

/** Writes a new file; false if there is one. @throws ToolError 'output-unwritable' */
function put(folder: string, file: string, text: string): boolean {
  const path = join(folder, file);
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw new ToolError('output-unwritable', { file, detail: (error as Error).message });
  }
}

const SAMPLES = ['payloads', 'samples', 'fixtures', '__fixtures__'];
const FOLDERS = [
  '.',
  ...['.', 'test', 'tests', 'src'].flatMap((parent) => SAMPLES.map((name) => join(parent, name))),
];

const DATA = /\.(json|ndjson|jsonl)$/i;
const MODULE = /\.[mc]?[jt]s$/i;
/** Modules in the project folder count only if their names end in "payload" or "payloads". */
const NAMED_MODULE = /\bpayloads?\.[mc]?[jt]s$/i;

/** Files of tools, tests and declarations are not payloads. */
const OTHER_DATA =
  /^((package(-lock)?|npm-shrinkwrap|composer|biome|deno|bun|turbo|nx|lerna|renovate|vercel|[jt]sconfig.*|clone-prof.*|.*\.config|.*\.schema)\.json)$/i;
const OTHER_MODULE = /^(index|setup|generate)\b|\.(d|test|spec|config|setup)\.[mc]?[jt]s$/i;

/** Files that look like sample payloads, by their names and folders; nothing is read or run. Sorted in each folder. */
function payloadFilesIn(cwd: string): string[] {
  return FOLDERS.flatMap((folder) => {
    const isPayload = (name: string) =>
      DATA.test(name)
        ? !OTHER_DATA.test(name)
        : (folder === '.' ? NAMED_MODULE : MODULE).test(name) && !OTHER_MODULE.test(name);
    return namesIn(join(cwd, folder))
      .filter((name) => !/^[._]/.test(name) && isPayload(name))
      .map((name) => join(folder, name).replaceAll('\\', '/'));
  });
}

/** Sorted names of the files in a folder; empty if it cannot be read. */
function namesIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.flatMap((entry) => (entry.isFile() ? entry.name : [])).sort();
  } catch {
    return [];
  }
}

/**
 * Commits of the actions that a workflow of `check --init` uses, each with its release: a tag can move to other code.
 * `git ls-remote https://github.com/<action> refs/tags/<release>` prints the commit of a newer one.
 */
export const PINNED = {
  'actions/checkout': '08c6903cd8c0fde910a37f88322edcfb5dd907a8 # v5.0.0',
  'actions/setup-node': 'a0853c24544627f65ddf259abe73b1d18a591444 # v5.0.0',
  'actions/upload-artifact': 'ea165f8d65b6e75b540449e92b4886f43607fa02 # v4.6.2',
  'actions/download-artifact': 'd3f86a106a0bac45b974a628896c90dbdf5c8093 # v4.3.0',
  'pnpm/action-setup': 'a7487c7e89a18df4991f7f222e4898a00d66ddda # v4.1.0',
  'oven-sh/setup-bun': '735343b667d3e6f658f44d0eca948eb6282f2b76 # v2.0.2',
} as const;

const LOCKED: Readonly<Record<ManagerName, string>> = {
  npm: 'npm ci',
  pnpm: 'pnpm install --frozen-lockfile',
  yarn: 'yarn install --immutable',
  'yarn-classic': 'yarn install --frozen-lockfile',
  bun: 'bun install --frozen-lockfile',
};

/** Name of the program, which actions/setup-node uses for its cache. */
const programOf = (name: ManagerName) => (name === 'yarn-classic' ? 'yarn' : name);

/** Quotes any text as JSON, which is valid YAML, so that no expression of GitHub starts in it. */
const quoted = (text: string) => JSON.stringify(text.replaceAll('${{', `\${{ '\${{' }}`));
const inFolder = (folder: string, name: string) => (folder === '' ? name : `${folder}/${name}`);

function uses(action: keyof typeof PINNED, inputs: Readonly<Record<string, string | null>> = {}): string[] {
  const given = Object.entries(inputs).filter(([, value]) => value !== null);
  const lines = given.map(([name, value]) => `    ${name}: ${value}`);
  return [`- uses: ${action}@${PINNED[action]}`, ...(lines.length === 0 ? [] : ['  with:', ...lines])];
}

const USUAL_NODE = '24';

function setUp({ manager, nodeVersionFile }: Project): string[] {
  const { name, pinned, version = null } = manager ?? {};
  const inManagerFolder = (file: string) =>
    manager === null || manager.folder === '' ? null : quoted(inFolder(manager.folder, file));
  const pnpmInputs = {
    version: pinned === null ? version : null,
    package_json_file: pinned === null ? null : inManagerFolder('package.json'),
  };
  // The action setup-node does not support a cache for Bun.
  const cached = manager?.lockFile && name !== 'bun' ? manager : null;
  return [
    ...(name === 'pnpm' ? uses('pnpm/action-setup', pnpmInputs) : []),
    ...(name === 'bun' ? uses('oven-sh/setup-bun') : []),
    // Corepack selects the pinned version. It must run before setup-node, which runs yarn to find its cache.
    ...(name === 'yarn' || (name === 'yarn-classic' && pinned) ? ['- run: corepack enable'] : []),
    ...uses('actions/setup-node', {
      ...(nodeVersionFile === null
        ? { 'node-version': USUAL_NODE }
        : { 'node-version-file': quoted(nodeVersionFile) }),
      cache: cached && programOf(cached.name),
      'cache-dependency-path': cached && inManagerFolder(cached.lockFile ?? ''),
    }),
  ];
}

function install({ manager, folder }: Project): string[] {
  if (manager === null) return [];
  const { name, lockFile } = manager;
  const elsewhere =
    manager.folder === folder ? [] : [`  working-directory: ${quoted(manager.folder || '.')}`];
  return [`- run: ${lockFile === null ? `${programOf(name)} install` : LOCKED[name]}`, ...elsewhere];
}

const indented = (lines: readonly string[], spaces: number) =>
  lines.map((line) => `${' '.repeat(spaces)}${line}`).join('\n');

const defaults = ({ folder }: Project): string[] =>
  folder === '' ? [] : ['defaults:', '  run:', `    working-directory: ${quoted(folder)}`];

/**
 * The version is pinned, so that CI changes only by a commit. In a folder outside of the project npx takes neither the
 * copy nor the registry that a pull request may name.
 */
const RUN = `npx --yes --prefix "$RUNNER_TEMP" clone-prof@${toolVersion()} check`;
/** A pull request checks out the merge commit, whose first parent is the target branch. */
const CHECK = `${RUN} --base HEAD^1`;
const CHECKOUT = uses('actions/checkout', { 'fetch-depth': '2' });

const HEAD = `# Compares the payloads of a pull request with those before it: facts, and times in the same run.
name: clone-prof
on: pull_request

# Annotations and the job summary need no token: they work for forks, too.
# Actions are named by commits, because a tag can be moved. Dependabot and Renovate raise the commit and its release.
permissions:
  contents: read

# A new commit ends the run of the one before it.
concurrency:
  group: \${{ github.workflow_ref }}
  cancel-in-progress: true

jobs:
`;

/** The timeout includes the time to install. `check --total 5m` measures for less time if this is too short. */
const RUNNER = ['runs-on: ubuntu-latest', 'timeout-minutes: 20'];

export function workflowTemplate(project: Project, shards: number): string {
  const prepare = [...CHECKOUT, ...setUp(project), ...install(project)];
  if (shards > 1) return HEAD + shardJobs(project, shards, prepare);
  return `${HEAD}  check:
${indented([...RUNNER, ...defaults(project), 'steps:'], 4)}
${indented([...prepare, `- run: ${CHECK} --format terminal github`], 6)}
`;
}

/** Jobs of a sharded check: a runner per shard, and a job to require: it merges and refuses a missing shard. */
function shardJobs(project: Project, shards: number, prepare: readonly string[]): string {
  const { folder } = project;
  const numbers = Array.from({ length: shards }, (_, index) => index + 1).join(', ');
  const part = `${CHECK} --shard \${{ matrix.shard }}/${shards} --format terminal json=clone-prof-shard.json`;
  const upload = uses('actions/upload-artifact', {
    name: `clone-prof-shard-\${{ matrix.shard }}`,
    path: quoted(inFolder(folder, 'clone-prof-shard.json')),
  });
  const download = uses('actions/download-artifact', {
    pattern: 'clone-prof-shard-*',
    path: quoted(inFolder(folder, 'shards')),
  });
  const merge = `${RUN} --merge shards/*/clone-prof-shard.json --format terminal github`;
  return `  shard:
${indented([...RUNNER, 'strategy:', '  fail-fast: false', '  matrix:', `    shard: [${numbers}]`, ...defaults(project), 'steps:'], 4)}
${indented([...prepare, `- run: ${part}`, ...upload, '  if: always()'], 6)}

  check:
${indented(['needs: shard', 'if: always()', ...RUNNER, ...defaults(project), 'steps:'], 4)}
${indented([...prepare, ...download, `- run: ${merge}`], 6)}
`;
}

type ManagerName = (typeof LOCK_FILES)[keyof typeof LOCK_FILES] | 'yarn-classic';

type Project = ReturnType<typeof projectOf>;

/** Folders of a project, its package manager and its version of Node. */
export function projectOf(cwd: string) {
  const folders = projectFolders(cwd);
  /** Root of its repository; `cwd` outside of a repository. */
  const root = folders.at(-1) ?? cwd;
  const versionFile = firstOf(folders, nodeVersionFile);
  const manifest = folders.find((folder) => existsSync(join(folder, 'package.json')));
  const npm = { name: 'npm' as const, lockFile: null, pinned: null, version: '' };
  return {
    /** `folder`: from `root`, with `/`; "" if they are equal. */
    ...{ cwd, root, folder: between(root, cwd) },
    /** Of the nearest folder that names it or has a lock file: a workspace's root. Null without a package.json. */
    manager:
      firstOf(folders, (folder) => managerIn(folder, between(root, folder))) ??
      (manifest === undefined ? null : { ...npm, folder: between(root, manifest) }),
    nodeVersionFile: versionFile && between(root, versionFile),
    dependsOnTool: folders
      .map(manifestIn)
      .some(({ dependencies, devDependencies }) =>
        [dependencies, devDependencies].some((names) => Object.hasOwn(Object(names), 'clone-prof')),
      ),
  };
}

const firstOf = <T>(folders: readonly string[], find: (folder: string) => T | null): T | null =>
  folders.map(find).find((found) => found !== null) ?? null;

const between = (from: string, to: string) => relative(from, to).replaceAll('\\', '/');

const readText = (file: string): string => startOf(file) ?? '';

interface Manifest {
  packageManager?: unknown;
  engines?: { node?: unknown };
  volta?: { node?: unknown };
  dependencies?: object;
  devDependencies?: object;
}

/** Reads the package.json of a folder; empty if it is missing or cannot be read. */
function manifestIn(folder: string): Manifest {
  try {
    return Object(JSON.parse(readText(join(folder, 'package.json')))) as Manifest;
  } catch {
    return {};
  }
}

const VERSION_FILES = ['.nvmrc', '.node-version'];

function nodeVersionFile(folder: string): string | null {
  const file = VERSION_FILES.find((name) => existsSync(join(folder, name)));
  if (file !== undefined) return join(folder, file);
  const { engines, volta } = manifestIn(folder);
  return typeof (volta?.node ?? engines?.node) === 'string' ? join(folder, 'package.json') : null;
}

/** By the version in pnpm-lock.yaml (pnpm.io/next/git#lockfiles). */
const PNPM_VERSIONS: Readonly<Record<string, string>> = { 5: '7', 6: '8' };

/**
 * Manager that a folder names, else null. `pinned`: its version in package.json ("pnpm@10.1.0"), without a hash.
 * `version`: of pnpm, the version that wrote the lock file.
 * @param fromRoot the folder's path from the root of the repository
 */
export function managerIn(folder: string, fromRoot: string) {
  const { packageManager } = manifestIn(folder);
  const pinned = /^(npm|pnpm|yarn|bun)@\d[\w.-]*/.exec(String(packageManager))?.[0] ?? null;
  const locks = Object.entries(LOCK_FILES).filter(([file]) => existsSync(join(folder, file)));
  const lock =
    locks.find(([, name]) => pinned?.startsWith(`${name}@`)) ?? (pinned === null ? locks[0] : undefined);
  if (lock === undefined && pinned === null) return null;
  const [lockFile = null, name = pinned?.split('@')[0]] = lock ?? [];
  const text = lockFile === null || name === 'bun' ? '' : readText(join(folder, lockFile));
  const version = PNPM_VERSIONS[/^lockfileVersion: '?(\d)/m.exec(text)?.[1] ?? ''] ?? '10';
  // From version 2 on yarn writes the key `__metadata`.
  const isClassic = pinned === null ? !/^__metadata:/m.test(text) : /^yarn@[01]\./.test(pinned);
  const own = (name === 'yarn' && isClassic ? 'yarn-classic' : name) as ManagerName;
  return { name: own, folder: fromRoot, lockFile, pinned, version };
}
