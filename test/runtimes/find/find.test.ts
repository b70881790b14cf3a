import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import { test } from 'node:test';
import { bundleForPage } from '../../../src/app/sources/bundle.ts';
import { ToolError } from '../../../src/model/errors.ts';
import { BROWSERS, versionBeside } from '../../../src/runtimes/browser/kinds.ts';
import { runtimeDriver } from '../../../src/runtimes/driver.ts';
import { type FindOptions, findRuntimes, isVersion, placesOf } from '../../../src/runtimes/find/find.ts';
import { foundRuntime } from '../../../src/runtimes/process/binaries.ts';
import { putFiles } from '../../support/git-repository.ts';
import { PayloadFolder } from '../../support/payload-folder.ts';
import { missing, runtime } from '../../support/runtimes.ts';

const root = new PayloadFolder();

const bun = () => runtime('bun@1.4.5');
const deno = () => runtime('deno@2.9.6');
const skip = missing('bun@1.4.5', 'deno@2.9.6');

const self = process.versions.node;

function folderOf(...names: string[]): string {
  const path = join(root.path, ...names);
  mkdirSync(path, { recursive: true });
  return path;
}

function script(folder: string, name: string, text: string): string {
  putFiles(join(root.path, folder), { [`${name}*`]: `#!/bin/sh\n${text}\n` });
  return join(root.path, folder, name);
}

/** A program of this name that prints its version, and does something else when it is started otherwise. */
const program = (folder: string, name: string, printed: string, otherwise = 'exit 7'): string =>
  script(folder, name, `[ "$1" = --version ] && { echo '${printed}'; exit; }\n${otherwise}`);

function link(folder: string, name: string, binary: string): string {
  const file = join(folderOf(folder), name);
  symlinkSync(binary, file);
  return file;
}

/** These folders on PATH, and an npm that has nothing. */
function options(folders: string[] = [], more: Partial<FindOptions> = {}): FindOptions {
  const PATH = folders.map((folder) => join(root.path, folder)).join(delimiter);
  const provision = (spec: string) => Promise.reject(new ToolError('offline', { value: spec }));
  return { cwd: folderOf('work'), env: { PATH }, provision, ...more };
}

const brief = ({ found, missing }: Awaited<ReturnType<typeof findRuntimes>>) => ({
  found: found.map(({ spec, from }) => `${spec} ${from}`),
  missing: missing.map(({ spec, error }) => `${spec} ${error.code}`),
});
const search = async (specs: string[], where = options()) => brief(await findRuntimes(specs, where));

const unknown = (e: unknown) => e instanceof ToolError && e.code === 'runtime-unknown';

test('the default is the running node, and bun and deno if they are on PATH', { skip }, async () => {
  assert.deepEqual(await search([]), {
    found: [`node@${self} running`],
    missing: [],
  });
  link('both', 'bun', bun().binary);
  link('both', 'deno', deno().binary);
  assert.deepEqual((await search([], options(['both']))).found, [
    `node@${self} running`,
    'bun@1.4.5 PATH',
    'deno@2.9.6 PATH',
  ]);
});

test('a runtime that is not installed is missing, with the command that fetches it', async () => {
  const result = await findRuntimes(['bun', 'node', 'firefox@1'], options());
  assert.deepEqual(brief(result), {
    found: [`node@${self} running`],
    missing: ['bun runtime-missing', 'firefox@1 runtime-missing'],
  });
  assert.match(result.missing[0]!.error.message, /clone-prof runtimes add bun/);
});

test('an unknown name is a usage error, and nothing is fetched', { skip }, async () => {
  let asked = 0;
  const provision = () => {
    asked++;
    return Promise.resolve(bun());
  };
  for (const spec of ['rhino', 'bunn@1', '', '@1', 'toString']) {
    await assert.rejects(findRuntimes(['bun@0.1.1', spec], options([], { provision })), unknown, spec);
  }
  assert.equal(asked, 0);
});

test('a version that runs, is on PATH or in node_modules is used before one is fetched', {
  skip,
}, async () => {
  link('project/node_modules/@oven/bun-test/bin', 'bun', bun().binary);
  link('project/node_modules/@deno/test', 'deno', deno().binary);
  folderOf('project', '.git');
  const inProject = options([], { cwd: join(root.path, 'project') });
  const specs = ['node@20 || >20', 'bun@1.4', 'deno@2.9.6', 'bun@v1.4.5'];
  assert.deepEqual(await search(specs, inProject), {
    found: [`node@${self} running`, 'bun@1.4.5 node_modules', 'deno@2.9.6 node_modules'],
    missing: [],
  });
  const deeper = folderOf('project', 'src', 'deep');
  assert.deepEqual((await search(['bun'], options([], { cwd: deeper }))).found, ['bun@1.4.5 node_modules']);
});

test('another version is fetched; a version that npm does not have is missing', { skip }, async () => {
  link('old', 'bun', bun().binary);
  const asked: string[] = [];
  const provision = (spec: string) => {
    asked.push(spec);
    const version = spec.split('@')[1]!;
    return spec.endsWith('9.9.9')
      ? Promise.reject(new ToolError('version-unknown', { value: spec, detail: 'bun' }))
      : Promise.resolve({ ...bun(), version, spec, binary: bun().binary, from: 'cache' });
  };
  const here = options(['old'], { provision });
  assert.deepEqual(await search(['bun@1.3.14', 'bun@9.9.9'], here), {
    found: ['bun@1.3.14 cache'],
    missing: ['bun@9.9.9 version-unknown'],
  });
  assert.deepEqual(asked.sort(), ['bun@1.3.14', 'bun@9.9.9']);
});

test('a path is recognised by running it', { skip }, async () => {
  const renamed = link('renamed', 'my-runtime', bun().binary);
  assert.deepEqual((await search([renamed, deno().binary, process.execPath])).found, [
    'bun@1.4.5 path given',
    'deno@2.9.6 path given',
    `node@${self} path given`,
  ]);
  assert.deepEqual((await search(['../renamed/my-runtime'])).found, ['bun@1.4.5 path given']);
  assert.deepEqual((await search(['./absent', root.path])).missing, [
    './absent runtime-missing',
    `${root.path} runtime-missing`,
  ]);
  await assert.rejects(findRuntimes([program('other', 'yarn', '1.22.22')], options()), {
    message:
      /yarn: this program is not one of node, bun, deno, electron, workerd, chromium, firefox, webkit$/,
  });
  await assert.rejects(findRuntimes([program('other', 'tool', 'tool v20.0.0')], options()), unknown);
});

test('another program of that name on PATH is skipped; one binary under two names is one runtime', {
  skip,
}, async () => {
  program('decoy', 'bun', 'v24.0.0');
  program('decoy', 'deno', 'not deno');
  link('real', 'bun', bun().binary);
  const here = options(['decoy', 'real']);
  assert.deepEqual((await search([], here)).found, [`node@${self} running`, 'bun@1.4.5 PATH']);
  assert.deepEqual((await search(['bun', 'bun@1.4.5', bun().binary], here)).found, ['bun@1.4.5 PATH']);
});

test('node 20.19.0 works, 20.18.3 is too old', () => {
  const needs = (version: string) => foundRuntime({ name: 'node', version }, '/bin/it', 'PATH').needs;
  const found = ['20.18.3', '20.19.0', '99.0.0-canary.1'].map(needs);
  assert.deepEqual(found, ['20.19.0', undefined, undefined]);
});

test('a runtime that is too old is missing, however it was named, and the others are found', async () => {
  const old = program('aged', 'deno', 'deno 1.46.3 (stable, release, x86_64-unknown-linux-gnu)');
  const here = [`node@${self} running`];
  for (const specs of [[], ['deno', 'node'], [old, 'node'], ['node', 'deno@1']]) {
    const result = await findRuntimes(specs, options(['aged']));
    assert.deepEqual(brief(result), { found: here, missing: ['deno@1.46.3 runtime-too-old'] });
    assert.equal(
      result.missing[0]!.error.message,
      `deno@1.46.3 is too old (${old}): deno@2.5.0 is the oldest version that works`,
    );
  }
});

/**
 * Which programs are started, in a folder with `x/bin`, a project `x/repo` with `.git`, node_modules everywhere. Each
 * program writes down that it was started. Places are separated by blanks.
 */
const STARTS: [name: string, specs: string, cwd: string, path: string, programs: string, starts: string][] = [
  [
    ...(['what is installed elsewhere on PATH', '', 'repo/a', 'repo/tools bin'] as const),
    ...(['repo/tools/bun bin/bun bin/deno', 'bin/bun bin/deno'] as const),
  ],
  [
    ...(['asked for: of PATH, the project and npx, not a folder above the root', 'bun@1', 'repo/a'] as const),
    'repo/a/node_modules/.bin node_modules/.bin npx/node_modules/.bin repo/tools',
    'repo/a/node_modules/.bin/bun node_modules/.bin/bun npx/node_modules/.bin/bun repo/tools/bun',
    'repo/a/node_modules/.bin/bun npx/node_modules/.bin/bun repo/tools/bun',
  ],
  [
    ...(['asked for: what is installed comes first', 'bun', 'repo', 'repo/node_modules/.bin bin'] as const),
    ...(['bin/bun repo/node_modules/.bin/bun', 'bin/bun repo/node_modules/.bin/bun'] as const),
  ],
  [
    ...(['another one was asked for', 'deno node', 'repo', ''] as const),
    ...(['repo/node_modules/.bin/bun repo/node_modules/.bin/node', ''] as const),
  ],
];

const words = (text: string) => text.split(/\s+/).filter(Boolean);

for (const [index, [name, asked, cwd, path, programs, starting]] of STARTS.entries()) {
  test(`started: ${name}`, { skip: process.platform === 'win32' }, async () => {
    const base = join('starts', String(index));
    const at = (folder: string) => join(root.path, base, folder);
    for (const folder of ['repo/.git', cwd]) folderOf(base, folder);
    const log = at('log');
    writeFileSync(log, '');
    for (const file of words(programs))
      script(join(base, dirname(file)), basename(file), `echo "$0" >> "${log}"\necho none`);
    const notes: string[] = [];
    const [specs, starts] = [words(asked), words(starting)];
    await findRuntimes(specs, {
      ...options(),
      cwd: at(cwd),
      env: { PATH: [...words(path), 'system'].map(at).join(delimiter) },
      onNote: (text) => notes.push(text),
    });
    const started = [...new Set(readFileSync(log, 'utf8').split('\n').filter(Boolean))];
    // Different runtimes are asked side by side.
    const inOrder = specs.length > 0 ? started : started.sort();
    assert.deepEqual(inOrder, starts.map(at));
    const own = starts.filter((file) => !file.startsWith('bin/'));
    assert.deepEqual(
      notes,
      own.map((file) => `bun was asked for: running the project's own ${at(file)}`),
    );
  });
}

test('the Electron of the project, asked for by name alone', async () => {
  // It would start an app for --version, and prints the version of Node as Node.
  const folder = 'desktop/node_modules/electron/dist';
  program(folder, 'electron', 'v20.18.1', '[ "$ELECTRON_RUN_AS_NODE $1" = "1 -p" ] && echo 33.2.1');
  const there = { ...options([folder]), cwd: folderOf('desktop') };
  assert.deepEqual((await search([], there)).found, [`node@${self} running`]);
  assert.deepEqual(await search(['electron', 'electron@33'], there), {
    found: ['electron@33.2.1 node_modules'],
    missing: [],
  });
  const { missing: none } = await findRuntimes(['electron'], options());
  assert.match(String(none[0]?.error.message), /install it in the project: npm install electron/);
});

// Browsers. Those that are started are scripts.

const VERSIONS: [kind: keyof typeof BROWSERS, printed: string, version: string | null][] = [
  ['chromium', 'Chromium 156.0.8078.79 built on Debian GNU/Linux 12 (bookworm)', '156.0.8078.79'],
  ['chromium', 'warning: no sandbox\nGoogle Chrome for Testing 140.0.1.2 ', '140.0.1.2'],
  ['chromium', 'Microsoft Edge 140.0.3485.54', '140.0.3485.54'],
  ['chromium', 'Brave Browser 140.1.82.161', '140.1.82.161'],
  ['chromium', 'ChromeDriver 140.0.1.2', null],
  ['firefox', 'Mozilla Firefox 153.7.0esr', '153.7.0'],
  ['firefox', 'Mozilla Thunderbird 145.0', null],
  ['webkit', 'WebKitGTK 2.50.6', '2.50.6'],
  ['webkit', 'Web 43.1', null],
];

const posix = process.platform === 'win32' && 'scripts are no programs on Windows';

test('browsers are known by what they print', { skip: posix }, async () => {
  for (const [kind, printed, version] of VERSIONS)
    assert.equal(await BROWSERS[kind].version('/bin/MiniBrowser', async () => printed), version, printed);
});

test('on Windows: the oldest folder next to Chromium is its version, and places have variables', () => {
  const names = ['chrome.exe', '140.0.7339.9', '140.0.7339.208', 'SetupMetrics'];
  assert.deepEqual([versionBeside(names), versionBeside(['chrome.exe'])], ['140.0.7339.9', null]);
  const places = placesOf({ places: { win32: ['b.exe'] } }, { LOCALAPPDATA: 'C:\\x' }, 'win32');
  assert.deepEqual(places, ['C:\\x\\b.exe']);
});

test('a browser is found by its name and the start of its version, on PATH first', {
  skip: posix,
}, async () => {
  const binary = program('browsers', 'google-chrome', 'Google Chrome 140.0.1.2');
  const here = options(['browsers']);
  const [found] = (await findRuntimes(['chrome@140'], here)).found;
  const { name, spec, engine, from } = found!;
  assert.deepEqual(
    { name, spec, engine, from, binary: found!.binary },
    { name: 'chromium', spec: 'chrome@140.0.1.2', engine: 'v8', from: 'PATH', binary },
  );
  const { missing: others } = await findRuntimes(['chrome@141'], here);
  assert.match(others[0]!.error.message, /chrome@141.*found: chrome@140\.0\.1\.2/);
  const isFit = ['156', '156.0', '15', '156.1'].map((wanted) => isVersion('156.0.1.2', wanted));
  assert.deepEqual(isFit, [true, true, false, false]);
});

test('a browser that is given by its path is started once, with --version', { skip: posix }, async () => {
  const log = join(root.path, 'arguments');
  const binary = script('given', 'firefox', `echo "$@" >> '${log}'\necho Mozilla Firefox 140.0`);
  assert.deepEqual((await search([binary])).found, ['firefox@140.0 path given']);
  assert.equal(readFileSync(log, 'utf8'), '--version\n');
});

test('a canary of Bun is known by its revision', { skip: posix }, async () => {
  const text = '[ "$1" = --revision ] && echo 1.4.6-canary.27+a7733435c || echo 1.4.6';
  const binary = script('canary', 'bun', text);
  assert.deepEqual((await search([binary])).found, ['bun@1.4.6-canary.27 path given']);
});

test('a browser in node_modules is never used', { skip: posix }, async () => {
  program('work/node_modules/.bin', 'microsoft-edge', 'Microsoft Edge 140.0.1.2');
  assert.deepEqual(await search(['edge'], options(['work/node_modules/.bin'])), {
    found: [],
    missing: ['edge runtime-missing'],
  });
});

for (const [what, otherwise, timeoutMs, message] of [
  ['ends at once', 'echo no display >&2; exit 7', 60_000, /exit code 7[\s\S]*no display/],
  ['waits for ever', 'sleep 300', 500, /nothing within 2000 ms; --timeout says how long/],
] as const)
  test(`a browser that ${what} is started once more, which is reported, and is an error`, {
    skip: posix,
  }, async () => {
    program('started', 'microsoft-edge', 'Microsoft Edge 140.0.1.2', otherwise);
    const { found } = await findRuntimes(['edge'], options(['started']));
    const notes: string[] = [];
    const terms = { timeoutMs, cwd: root.path, onNote: (text: string) => notes.push(text) };
    await assert.rejects(runtimeDriver(bundleForPage).start(found[0]!, terms), message);
    assert.match(notes.join('\n'), /^edge@140.0.1.2 is started once more: .*$/);
  });
