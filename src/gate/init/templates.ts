/** The files that `check --init` writes. */
import { toolVersion } from '../../machine/folders.ts';
import type { ManagerName, Project } from './project.ts';

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

/** Lines of a step: "- uses: x", followed by its inputs. */
function uses(action: keyof typeof PINNED, inputs: Readonly<Record<string, string | null>> = {}): string[] {
  const given = Object.entries(inputs).filter(([, value]) => value !== null);
  const lines = given.map(([name, value]) => `    ${name}: ${value}`);
  return [`- uses: ${action}@${PINNED[action]}`, ...(lines.length === 0 ? [] : ['  with:', ...lines])];
}

const USUAL_NODE = '24';

function setUp({ manager, nodeVersionFile }: Project): string[] {
  const name = manager?.name;
  const inManagerFolder = (file: string) =>
    manager === null || manager.folder === '' ? null : quoted(inFolder(manager.folder, file));
  const pnpmInputs = {
    version: manager?.version ?? null,
    package_json_file: manager?.pinned === null ? null : inManagerFolder('package.json'),
  };
  // The action setup-node does not support a cache for Bun.
  const cached = manager?.lockFile && name !== 'bun' ? manager : null;
  return [
    ...(name === 'pnpm' ? uses('pnpm/action-setup', pnpmInputs) : []),
    ...(name === 'bun' ? uses('oven-sh/setup-bun') : []),
    // Corepack selects the pinned version. It must run before setup-node, which runs yarn to find its cache.
    ...(name === 'yarn' || (name === 'yarn-classic' && manager?.pinned) ? ['- run: corepack enable'] : []),
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

/** Text of a config in TypeScript: the given payloads, and each limit with a line on its meaning. */
export function typedConfig(inputs: readonly string[]): string {
  const payloads = inputs.map((input) => `    { input: ${JSON.stringify(input)} },`);
  const shown = payloads.length > 0 ? payloads.join('\n') : '    // { input: "fixtures/rows.json" },';
  return `// Limits on what this project posts between threads. Run: npx clone-prof check --base main
import { defineConfig } from 'clone-prof';

export default defineConfig({
  // "recommended" or "strict": the limits that are not named below.
  extends: 'recommended',

  // Where to check: node, bun@1.4, deno, a path to a binary.
  runtimes: ['node'],

  // Without --base: the facts you last accepted, written by npx clone-prof baseline. A file that is named here must be
  // there.
  // baseline: 'clone-prof.baseline.json',

  // Sample payloads: .json, .ndjson, .txt, or a module whose exports are payloads or make them.
  payloads: [
${shown}
    // One with limits of its own:
    // { id: 'rows', input: 'fixtures/rows.mjs', export: 'rows', runtimes: ['node', 'bun@1.4'],
    //   limits: { class: 'in-memory', maxBytes: '64 kB' } },
  ],

  // A limit is a value, which is an error to break, or ['warn', value], or 'off'. Growth ('+10%') and 'baseline' are
  // relative to the commit of --base, else to the file that npx clone-prof baseline writes.
  limits: {
    // class: 'baseline', //     no slower path than before; or a class: 'in-memory', 'serialized'
    // maxBytes: '64 kB', //     or '+10%'
    // maxNodes: 1000,
    // maxDepth: 4,
    // maxAmplification: 1.5, // bytes copied over bytes meant
    // lossy: 'error', //        what does not arrive as it was sent
    // rejected: 'error', //     what postMessage refuses
    // transfer: 'all', //       every buffer is among the paths of \`transfer\`
    // time: '+10%', //          old and new payload, measured in the same run
  },
});
`;
}

/** Text of a config in JSON. Editors use the schema to complete and explain the keys. */
export function jsonConfig(inputs: readonly string[], schema: string): string {
  const payloads = inputs.map((input) => ({ input }));
  const config = { $schema: schema, extends: 'recommended', runtimes: ['node'], payloads, limits: {} };
  return `${JSON.stringify(config, null, 2)}\n`;
}
