import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { ToolError } from '../../../src/model/errors.ts';
import type { FoundRuntime } from '../../../src/model/runtime.ts';
import { type FindOptions, findRuntimes } from '../../../src/runtimes/find/find.ts';
import { runtime } from '../../support/runtimes.ts';
import { Workshop } from '../workshop.ts';

const work = new Workshop();
after(() => work.remove());

let bun: FoundRuntime;
let deno: FoundRuntime;
before(async () => {
  [bun, deno] = await Promise.all([runtime('bun@1.4.5'), runtime('deno@2.9.6')]);
});

const self = process.versions.node;

/** A program of this name that prints a line, in a folder of its own. */
function program(folder: string, name: string, line: string): string {
  const file = join(work.folder, folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `#!/bin/sh\necho '${line}'\n`);
  chmodSync(file, 0o755);
  return file;
}

function link(folder: string, name: string, binary: string): string {
  const file = join(work.folder, folder, name);
  mkdirSync(dirname(file), { recursive: true });
  symlinkSync(binary, file);
  return file;
}

/** A world with these folders on PATH, and nothing to be had from npm. */
function world(folders: string[] = [], more: Partial<FindOptions> = {}): FindOptions {
  const PATH = folders.map((folder) => join(work.folder, folder)).join(delimiter);
  const provision = (spec: string) => Promise.reject(new ToolError('offline', { value: spec }));
  return { cwd: work.folder, env: { PATH }, provision, ...more };
}

const brief = ({ found, missing }: Awaited<ReturnType<typeof findRuntimes>>) => ({
  found: found.map(({ spec, from }) => `${spec} ${from}`),
  missing: missing.map(({ spec, error }) => `${spec} ${error.code}`),
});

const unknown = (e: unknown) => e instanceof ToolError && e.code === 'runtime-unknown';

test('by default: the running node, and bun and deno when on PATH', async () => {
  assert.deepEqual(brief(await findRuntimes([], world())), { found: [`node@${self} running`], missing: [] });
  link('both', 'bun', bun.binary);
  link('both', 'deno', deno.binary);
  assert.deepEqual(brief(await findRuntimes([], world(['both']))).found, [
    `node@${self} running`,
    'bun@1.4.5 PATH',
    'deno@2.9.6 PATH',
  ]);
});

test('a name that is not here is missing and says how to get it', async () => {
  const { found, missing } = await findRuntimes(['bun', 'node', 'firefox'], world());
  assert.deepEqual(
    found.map((r) => r.spec),
    [`node@${self}`],
  );
  assert.deepEqual(
    missing.map((m) => [m.spec, m.error.code]),
    [
      ['bun', 'runtime-missing'],
      ['firefox', 'runtime-missing'],
    ],
  );
  assert.match(missing[0]!.error.message, /clone-prof runtimes add bun/);
});

test('an unknown name is a usage error before anything is fetched', async () => {
  let asked = 0;
  const provision = () => {
    asked++;
    return Promise.resolve(bun);
  };
  for (const spec of ['rhino', 'bunn@1', '', '@1', 'toString']) {
    await assert.rejects(findRuntimes(['bun@0.1.1', spec], world([], { provision })), unknown, spec);
  }
  assert.equal(asked, 0);
});

test('the version of the running one, of PATH and of node_modules is used before any is fetched', async () => {
  link('project/node_modules/@oven/bun-test/bin', 'bun', bun.binary);
  link('project/node_modules/@deno/test', 'deno', deno.binary);
  const inProject = world([], { cwd: join(work.folder, 'project') });
  const specs = ['node@20 || >20', 'bun@1.4', 'deno@2.9.6', 'bun@v1.4.5'];
  assert.deepEqual(brief(await findRuntimes(specs, inProject)), {
    found: [`node@${self} running`, 'bun@1.4.5 node_modules', 'deno@2.9.6 node_modules'],
    missing: [],
  });
  const deeper = join(work.folder, 'project', 'src', 'deep');
  mkdirSync(deeper, { recursive: true });
  assert.deepEqual(brief(await findRuntimes(['bun'], world([], { cwd: deeper }))).found, [
    'bun@1.4.5 node_modules',
  ]);
});

test('another version is provisioned; what cannot be had is missing', async () => {
  link('old', 'bun', bun.binary);
  const asked: string[] = [];
  const provision = (spec: string) => {
    asked.push(spec);
    const version = spec.split('@')[1]!;
    return spec.endsWith('9.9.9')
      ? Promise.reject(new ToolError('version-unknown', { value: spec, detail: 'bun' }))
      : Promise.resolve({ ...bun, version, spec, binary: bun.binary, from: 'cache' });
  };
  const here = world(['old'], { provision });
  assert.deepEqual(brief(await findRuntimes(['bun@1.3.14', 'bun@9.9.9'], here)), {
    found: ['bun@1.3.14 cache'],
    missing: ['bun@9.9.9 version-unknown'],
  });
  assert.deepEqual(asked, ['bun@1.3.14', 'bun@9.9.9']);
});

test('a path is recognised by running it', async () => {
  const renamed = link('renamed', 'my-runtime', bun.binary);
  assert.deepEqual(brief(await findRuntimes([renamed, deno.binary, process.execPath], world())).found, [
    'bun@1.4.5 path given',
    'deno@2.9.6 path given',
    `node@${self} path given`,
  ]);
  assert.deepEqual(brief(await findRuntimes(['./renamed/my-runtime'], world())).found, [
    'bun@1.4.5 path given',
  ]);
  assert.deepEqual(brief(await findRuntimes(['./absent', work.folder], world())).missing, [
    './absent runtime-missing',
    `${work.folder} runtime-missing`,
  ]);
  await assert.rejects(findRuntimes([program('other', 'yarn', '1.22.22')], world()), {
    message: /yarn: this program is not one of node, bun, deno$/,
  });
  await assert.rejects(findRuntimes([program('other', 'tool', 'tool v20.0.0')], world()), unknown);
});

test('another program of that name on PATH is passed over', async () => {
  program('decoy', 'bun', 'v24.0.0');
  program('decoy', 'deno', 'not deno');
  link('real', 'bun', bun.binary);
  assert.deepEqual(brief(await findRuntimes([], world(['decoy', 'real']))).found, [
    `node@${self} running`,
    'bun@1.4.5 PATH',
  ]);
});

test('one binary under two names is one runtime', async () => {
  link('twins', 'bun', bun.binary);
  assert.deepEqual(brief(await findRuntimes(['bun', 'bun@1.4.5', bun.binary], world(['twins']))).found, [
    'bun@1.4.5 PATH',
  ]);
});
