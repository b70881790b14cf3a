/** Which browsers are found, by name, place, version and path. Those that are started are scripts. */
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { bundleForPage } from '../../../src/app/sources/bundle.ts';
import type { FoundRuntime } from '../../../src/model/run/runtime.ts';
import { BROWSERS, versionBeside } from '../../../src/runtimes/browser/kinds.ts';
import { runtimeDriver } from '../../../src/runtimes/driver.ts';
import { expanded, findRuntimes, isVersion } from '../../../src/runtimes/find/find.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const folder = tempFolder('find');
const bin = join(folder, 'bin');
const project = join(folder, 'project');
mkdirSync(bin);
mkdirSync(project);
const env = { PATH: bin };
const posix = process.platform === 'win32' ? 'scripts are no programs on Windows' : false;

/** A program that prints its version, and does something else when it is started otherwise. */
function program(name: string, printed: string, otherwise = 'exit 7'): string {
  const file = join(bin, name);
  writeFileSync(file, `#!/bin/sh\n[ "$1" = --version ] && { echo '${printed}'; exit; }\n${otherwise}\n`);
  chmodSync(file, 0o755);
  return file;
}

async function findBrowser(spec: string, PATH = bin): Promise<FoundRuntime> {
  const { found, missing } = await findRuntimes([spec], { cwd: project, env: { PATH } });
  if (missing[0]) throw missing[0].error;
  return found[0]!;
}

const VERSIONS: [kind: keyof typeof BROWSERS, printed: string, version: string | null][] = [
  ['chromium', 'Chromium 156.0.8078.79 built on Debian GNU/Linux 12 (bookworm)', '156.0.8078.79'],
  ['chromium', 'warning: no sandbox\nGoogle Chrome 140.0.1.2 ', '140.0.1.2'],
  ['chromium', 'Google Chrome for Testing 140.0.1.2', '140.0.1.2'],
  ['chromium', 'Microsoft Edge 140.0.3485.54', '140.0.3485.54'],
  ['chromium', 'Brave Browser 140.1.82.161', '140.1.82.161'],
  ['chromium', 'ChromeDriver 140.0.1.2', null],
  ['chromium', 'v20.19.0', null],
  ['firefox', 'Mozilla Firefox 153.7.0esr', '153.7.0'],
  ['firefox', 'Mozilla Firefox 145.0', '145.0'],
  ['firefox', 'Mozilla Thunderbird 145.0', null],
  ['webkit', 'WebKitGTK 2.50.6', '2.50.6'],
  ['webkit', 'Web 43.1', null],
];

for (const [kind, printed, version] of VERSIONS) {
  test(`${kind} reads ${JSON.stringify(printed)}`, { skip: posix }, async () => {
    assert.equal(await BROWSERS[kind].version(join(bin, 'MiniBrowser'), async () => printed), version);
  });
}

test('on Windows the version of Chromium is the name of the oldest folder next to it', () => {
  const names = ['chrome.exe', '140.0.7339.9', '140.0.7339.208', 'SetupMetrics'];
  assert.equal(versionBeside(names), '140.0.7339.9');
  assert.equal(versionBeside(['chrome.exe']), null);
});

for (const [place, path] of [
  ['%A%\\b.exe', 'C:\\x\\b.exe'],
  ['%MISSING%\\b.exe', null],
  ['/usr/bin/b', '/usr/bin/b'],
] as const) {
  test(`the place ${place}`, () => assert.equal(expanded(place, { A: 'C:\\x' }), path));
}

for (const [version, wanted, is] of [
  ['156.0.1.2', undefined, true],
  ['156.0.1.2', '156', true],
  ['156.0.1.2', '156.0', true],
  ['156.0.1.2', '15', false],
  ['156.0.1.2', '156.1', false],
] as const) {
  test(`${version} ${is ? 'is' : 'is not'} @${wanted}`, () => assert.equal(isVersion(version, wanted), is));
}

test('a browser is found by its name and version, on PATH first', { skip: posix }, async () => {
  const binary = program('google-chrome', 'Google Chrome 140.0.1.2');
  const found = await findBrowser('chrome@140');
  const { name, spec, engine, from } = found;
  assert.deepEqual(
    { name, spec, engine, from, binary: found.binary },
    { name: 'chromium', spec: 'chrome@140.0.1.2', engine: 'v8', from: 'PATH', binary },
  );
});

test('a browser of a different version is missing, and the error names the version that is here', {
  skip: posix,
}, async () => {
  program('google-chrome', 'Google Chrome 140.0.1.2');
  await assert.rejects(findBrowser('chrome@141'), /chrome@141.*found: chrome@140\.0\.1\.2/);
});

test('a browser that is too old is reported with the version that is needed', { skip: posix }, async () => {
  program('brave', 'Brave Browser 90.0.1.2');
  await assert.rejects(
    findBrowser('brave'),
    /^ToolError: brave@90\.0\.1\.2 is too old \(.*chromium@110 is the oldest/,
  );
});

test('a browser in node_modules is never used', { skip: posix }, async () => {
  const modules = join(project, 'node_modules', '.bin');
  mkdirSync(modules, { recursive: true });
  writeFileSync(join(modules, 'microsoft-edge'), "#!/bin/sh\necho 'Microsoft Edge 140.0.1.2'\n", {
    mode: 0o755,
  });
  await assert.rejects(findBrowser('edge', modules), /edge.*not/);
});

test('a path is identified by what the program prints', { skip: posix }, async () => {
  const binary = program('my-fox', 'Mozilla Firefox 153.7.0esr');
  const { found } = await findRuntimes([binary], { cwd: project, env });
  assert.deepEqual([found[0]?.name, found[0]?.version, found[0]?.from], ['firefox', '153.7.0', 'path given']);
});

const edge = async (otherwise: string): Promise<FoundRuntime> => {
  program('microsoft-edge', 'Microsoft Edge 140.0.1.2', otherwise);
  return findBrowser('edge');
};

for (const [what, otherwise, timeoutMs, message] of [
  ['ends at once', 'echo no display >&2; exit 7', 60_000, /exit code 7[\s\S]*no display/],
  ['waits for ever', 'sleep 300', 500, /nothing within 2000 ms; --timeout says how long/],
] as const) {
  test(`a browser that ${what} is started once more, which is reported, and is an error`, {
    skip: posix,
  }, async () => {
    const notes: string[] = [];
    const options = { timeoutMs, cwd: project, onNote: (text: string) => notes.push(text) };
    await assert.rejects(runtimeDriver(bundleForPage).start(await edge(otherwise), options), message);
    assert.match(notes.join('\n'), /^edge@140.0.1.2 is started once more: .*$/);
  });
}
