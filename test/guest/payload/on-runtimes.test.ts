import assert from 'node:assert/strict';
import { mkdirSync, rmSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { stop } from 'esbuild';
import { ToolError } from '../../../src/model/errors.ts';
import type { Recipe, RecipeForm } from '../../../src/model/report/recipe.ts';
import type { Guest } from '../../../src/model/run/runtime.ts';
import { trackChildProcesses } from '../../support/child-processes.ts';
import { PayloadFolder } from '../../support/payload-folder.ts';
import { MAIN_RUNTIMES, missing, type RuntimeSpec, runtime } from '../../support/runtimes.ts';

const noneRunning = trackChildProcesses();
const folder = new PayloadFolder();

const recipe = (name: string, build: RecipeForm): Recipe => ({
  id: name,
  source: { file: name, export: null },
  build,
});

/** Kind and size of the root, as the guest sees it. */
async function root(guest: Guest, payload: Recipe): Promise<string> {
  const ask = { type: 'describe', recipe: payload, channel: 'worker', confirm: false } as const;
  const { shape } = await guest.ask(ask);
  const facts = shape.patterns[0]!;
  return `${facts.kind} ${facts.size?.max ?? facts.bytes?.max ?? ''}`.trim();
}

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => 'none',
    (error: unknown) => (error instanceof ToolError ? error.message : String(error)),
  );

/** A runtime, and the guest on it that its tests share. */
interface Suite {
  spec: RuntimeSpec;
  guest: Guest;
}

function testFiles(suite: Suite): void {
  test('files of every form', async () => {
    const json = folder.file('a.json', '\ufeff{"a":1,"b":2}');
    const text = folder.file('a.txt', 'grüße');
    const bytes = folder.file('a.bin', new Uint8Array(300));
    const lines = folder.file('a.ndjson', '{"é":1}\n[1,2,3]\n');
    const ndjson = { form: 'ndjson', file: lines, line: 2, offset: 9, length: 7 } as const;
    assert.equal(await root(suite.guest, recipe('a', { form: 'json', file: json })), 'object 2');
    assert.equal(await root(suite.guest, recipe('a', { form: 'text', file: text })), 'string 5');
    assert.equal(await root(suite.guest, recipe('a', { form: 'bytes', file: bytes })), 'typedarray 300');
    assert.equal(await root(suite.guest, recipe('a', ndjson)), 'array 3');
  });

  test('malformed JSON has the same position and message on every runtime', async () => {
    const file = folder.file('bad.json', '{\n "a": [1, 2,],\n}');
    const message = await failure(root(suite.guest, recipe('bad.json', { form: 'json', file })));
    assert.equal(message, 'bad.json:2:13: not valid JSON (value expected)');
  });

  test('JSON nested beyond the stack', async () => {
    const file = folder.file('deep.json', '['.repeat(200_000) + ']'.repeat(200_000));
    assert.equal(await root(suite.guest, recipe('deep', { form: 'json', file })), 'array 1');
  });

  test('a changed file is read again; an empty or missing file is an error', async () => {
    const file = folder.file('passing.json', '[1]');
    const passing = recipe('passing.json', { form: 'json', file });
    assert.equal(await root(suite.guest, passing), 'array 1');
    folder.file('passing.json', `[${'1,'.repeat(99_999)}1]`);
    assert.equal(await root(suite.guest, passing), 'array 100000');
    folder.file('passing.json', '');
    assert.match(await failure(root(suite.guest, passing)), /passing\.json: the file is empty/);
    rmSync(file);
    assert.match(await failure(root(suite.guest, passing)), /passing\.json: no such file/);
    mkdirSync(file);
    assert.match(await failure(root(suite.guest, passing)), /passing\.json: cannot be read \(/);
    rmSync(file, { recursive: true });
  });
}

function testExports(suite: Suite): void {
  test('exports: factories are called each time, plain exports evaluated again', async () => {
    const counter = (name: string) => `globalThis.${name} = (globalThis.${name} ?? 0) + 1;`;
    const modules: [Recipe, string[]][] = [
      [
        folder.module('made.mjs', 'let n = 0; export const value = async () => "x".repeat(++n)'),
        // Each time a later value is described: engines store the first ones of a factory otherwise.
        suite.spec.startsWith('bun') ? ['3', '6', '9'] : ['2', '4', '6'],
      ],
      [folder.module('plain.mjs', `${counter('esm')} export const value = "x".repeat(esm)`), ['1', '2', '3']],
      [folder.module('plain.cjs', `${counter('cjs')} exports.value = "x".repeat(cjs)`), ['1', '2', '3']],
      [folder.module('kept.mjs', 'export const value = Promise.resolve("xx")'), ['2', '2', '2']],
    ];
    for (const [payload, sizes] of modules) {
      for (const size of sizes) assert.equal(await root(suite.guest, payload), `string ${size}`, payload.id);
    }
  });
}

function testUntouched(suite: Suite): void {
  const loud = '() => { throw new Error("touched") }';

  // No page can tell a Proxy from what it stands for.
  test('no trap runs', { skip: suite.spec === 'chromium' }, async () => {
    const proxy = folder.module(
      'proxy.mjs',
      `export const value = new Proxy({}, { get: ${loud}, has: ${loud}, ownKeys: ${loud}, getPrototypeOf: ${loud} })`,
    );
    assert.equal(await root(suite.guest, proxy), 'proxy');
  });

  test('no getter runs', async () => {
    const getter = folder.module(
      'getter.mjs',
      'export const value = () => ({ get then() { throw new Error("touched") } })',
    );
    assert.match(await root(suite.guest, getter), /^object/);
  });
}

function testBrokenCode(suite: Suite): void {
  test('a module that breaks the built-ins of the language', async () => {
    const breaks = `() => { throw new Error('broken') }`;
    const patched = folder.module(
      'patched.mjs',
      `const { ownKeys } = Reflect, names = ['Map', 'Set', 'String', 'Promise', 'Array'];
         for (let i = 0; i < names.length; i++)
           for (let j = 0, keys = ownKeys(globalThis[names[i]].prototype); j < keys.length; j++)
             if (typeof keys[j] === 'symbol' || !/^(constructor|length|size|__proto__)$/.test(keys[j]))
               try { globalThis[names[i]].prototype[keys[j]] = ${breaks} } catch {}
         JSON.stringify = JSON.parse = Object.keys = Reflect.ownKeys = ${breaks};
         globalThis.Promise = class {}; globalThis.Atomics = null; globalThis.console = null;
         globalThis.performance = { now: () => 0 }; globalThis.structuredClone = ${breaks};
         Array.prototype.extra = Object.prototype.extra = 1;
         export const value = [{ a: 1 }, { a: 2 }]`,
    );
    const shaken = await folder.startGuest(runtime(suite.spec));
    try {
      assert.equal(await root(shaken, patched), 'array 2');
      assert.equal(await root(shaken, patched), 'array 2');
    } finally {
      await shaken.close();
    }
  });

  test('a factory that throws and a factory for a different runtime are errors', async () => {
    const throws = folder.module('boom.mjs', 'export const value = () => {\n  throw new TypeError("boom") }');
    assert.match(
      await failure(root(suite.guest, throws)),
      /boom\.mjs: the factory 'value' threw: TypeError: boom \(line 2, column \d+\)$/,
    );
    const foreign = suite.spec.startsWith('deno') ? 'Bun.hash("x")' : 'Deno.cwd()';
    const unsupported = folder.module('foreign.mjs', `export const value = () => ${foreign}`);
    assert.match(await failure(root(suite.guest, unsupported)), /this runtime cannot load it/);
  });
}

for (const spec of [...MAIN_RUNTIMES, 'chromium'] as const) {
  describe(spec, { skip: missing(spec) }, () => {
    const suite = { spec } as Suite;
    before(async () => {
      suite.guest = await folder.startGuest(runtime(spec));
    });
    after(async () => {
      await suite.guest.close();
      await stop();
      // A browser waits for the next guest, and ends with this process.
      if (spec !== 'chromium') await noneRunning();
    });
    testFiles(suite);
    testExports(suite);
    testUntouched(suite);
    testBrokenCode(suite);
  });
}
