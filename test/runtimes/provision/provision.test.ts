/** Runtimes from a local registry, fetched by the real npm. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { after, describe, type TestContext, test } from 'node:test';
import { build } from 'esbuild';
import type { ErrorCode } from '../../../src/model/errors.ts';
import { orElse } from '../../../src/model/or-else.ts';
import {
  listCached,
  npmJson,
  npmPackageOf,
  provision,
  removeCached,
  thisTarget,
} from '../../../src/runtimes/provision/provision.ts';
import { marked, until } from '../../support/child-processes.ts';
import { putFiles } from '../../support/git-repository.ts';
import { BINARY, localRegistry, type Published } from '../../support/local-registry.ts';
import { ROOT } from '../../support/spawn-cli.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { isToolError } from '../../support/tool-errors.ts';
import { onlyInWhole, usually } from '../../support/whole.ts';

const { package: PACKAGE } = npmPackageOf('bun', thisTarget());
const PUBLISHED = {
  versions: ['1.3.14', '1.4.0', '1.4.5', '1.4.6-canary.1'],
  tags: { latest: '1.4.0', next: '1.4.6-canary.1', old: '1.0.0' },
};

/** An empty cache, and a registry that the user's `.npmrc` names. Its requests are `requests`. */
async function scene(t: TestContext, differences: Partial<Published> = {}) {
  const root = tempFolder('provision');
  const registry = await localRegistry({ ...PUBLISHED, ...differences });
  t.after(() => registry.close());
  const mark = `provision-${basename(root)}`;
  const env = { ...withoutNpm(), HOME: root, XDG_CACHE_HOME: root, TEST_MARK: mark };
  const address = `${registry.url.replace('//', '//me:hidden-password@')}/user/`;
  putFiles(root, { '.npmrc': `registry=${address}`, 'project/package.json': '{}' });
  const cwd = join(root, 'project');
  const cache = join(root, 'clone-prof');
  const notes: string[] = [];
  const options = { env, cwd, onNote: (text: string) => notes.push(text) };
  /** Names in the temporary folder of the cache. */
  const left = () => namesIn(join(cache, 'tmp'));
  /** The registries that were asked. */
  const asked = () => new Set(registry.requests.splice(0).map((line) => line.split('/')[1]));
  return { cache, options, notes, registry, mark, left, asked };
}

const withoutNpm = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));

const namesIn = (folder: string): string[] => orElse(() => readdirSync(folder).sort(), []);

/** npm takes half a second to start, most of it without the processor. */
const SIDE_BY_SIDE = { concurrency: 4 };

function testSettings(): void {
  test("a fetched runtime is kept, for its user alone, and only its fetch is announced; a project's .npmrc is read on request alone", async (t) => {
    const { cache, options: ofUser, notes, registry, left, asked } = await scene(t);
    const npmrc = join(ofUser.cwd, '.npmrc');
    const ofProject = `${registry.url}/project/`;
    writeFileSync(npmrc, `registry=${ofProject}`);
    const below = { ...ofUser.env, npm_command: 'exec', npm_config_registry: ofProject };
    const options = { ...ofUser, env: below };
    const first = await provision('bun@1.4.5', options);
    const { binary } = first;
    assert.deepEqual(first, {
      ...{ name: 'bun', version: '1.4.5', engine: 'jsc', spec: 'bun@1.4.5', binary, from: 'cache' },
    });
    assert.equal(readFileSync(binary, 'utf8'), BINARY);
    assert.equal(statSync(binary).mode & 0o777, 0o755);
    assert.deepEqual(namesIn(dirname(binary)), ['bun'], 'nothing else of the package, and it did not run');
    for (let folder = dirname(binary); folder !== dirname(cache); folder = dirname(folder))
      assert.equal(statSync(folder).mode & 0o777, 0o700, folder);
    assert.equal(notes.length, 1);
    assert.match(
      notes[0] ?? '',
      /^fetching bun@1\.4\.5 through npm \(@oven\/bun-[\w-]+\) into .*clone-prof$/,
    );
    const count = registry.requests.length;
    assert.deepEqual(await provision('bun@1.4.5', options), first);
    assert.deepEqual(await provision('bun@1.4', options), first);
    assert.deepEqual([registry.requests.length, notes.length], [count, 1], 'the cache satisfies both');
    assert.deepEqual(left(), []);
    assert.deepEqual(asked(), new Set(['user']));
    const trusting = { ...ofUser, projectNpmrc: true };
    const isAbsent = isToolError('offline', /^bun@1\.4\.5: not in the cache, and --offline forbids/);
    await assert.rejects(provision('bun@1.4.5', { ...trusting, offline: true }), isAbsent);
    const second = await provision('bun@1.4.5', trusting);
    assert.deepEqual(asked(), new Set(['project']));
    assert.ok(notes.at(-1)?.includes(`, with ${npmrc}) into `), notes.at(-1));
    assert.notEqual(second.binary, first.binary);
    assert.deepEqual(await provision('bun@1.4.5', { ...trusting, offline: true }), second);
    assert.equal((await listCached(options.env)).length, 2);
    writeFileSync(npmrc, `registry=${registry.url}/elsewhere/`);
    await assert.rejects(provision('bun@1.4.5', { ...trusting, offline: true }), isAbsent);
  });
}

function testVersions(): void {
  test('versions and tags of the registry; list and remove', async (t) => {
    const { options, cache } = await scene(t);
    const [next, newest] = await Promise.all([
      provision('bun@next', options),
      provision('bun', options),
      assert.rejects(
        provision('bun@old', options),
        isToolError('runtime-too-old', /^bun@old is too old: bun@1/),
      ),
    ]);
    assert.deepEqual([next.version, newest.version], ['1.4.6-canary.1', '1.4.5']);
    const specs = async () => (await listCached(options.env)).map(({ spec }) => spec);
    assert.deepEqual(await specs(), ['bun@1.4.6-canary.1', 'bun@1.4.5']);
    assert.deepEqual(await removeCached('bun@2', options.env), []);
    const runtimes = join(cache, 'runtimes');
    // As earlier versions named it.
    renameSync(join(runtimes, 'npm'), join(runtimes, 'registry.example.org-1a2b3c4d'));
    assert.deepEqual(await specs(), ['bun@1.4.6-canary.1', 'bun@1.4.5']);
    await assert.rejects(provision('bun@1.4.5', { ...options, offline: true }), isToolError('offline'));
    const [removed] = await removeCached('bun@1.4', options.env);
    assert.deepEqual([removed?.spec, await specs()], ['bun@1.4.5', ['bun@1.4.6-canary.1']]);
    await removeCached('bun', options.env);
    assert.deepEqual(await specs(), []);
  });

  test('the cache is used if there is no network, with a note if it may be outdated', async (t) => {
    const { cache, options, notes, registry } = await scene(t);
    putFiles(cache, { [`runtimes/npm/${PACKAGE}/1.4.0/bun*`]: BINARY });
    const offline = { ...options, offline: true };
    await assert.rejects(
      provision('bun@1.3', offline),
      isToolError(
        'offline',
        /^bun@1\.3: not in the cache, and --offline .* clone-prof runtimes add bun@1\.3$/,
      ),
    );
    notes.length = 0;
    assert.equal((await provision('bun@1.4', offline)).version, '1.4.0');
    assert.deepEqual(notes, []);
    assert.equal((await provision('bun', offline)).version, '1.4.0');
    assert.deepEqual(notes, ['bun: npm is not started with --offline; using bun@1.4.0 from the cache']);
    assert.deepEqual(registry.requests, []);
    registry.close();
    const unreachable = assert.rejects(
      provision('bun@1.3', options),
      isToolError('offline', /npm cannot reach .*ECONNREFUSED/),
    );
    assert.equal((await provision('bun', options)).version, '1.4.0');
    assert.equal(notes.at(-1), 'bun: npm cannot reach its registry; using bun@1.4.0 from the cache');
    await unreachable;
  });
}

type Row = [name: string, spec: string, Partial<Published>, ErrorCode, RegExp];
const NOT_FETCHED = usually<Row>(
  [
    [
      ...(['no such version', 'bun@1.4.9', {}, 'version-unknown'] as const),
      /^bun@1\.4\.9: no such version of bun\. The newest: 1\.4\.5, 1\.4\.0, 1\.3\.14$/,
    ],
    [
      ...(['an answer that refuses', 'bun', { status: 403 }, 'provision-failed'] as const),
      /^bun: could not be .*403 Forbidden - GET http:\/\/(?!.*hidden-password)/,
    ],
    [
      ...(['a package of a different hash', 'bun@1.4.5'] as const),
      { integrity: `sha512-${'A'.repeat(86)}==` },
      'provision-failed',
      /^bun@1\.4\.5: could not be fetched through npm \(.*integrity/,
    ],
    [
      ...(['a package without the binary', 'bun@1.4.5', { files: {} }, 'provision-failed'] as const),
      /\(@oven\/bun-\S+ holds no bin\/bun\)$/,
    ],
  ],
  [
    [
      ...(['a file that cannot be written, which npm only warns of', 'bun@1.4.5'] as const),
      { files: { 'bin/bun': BINARY, '(long)': '' } },
      'provision-failed',
      /name too long/,
    ],
  ],
);

/** Each is an error with the reason, and leaves nothing. */
function testRefusals(): void {
  for (const [name, spec, differences, code, message] of NOT_FETCHED) {
    test(`the runtime is not fetched: ${name}`, async (t) => {
      const { options, left } = await scene(t, differences);
      await assert.rejects(provision(spec, options), isToolError(code, message));
      assert.deepEqual([await listCached(options.env), left()], [[], []]);
    });
  }

  test('the runtime is not fetched: npm gives no answer in time', { skip: onlyInWhole }, async (t) => {
    const { options, registry, mark } = await scene(t, { hangs: 'versions' });
    const npm = { ...options, projectNpmrc: null };
    await assert.rejects(npmJson(['view', '@oven/bun-linux-x64', 'versions'], tempFolder('npm'), npm, 3000), {
      code: 'ETIMEDOUT',
      message: 'npm gave no answer within 3000 ms',
    });
    assert.ok(registry.requests.length <= 1, 'npm does not try again');
    await ended(mark);
  });

  test('the runtime is not fetched: the cache folder cannot be made', async (t) => {
    const { options, cache } = await scene(t);
    const file = join(dirname(cache), 'file');
    writeFileSync(file, '');
    const within = (folder: string) =>
      provision('bun', { ...options, env: { ...options.env, XDG_CACHE_HOME: folder } });
    await assert.rejects(within(file), isToolError('provision-failed', /ENOTDIR/));
    // Node's recursive mkdir never ends there.
    if (process.platform === 'linux')
      await assert.rejects(within('/proc/nope'), isToolError('provision-failed', /ENOENT.*\/proc\/nope/));
  });
}

function testEnds(): void {
  const script = join(ROOT, '.cache', `fetch-${process.pid}.mjs`);
  const built = build({
    ...{ entryPoints: [join(ROOT, 'src/runtimes/provision/provision.ts')], outfile: script },
    ...{ bundle: true, platform: 'node', format: 'esm', packages: 'external' },
    footer: { js: "await provision('bun@1.4.5');" },
  });
  after(() => rmSync(script, { force: true }));
  const start = async (env: NodeJS.ProcessEnv): Promise<ChildProcess> => {
    await built;
    return spawn(process.execPath, [script], { cwd: ROOT, env, stdio: ['ignore', 'ignore', 'inherit'] });
  };

  for (const [hangs, spec] of usually<['versions' | 'packages', spec: string]>(
    [['packages', 'bun@1.4.5']],
    [['versions', 'bun']],
  )) {
    test(`an interrupted fetch of ${hangs} ends npm and leaves nothing`, async (t) => {
      const { options, registry, left, mark } = await scene(t, { hangs });
      const stop = new AbortController();
      const fetching = provision(spec, { ...options, signal: stop.signal });
      const refused = assert.rejects(fetching, isToolError('interrupted', /interrupted/));
      await requested(registry.requests, hangs);
      stop.abort();
      await refused;
      await ended(mark);
      assert.deepEqual([left(), await listCached(options.env)], [[], []]);
    });
  }

  const skip = process.platform === 'win32';
  test('killed while it downloads: npm ends too, and the next run repairs the cache', { skip }, async (t) => {
    const { options, registry, left, mark } = await scene(t, { hangs: 'packages' });
    const run = await start(options.env);
    await requested(registry.requests, 'packages');
    run.kill('SIGKILL');
    await ended(mark);
    assert.deepEqual([left().length, await listCached(options.env)], [1, []]);
    await assert.rejects(provision('bun@1.4.5', { ...options, offline: true }), isToolError('offline'));
    assert.deepEqual(left(), []);
  });

  test('two at once both get the runtime', { skip: skip || onlyInWhole }, async (t) => {
    const { options, left } = await scene(t);
    const runs = await Promise.all([start(options.env), start(options.env)]);
    const ends = await Promise.all(runs.map((run) => once(run, 'exit')));
    assert.deepEqual(ends.flat(), [0, null, 0, null]);
    assert.deepEqual(left(), []);
    assert.equal((await provision('bun@1.4.5', { ...options, offline: true })).version, '1.4.5');
  });
}

describe('runtimes through npm', SIDE_BY_SIDE, () => {
  testEnds();
  testVersions();
  testSettings();
  testRefusals();
});

const requested = (requests: readonly string[], kind: 'versions' | 'packages') =>
  until(
    () => requests.some((line) => /\.tgz /.test(line) === (kind === 'packages')),
    () => `no request for ${kind}`,
  );

const ended = (mark: string) =>
  until(
    () => marked(mark).length === 0,
    () => `still running: ${marked(mark).join('\n')}`,
  );
