/** What `check --init` writes for each kind of project. The workflows are parsed by a YAML parser: that of Bun. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { runInit } from '../../src/cli/actions/init/init.ts';
import { PINNED } from '../../src/cli/actions/init/templates.ts';
import type { World } from '../../src/cli/session/world.ts';
import { toolVersion } from '../../src/machine/package-file.ts';
import { putFiles, type RepositoryFiles } from '../support/git-repository.ts';
import { missing, runtime } from '../support/runtimes.ts';

interface Step {
  uses?: string;
  run?: string;
  with?: Record<string, string | number>;
  if?: string;
  'working-directory'?: string;
}

interface Job {
  'runs-on': string;
  steps: Step[];
  needs?: string;
  if?: string;
  strategy?: { 'fail-fast': boolean; matrix: { shard: number[] } };
  defaults?: { run: { 'working-directory': string } };
}

interface Workflow {
  on: string;
  permissions: Record<string, string>;
  jobs: Record<string, Job>;
}

function parsedYaml<T>(text: string): T {
  const script = 'console.log(JSON.stringify(Bun.YAML.parse(await Bun.stdin.text())))';
  const { binary } = runtime('bun@1.4.5');
  return JSON.parse(execFileSync(binary, ['-e', script], { input: text, encoding: 'utf8' })) as T;
}

interface Initialised {
  root: string;
  stdout: string;
  /** Names of the files in .github/workflows at the root. */
  workflows: string[];
  read: (file: string) => string;
}

/** In a folder that looks like a repository. */
async function initIn(
  files: RepositoryFiles,
  { cwd = '.', shards = 1, payloads = [] as string[], git = true } = {},
  body: (result: Initialised) => unknown,
): Promise<void> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'clone-prof-init-')));
  try {
    if (git) mkdirSync(join(root, '.git'));
    putFiles(root, files);
    let stdout = '';
    const world = {
      cwd: () => join(root, cwd),
      env: {},
      stdout: {
        write(text: string, done?: () => void) {
          stdout += text;
          done?.();
          return true;
        },
      },
    } as unknown as World;
    assert.equal(await runInit({ payloads, shards }, world), 0);
    const folder = join(root, '.github/workflows');
    const workflows = existsSync(folder) ? readdirSync(folder) : [];
    await body({ root, stdout, workflows, read: (file) => readFileSync(join(root, file), 'utf8') });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

const skip = missing('bun@1.4.5');

const lines = (job: Job | undefined) =>
  (job?.steps ?? []).map(({ uses, run, with: inputs, 'working-directory': folder }) =>
    [uses ?? run, ...(inputs ? [JSON.stringify(inputs)] : []), ...(folder ? [`in ${folder}`] : [])].join(' '),
  );

/** As YAML reads it: without the comment that names the release. */
const pinned = (action: keyof typeof PINNED) => `${action}@${PINNED[action].slice(0, COMMIT_LENGTH)}`;
const COMMIT_LENGTH = 40;
const CHECKOUT = `${pinned('actions/checkout')} {"fetch-depth":2}`;
const CHECK = `npx --yes clone-prof@${toolVersion()} check --base HEAD^1 --format terminal github`;
const nodeWith = (inputs: object) =>
  `${pinned('actions/setup-node')} ${JSON.stringify({ 'node-version': 24, ...inputs })}`;

/** Files at the root of the repository, and the steps between checkout and check. */
const MANAGERS: [name: string, files: Record<string, string>, steps: string[]][] = [
  ['npm', { 'package.json': '{}', 'package-lock.json': '{}' }, [nodeWith({ cache: 'npm' }), 'npm ci']],
  [
    'npm-shrinkwrap',
    { 'package.json': '{}', 'npm-shrinkwrap.json': '{}' },
    [nodeWith({ cache: 'npm' }), 'npm ci'],
  ],
  ['no lock file', { 'package.json': '{}' }, [nodeWith({}), 'npm install']],
  ['no package.json', {}, [nodeWith({})]],
  [
    'pnpm, pinned',
    {
      'package.json': '{"packageManager":"pnpm@9.1.0+sha512.abc"}',
      'pnpm-lock.yaml': "lockfileVersion: '9.0'\n",
    },
    [pinned('pnpm/action-setup'), nodeWith({ cache: 'pnpm' }), 'pnpm install --frozen-lockfile'],
  ],
  [
    'pnpm by its lock file',
    { 'package.json': '{}', 'pnpm-lock.yaml': "lockfileVersion: '6.0'\n" },
    [
      `${pinned('pnpm/action-setup')} {"version":8}`,
      nodeWith({ cache: 'pnpm' }),
      'pnpm install --frozen-lockfile',
    ],
  ],
  [
    'pnpm of today',
    { 'package.json': '{}', 'pnpm-lock.yaml': "lockfileVersion: '9.0'\n" },
    [
      `${pinned('pnpm/action-setup')} {"version":10}`,
      nodeWith({ cache: 'pnpm' }),
      'pnpm install --frozen-lockfile',
    ],
  ],
  [
    'yarn classic',
    { 'package.json': '{}', 'yarn.lock': '# yarn lockfile v1\n' },
    [nodeWith({ cache: 'yarn' }), 'yarn install --frozen-lockfile'],
  ],
  [
    'yarn berry',
    { 'package.json': '{"packageManager":"yarn@4.5.0"}', 'yarn.lock': '__metadata:\n  version: 8\n' },
    ['corepack enable', nodeWith({ cache: 'yarn' }), 'yarn install --immutable'],
  ],
  [
    'bun',
    { 'package.json': '{}', 'bun.lock': '{}' },
    [pinned('oven-sh/setup-bun'), nodeWith({}), 'bun install --frozen-lockfile'],
  ],
  [
    'bun, binary lock file',
    { 'package.json': '{}', 'bun.lockb': '' },
    [pinned('oven-sh/setup-bun'), nodeWith({}), 'bun install --frozen-lockfile'],
  ],
  [
    'two lock files: package.json decides',
    { 'package.json': '{"packageManager":"npm@11.0.0"}', 'package-lock.json': '{}', 'yarn.lock': '' },
    [nodeWith({ cache: 'npm' }), 'npm ci'],
  ],
];

for (const [name, files, steps] of MANAGERS) {
  test(`workflow: ${name}`, { skip }, async () => {
    await initIn({ ...files, 'rows.json': '[]' }, {}, ({ workflows, read }) => {
      assert.deepEqual(workflows, ['clone-prof.yml']);
      const { on, permissions, jobs } = parsedYaml<Workflow>(read('.github/workflows/clone-prof.yml'));
      assert.deepEqual(
        [on, permissions, Object.keys(jobs)],
        ['pull_request', { contents: 'read' }, ['check']],
      );
      assert.deepEqual(lines(jobs.check), [CHECKOUT, ...steps, CHECK]);
    });
  });
}

test('a package in a workspace: workflow and installation at the root, the check in its folder', {
  skip,
}, async () => {
  const files = {
    'pnpm-lock.yaml': "lockfileVersion: '9.0'\n",
    'package.json': '{}',
    'packages/app/package.json': '{}',
  };
  await initIn(files, { cwd: 'packages/app' }, ({ workflows, read, stdout }) => {
    assert.deepEqual(workflows, ['clone-prof-packages-app.yml']);
    const { jobs } = parsedYaml<Workflow>(read('.github/workflows/clone-prof-packages-app.yml'));
    assert.equal(jobs.check?.defaults?.run['working-directory'], 'packages/app');
    assert.ok(
      lines(jobs.check).includes('pnpm install --frozen-lockfile in .'),
      lines(jobs.check).join('\n'),
    );
    assert.match(stdout, /wrote \.\.\/\.\.\/\.github\/workflows\/clone-prof-packages-app\.yml/);
    assert.match(
      read('packages/app/clone-prof.config.json'),
      /"\$schema": "\.\.\/\.\.\/node_modules\/clone-prof/,
    );
  });
});

test('a package with a lock file of its own below the root', { skip }, async () => {
  await initIn({ 'app/package.json': '{}', 'app/package-lock.json': '{}' }, { cwd: 'app' }, ({ read }) => {
    const { jobs } = parsedYaml<Workflow>(read('.github/workflows/clone-prof-app.yml'));
    assert.deepEqual(lines(jobs.check).slice(1, 3), [
      nodeWith({ cache: 'npm', 'cache-dependency-path': 'app/package-lock.json' }),
      'npm ci',
    ]);
  });
});

test('each action is named by a commit, and its release stands behind it', () => {
  for (const [action, commit] of Object.entries(PINNED)) {
    assert.match(commit, /^[0-9a-f]{40} # v\d+\.\d+\.\d+$/, action);
  }
});

test('--shards: a matrix of runners, and a job that merges what all of them uploaded', { skip }, async () => {
  await initIn(
    { 'a/package.json': '{}', 'a/package-lock.json': '{}' },
    { cwd: 'a', shards: 4 },
    ({ read }) => {
      const { jobs } = parsedYaml<Workflow>(read('.github/workflows/clone-prof-a.yml'));
      const { shard, check } = jobs;
      assert.deepEqual(shard?.strategy, { 'fail-fast': false, matrix: { shard: [1, 2, 3, 4] } });
      const part = `npx --yes clone-prof@${toolVersion()} check --base HEAD^1 --shard \${{ matrix.shard }}/4 --format terminal json=clone-prof-shard.json`;
      assert.ok(lines(shard).includes(part), lines(shard).join('\n'));
      const upload = shard?.steps.at(-1);
      assert.deepEqual(upload, {
        uses: pinned('actions/upload-artifact'),
        with: { name: `clone-prof-shard-\${{ matrix.shard }}`, path: 'a/clone-prof-shard.json' },
        if: 'always()',
      });
      assert.deepEqual([check?.needs, check?.if], ['shard', 'always()']);
      assert.deepEqual(lines(check).slice(-2), [
        `${pinned('actions/download-artifact')} {"pattern":"clone-prof-shard-*","path":"a/shards"}`,
        `npx --yes clone-prof@${toolVersion()} check --merge shards/*/clone-prof-shard.json --format terminal github`,
      ]);
    },
  );
});

test('a folder whose name is YAML and an expression of GitHub stays a name', { skip }, async () => {
  const folder = `a: "b" # \${{ github.token }}`;
  await initIn({ [`${folder}/package.json`]: '{}' }, { cwd: folder }, ({ workflows, read, stdout }) => {
    assert.deepEqual(workflows, ['clone-prof-a___b________github.token___.yml']);
    const { jobs } = parsedYaml<Workflow>(read(`.github/workflows/${workflows[0]}`));
    const name = jobs.check?.defaults?.run['working-directory'];
    assert.equal(name?.replaceAll(`\${{ '\${{' }}`, `\${{`), folder);
    assert.doesNotMatch(name ?? '', /\$\{\{ github/);
    assert.doesNotMatch(stdout, /\n\n/);
  });
});

test('payloads: data and modules of sample folders, by their names; tests, types and files of tools are not', async () => {
  const files = {
    'rows.json': '[]',
    'package.json': '{}',
    'tsconfig.json': '{}',
    'app.mjs': 'throw 1',
    'orders.payload.ts': 'throw 1',
    'fixtures/list.mjs': 'throw 1',
    'fixtures/list.test.mjs': 'throw 1',
    'fixtures/types.d.ts': '',
    'fixtures/index.ts': 'throw 1',
    'fixtures/_draft.json': '[]',
    'test/fixtures/big.ndjson': '1\n',
    'src/app.ts': 'throw 1',
  };
  await initIn(files, {}, ({ stdout, read }) => {
    assert.match(
      stdout,
      /Payloads: orders\.payload\.ts, rows\.json, fixtures\/list\.mjs, test\/fixtures\/big\.ndjson\.\n/,
    );
    assert.match(read('clone-prof.config.ts'), /\{ input: "fixtures\/list\.mjs" \}/);
  });
});

test('more payloads than a first config should list are counted', async () => {
  const files = Object.fromEntries(Array.from({ length: 15 }, (_, index) => [`fixtures/${index}.json`, '1']));
  await initIn(files, {}, ({ stdout }) => assert.match(stdout, /, and 3 more that are not listed\./));
});

test('a config that is there is kept and not run, in any form and any folder up to the root', async () => {
  const configs = [
    { 'clone-prof.config.mjs': 'throw new Error("run")' },
    { 'clone-prof.config.ts': 'throw new Error("run")' },
    { 'package.json': '{"clone-prof":{"payloads":[]}}' },
    { 'clone-prof.config.json': 'not JSON' },
  ];
  for (const files of configs) {
    await initIn({ ...files, 'packages/a/x.json': '1' }, { cwd: 'packages/a' }, ({ root, stdout }) => {
      assert.match(stdout, /^kept {2}\.\.\/\.\.\//);
      assert.deepEqual(readdirSync(join(root, 'packages/a')), ['x.json']);
    });
  }
});

test('outside of a repository all is written here', async () => {
  await initIn({ 'rows.json': '[]' }, { git: false }, ({ workflows }) => {
    assert.deepEqual(workflows, ['clone-prof.yml']);
  });
});
