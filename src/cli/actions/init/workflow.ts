/** The GitHub workflow that `check --init` writes. */
import type { ManagerName, PackageManager } from './package-manager.ts';

export interface WorkflowProject {
  /** Folder of the package, from the root of the repository; "" is the root. */
  folder: string;
  /** null: nothing to install. */
  manager: PackageManager | null;
  /** Folder of `manager`, from the root. */
  managerFolder: string;
  /** 1: one job for all payloads. */
  shards: number;
}

const INSTALL: Readonly<Record<ManagerName, string>> = {
  npm: 'npm ci',
  pnpm: 'pnpm install --frozen-lockfile',
  yarn: 'yarn install --immutable',
  'yarn-classic': 'yarn install --frozen-lockfile',
  bun: 'bun install --frozen-lockfile',
};

const WITHOUT_LOCK: Readonly<Record<ManagerName, string>> = {
  npm: 'npm install',
  pnpm: 'pnpm install',
  yarn: 'yarn install',
  'yarn-classic': 'yarn install',
  bun: 'bun install',
};

/** As actions/setup-node calls its caches; it has none for Bun. */
const CACHES: Readonly<Partial<Record<ManagerName, string>>> = {
  npm: 'npm',
  pnpm: 'pnpm',
  yarn: 'yarn',
  'yarn-classic': 'yarn',
};

/** A name may be any text: JSON is YAML, and an expression of GitHub must not start in it. */
const quoted = (text: string) => JSON.stringify(text.replaceAll('${{', `\${{ '\${{' }}`));
const inFolder = (folder: string, name: string) => (folder === '' ? name : `${folder}/${name}`);

/** "- uses: x", and below it its inputs. */
function uses(action: string, inputs: Readonly<Record<string, string | null>> = {}): string[] {
  const given = Object.entries(inputs).filter(([, value]) => value !== null);
  const lines = given.map(([name, value]) => `    ${name}: ${value}`);
  return [`- uses: ${action}`, ...(lines.length === 0 ? [] : ['  with:', ...lines])];
}

function setUp({ manager, managerFolder }: WorkflowProject): string[] {
  const name = manager?.name;
  const pnpmInputs = {
    version: manager?.version ?? null,
    package_json_file:
      managerFolder === '' || manager?.pinned === null
        ? null
        : quoted(inFolder(managerFolder, 'package.json')),
  };
  const cache = manager?.lockFile && name ? (CACHES[name] ?? null) : null;
  const lockFile =
    cache && managerFolder !== '' ? quoted(inFolder(managerFolder, manager?.lockFile ?? '')) : null;
  return [
    ...(name === 'pnpm' ? uses('pnpm/action-setup@v4', pnpmInputs) : []),
    ...(name === 'bun' ? uses('oven-sh/setup-bun@v2') : []),
    // The version that package.json pins; before setup-node, which asks yarn where its cache is.
    ...(name === 'yarn' || (name === 'yarn-classic' && manager?.pinned) ? ['- run: corepack enable'] : []),
    ...uses('actions/setup-node@v5', { 'node-version': '24', cache, 'cache-dependency-path': lockFile }),
  ];
}

function install({ manager, managerFolder, folder }: WorkflowProject): string[] {
  if (manager === null) return [];
  const command = (manager.lockFile === null ? WITHOUT_LOCK : INSTALL)[manager.name];
  const elsewhere = managerFolder === folder ? [] : [`  working-directory: ${quoted(managerFolder || '.')}`];
  return [`- run: ${command}`, ...elsewhere];
}

const indented = (lines: readonly string[], spaces: number) =>
  lines.map((line) => `${' '.repeat(spaces)}${line}`).join('\n');

function defaults({ folder }: WorkflowProject): string[] {
  return folder === '' ? [] : ['defaults:', '  run:', `    working-directory: ${quoted(folder)}`];
}

/** In a pull request the checked out commit is the merge, whose first parent is the branch that it goes to. */
const CHECK = 'npx --yes clone-prof check --base HEAD^1';
const CHECKOUT = uses('actions/checkout@v5', { 'fetch-depth': '2' });

const HEAD = `# Compares the payloads of a pull request with those before it: facts, and times in the same run.
name: clone-prof
on: pull_request

# Annotations and the job summary need no token: they work for forks, too.
permissions:
  contents: read

jobs:
`;

/** YAML. */
export function workflowTemplate(project: WorkflowProject): string {
  const prepare = [...CHECKOUT, ...setUp(project), ...install(project)];
  return HEAD + (project.shards === 1 ? wholeJob(project, prepare) : shardJobs(project, prepare));
}

function wholeJob(project: WorkflowProject, prepare: readonly string[]): string {
  const steps = [...prepare, `- run: ${CHECK} --format terminal github`];
  return `  check:
${indented(['runs-on: ubuntu-latest', ...defaults(project), 'steps:'], 4)}
${indented(steps, 6)}
`;
}

/** One runner for each shard, and a job that merges: it refuses a shard that is missing, and is the one to require. */
function shardJobs(project: WorkflowProject, prepare: readonly string[]): string {
  const { shards, folder } = project;
  const numbers = Array.from({ length: shards }, (_, index) => index + 1).join(', ');
  const part = `${CHECK} --shard \${{ matrix.shard }}/${shards} --format terminal json=clone-prof-shard.json`;
  const upload = uses('actions/upload-artifact@v4', {
    name: `clone-prof-shard-\${{ matrix.shard }}`,
    path: quoted(inFolder(folder, 'clone-prof-shard.json')),
  });
  const download = uses('actions/download-artifact@v4', {
    pattern: 'clone-prof-shard-*',
    path: quoted(inFolder(folder, 'shards')),
  });
  const merge = 'npx --yes clone-prof check --merge shards/*/clone-prof-shard.json --format terminal github';
  return `  shard:
${indented(['runs-on: ubuntu-latest', 'strategy:', '  fail-fast: false', '  matrix:', `    shard: [${numbers}]`, ...defaults(project), 'steps:'], 4)}
${indented([...prepare, `- run: ${part}`, ...upload, '  if: always()'], 6)}

  check:
${indented(['needs: shard', 'if: always()', 'runs-on: ubuntu-latest', ...defaults(project), 'steps:'], 4)}
${indented([...prepare, ...download, `- run: ${merge}`], 6)}
`;
}
