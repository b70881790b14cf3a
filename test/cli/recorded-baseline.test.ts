/** From a recording to a gate: files, config and baseline that hold at once, and fail when a message becomes worse. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Recording } from '../../src/model/documents/recorded/recording.ts';
import type { ValueTree } from '../../src/model/documents/recorded/value-tree.ts';
import { recording, row, shapeOf } from '../make.ts';
import { realCli } from '../support/real-cli.ts';
import { runCli } from '../support/run-cli.ts';
import { project } from '../support/temp-project.ts';

const photos = fileURLToPath(new URL('../../fixtures/recordings/photos.cprof', import.meta.url));
const textOf = ({ header, messages }: Recording) =>
  `${[header, ...messages].map((line) => JSON.stringify(line)).join('\n')}\n`;

test('a recording becomes a gate that holds, until a message becomes larger or slower', async (t) => {
  const { cwd } = await project(t, {
    'app.cprof': readFileSync(photos, 'utf8'),
    'package.json': '{\n    "name": "app",\n    "clone-prof": { "extends": "strict" }\n}\n',
  });
  const made = await realCli(['baseline', 'app.cprof', '--top', '4'], { cwd });
  assert.equal(made.code, 0, made.stderr);
  const files = readdirSync(join(cwd, 'clone-prof.fixtures'));
  assert.ok(files.includes('pool.js-41.mjs'));
  const { name, 'clone-prof': config } = JSON.parse(readFileSync(join(cwd, 'package.json'), 'utf8'));
  assert.equal(name, 'app');
  assert.equal(config.payloads.length, files.length);
  assert.match(made.stderr, /tiles\.js-30\.mjs breaks limits as it is: its own are .*maxAmplification/);

  const held = await realCli(['check'], { cwd });
  assert.equal(held.code, 0, held.stdout + held.stderr);

  const file = join(cwd, 'clone-prof.fixtures/pool.js-41.mjs');
  const text = readFileSync(file, 'utf8');
  assert.match(text, /^\/\/ Made by clone-prof.*\n\/\/ Posted by src\/pool\.js:41 with /);
  assert.ok(text.includes('text(0, 40)'), text);
  writeFileSync(file, text.replace('text(0, 40)', 'text(0, 4000)'));
  const state = join(cwd, 'clone-prof.fixtures/state.js-88.mjs');
  const before = readFileSync(state, 'utf8');
  writeFileSync(state, before.replace('export default () =>', 'const value = () =>') + slowDefault);
  const broken = await realCli(['check'], { cwd });
  assert.equal(broken.code, 1, broken.stdout + broken.stderr);
  assert.match(broken.stderr, /pool\.js-41.*maxBytes/);
  assert.match(broken.stderr, /state\.js-88.*class/);
});

/** An object whose keys are looked up. */
const slowDefault = 'export default () => Object.assign(Object.create(null), value());\n';

test('a file of somebody else and a link are kept, and nothing is written', async () => {
  for (const setUp of [
    (cwd: string) => writeFileSync(join(cwd, 'clone-prof.fixtures/pool.js-41.mjs'), 'export default 1;\n'),
    (cwd: string) => symlinkSync(join(cwd, 'nowhere'), join(cwd, 'clone-prof.fixtures/pool.js-41.mjs')),
  ]) {
    const { code, stderr, files } = await runCli(['baseline', 'app.cprof'], {
      files: { 'app.cprof': textOf(recording()), 'clone-prof.fixtures/other.mjs': '' },
      setUp,
      shows: ['clone-prof.config.json', 'nowhere'],
    });
    assert.equal(code, 2, stderr);
    assert.match(
      stderr,
      /pool\.js-41\.mjs: cannot be written \(it is there, and clone-prof did not write it/,
    );
    assert.deepEqual(files, { 'clone-prof.config.json': null, nowhere: null });
  }
});

test('done again: our files are written anew, entries of the config stay as they were edited', async () => {
  const edited = {
    payloads: [{ id: 'pool', input: 'clone-prof.fixtures/pool.js-41.mjs', export: 'default' }],
  };
  const { code, stderr, files } = await runCli(['baseline', 'app.cprof'], {
    files: { 'app.cprof': textOf(recording()), 'clone-prof.config.json': JSON.stringify(edited) },
    setUp: (cwd) => {
      mkdirSync(join(cwd, 'clone-prof.fixtures'));
      writeFileSync(join(cwd, 'clone-prof.fixtures/pool.js-41.mjs'), '// Made by clone-prof before\n');
    },
    script: { values: { 'pool#default': { a: 1 }, 'pool.js-41#default': { a: 1 } } },
    shows: ['clone-prof.config.json', 'clone-prof.fixtures/pool.js-41.mjs', 'clone-prof.baseline.json'],
  });
  assert.equal(code, 0, stderr);
  const [config, fixture, baseline] = Object.values(files) as string[];
  assert.deepEqual(JSON.parse(config!), edited);
  assert.match(fixture!, /export default \(\) =>/);
  assert.deepEqual(Object.keys(JSON.parse(baseline!).payloads), ['pool']);
});

test('--top and --site choose the sites, as in analyze', async () => {
  const at = (file: string, timed: number) => ({
    site: { user: { file, line: 1, column: 1, name: null }, library: null },
    bytes: { total: timed, ci: [timed, timed] as [number, number], max: timed },
    send: null,
  });
  const app = textOf(recording({}, [at('src/a.js', 9e8), at('src/b.js', 5e6), at('lib/b.js', 4e6)]));
  const rows: [options: string, chosen: string][] = [
    ['', 'a.js-1'],
    ['--top 2', 'a.js-1 src-b.js-1'],
    ['--site b.js', 'lib-b.js-1 src-b.js-1'],
    ['--site b.js --top 1', 'src-b.js-1'],
  ];
  for (const [options, chosen] of rows) {
    const names = chosen.split(' ');
    const { code, stderr, files } = await runCli(
      ['baseline', 'app.cprof', ...options.split(' ').filter(Boolean)],
      {
        files: { 'app.cprof': app },
        script: { values: Object.fromEntries(names.map((name) => [`${name}#default`, { a: 1 }])) },
        shows: ['clone-prof.baseline.json'],
      },
    );
    assert.equal(code, 0, stderr);
    const { payloads } = JSON.parse(files['clone-prof.baseline.json']!);
    assert.deepEqual(Object.keys(payloads).sort(), names, options);
  }
  for (const [options, why] of [
    [['app.cprof', '--site', 'c.js'], /--site: no site of app\.cprof contains 'c\.js'/],
    [['app.cprof', '--top', '0'], /--top: '0' is not a number of sites/],
    [['--top', '3'], /--top: no payload is a recording/],
  ] as const) {
    const { code, stderr } = await runCli(['baseline', ...options], { files: { 'app.cprof': app } });
    assert.equal(code, 2);
    assert.match(stderr, why);
  }
});

test('a config that is code is not changed: what to add is printed', async () => {
  const { code, stdout, files } = await runCli(['baseline', 'app.cprof'], {
    files: {
      'app.cprof': textOf(recording({}, [{ api: 'process.send' }])),
      'clone-prof.config.mjs': 'export default { fixtures: "recorded" };\n',
    },
    shows: ['clone-prof.baseline.json', 'recorded/pool.js-41.mjs'],
  });
  assert.equal(code, 0);
  assert.match(
    stdout,
    /^Add to clone-prof\.config\.mjs, then run clone-prof baseline:\n\n {2}payloads: \[\n/,
  );
  assert.match(stdout, /"input":"recorded\/pool\.js-41\.mjs".*"channels":\["ipc-json"\]/);
  assert.equal(files['clone-prof.baseline.json'], null);
  assert.match(files['recorded/pool.js-41.mjs']!, /^\/\/ Made by clone-prof/);
});

test('of messages that were kept nothing but kinds and sizes is in the files', async () => {
  const SECRET = 'hunter2@example.com';
  const shape = shapeOf(
    'v8',
    row('$', 'object', [], { size: { min: 1, max: 1, total: 1 } }),
    row(`$[${JSON.stringify(SECRET)}]`, 'string', [], {
      size: { min: 19, max: 19, total: 19 },
      example: `$[${JSON.stringify(SECRET)}]`,
    }),
  );
  const sample: ValueTree = { object: [[SECRET, SECRET]] };
  const { code, stderr, files } = await runCli(['baseline', 'app.cprof'], {
    files: { 'app.cprof': textOf(recording({ values: 'kept' }, [{ shape, sample }])) },
    script: { values: { 'pool.js-41#default': { a: 1 } } },
    shows: ['clone-prof.config.json', 'clone-prof.fixtures/pool.js-41.mjs', 'clone-prof.baseline.json'],
  });
  assert.equal(code, 0, stderr);
  assert.match(files['clone-prof.fixtures/pool.js-41.mjs']!, /text\(n?0?, 19\)/);
  assert.ok(!JSON.stringify(files).includes('hunter2'));
});

test('names and shapes of a stranger: no file elsewhere, no code, one line each', async () => {
  const hostile = '../../../x\n*/globalThis.ran = true;/*';
  const site = { user: { file: hostile, line: 1, column: 1, name: hostile }, library: null };
  const huge = shapeOf('v8', row('$', 'array', [], { size: { min: 1e9, max: 1e9, total: 1e9 } }));
  const named = shapeOf(
    'v8',
    row('$', 'object', ['class-instance'], { tag: hostile, size: { min: 1, max: 1, total: 1 } }),
    row(`$[${JSON.stringify(hostile)}]`, 'not-cloneable', [], { tag: hostile }),
  );
  const { code, stderr, files } = await runCli(['baseline', 'app.cprof'], {
    files: { 'app.cprof': textOf(recording({}, [{ site, shape: named }, { shape: huge }])) },
    script: { values: { '1#default': { a: 1 } } },
    shows: ['clone-prof.config.json', 'clone-prof.fixtures/1.mjs'],
  });
  assert.equal(code, 3, stderr);
  assert.match(stderr, /pool\.js:41: .*1000000001 values, and 20000000 can be made\. Record again/);
  const [config, fixture] = Object.values(files) as [string, string];
  assert.equal(JSON.parse(config).payloads.length, 1);
  assert.ok(!existsSync('/x'));
  const comments = fixture.split('\n').filter((line) => line.startsWith('//'));
  assert.ok(comments.length >= 3 && comments.every((line) => !line.includes('\u2028')), fixture);
  assert.equal((globalThis as { ran?: boolean }).ran, undefined);
});
