/** Payloads as guests of each kind of runtime read them, and the lines that their errors name. */

import assert from 'node:assert/strict';
import { mkdirSync, rmSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { stop } from 'esbuild';
import { ToolError } from '../../../src/model/errors.ts';
import type { Recipe, RecipeForm } from '../../../src/model/report/recipe.ts';
import type { Guest } from '../../../src/model/run/runtime.ts';
import { trackChildProcesses } from '../../support/child-processes.ts';
import { PayloadFolder } from '../../support/payload-folder.ts';

import { MAIN_RUNTIMES, missing, processDriver, runtime } from '../../support/runtimes.ts';
import { project } from '../../support/temp-project.ts';

const noneRunning = trackChildProcesses();
const folder = new PayloadFolder();

const read = (name: string, content: string | Uint8Array, form: 'json' | 'text' | 'bytes'): Recipe => ({
  id: name,
  source: { file: name, export: null },
  build: { form, file: folder.file(name, content) },
});
const LINES = folder.file('a.ndjson', '{"é":1}\n[1,2,3]\n');
const SECOND: RecipeForm = { form: 'ndjson', file: LINES, line: 2, offset: 9, length: 7 };

/** Kind and size of the root, as the guest sees it; or its error. */
async function root(guest: Guest, recipe: Recipe): Promise<string> {
  try {
    const { shape } = await guest.ask({ type: 'describe', recipe, channel: 'worker', confirm: false });
    const facts = shape.patterns[0]!;
    return `${facts.kind} ${facts.size?.max ?? facts.bytes?.max ?? ''}`.trim();
  } catch (error) {
    return error instanceof ToolError ? error.message : String(error);
  }
}

const counter = (name: string) => `globalThis.${name} = (globalThis.${name} ?? 0) + 1;`;
const LOUD = '() => { throw new Error("touched") }';
const BROKEN = `() => { throw new Error('broken') }`;

/** Answers to one request after the other. */
const ROWS: [what: string, recipe: Recipe, answers: (string | RegExp)[]][] = [
  ['JSON', read('a.json', '\ufeff{"a":1,"b":2}', 'json'), ['object 2']],
  ['text', read('a.txt', '\ufeffgrüße', 'text'), ['string 5']],
  ['bytes', read('a.bin', new Uint8Array(300), 'bytes'), ['typedarray 300']],
  ['a line', { ...read('b.txt', '', 'text'), build: SECOND }, ['array 3']],
  [
    'malformed JSON: the same position and message on every runtime',
    read('bad.json', '{\n "a": [1, 2,],\n}', 'json'),
    ['bad.json:2:13: not valid JSON (value expected)'],
  ],
  [
    'JSON nested beyond the stack',
    read('deep.json', '['.repeat(200_000) + ']'.repeat(200_000), 'json'),
    ['array 1'],
  ],
  [
    'a plain export is evaluated again',
    folder.module('plain.mjs', `${counter('esm')} export const value = "x".repeat(esm)`),
    ['string 1', 'string 2', 'string 3'],
  ],
  [
    'so is one of CommonJS',
    folder.module('plain.cjs', `${counter('cjs')} exports.value = "x".repeat(cjs)`),
    ['string 1', 'string 2', 'string 3'],
  ],
  ['a promise is awaited', folder.value('Promise.resolve("xx")'), ['string 2', 'string 2']],
  ['no getter runs', folder.value(`() => ({ get then() { (${LOUD})() } })`), [/^object/]],
  [
    'a factory that throws',
    folder.module('boom.mjs', 'export const value = () => {\n  throw new TypeError("boom") }'),
    [/boom\.mjs: the factory 'value' threw: TypeError: boom \(line 2, column \d+\)$/],
  ],
];

/** Breaks the built-ins of the language. */
const BREAKING = folder.module(
  'patched.mjs',
  `const { ownKeys } = Reflect, names = ['Map', 'Set', 'String', 'Promise', 'Array'];
   for (let i = 0; i < names.length; i++)
     for (let j = 0, keys = ownKeys(globalThis[names[i]].prototype); j < keys.length; j++)
       if (typeof keys[j] === 'symbol' || !/^(constructor|length|size|__proto__)$/.test(keys[j]))
         try { globalThis[names[i]].prototype[keys[j]] = ${BROKEN} } catch {}
   JSON.stringify = JSON.parse = Object.keys = Reflect.ownKeys = ${BROKEN};
   globalThis.Promise = class {}; globalThis.Atomics = null; globalThis.console = null;
   globalThis.performance = { now: () => 0 }; globalThis.structuredClone = ${BROKEN};
   Object.prototype.extra = 1;
   try {
     Array.prototype.extra = 1;
     delete Array.prototype.copyWithin; delete Array.prototype.reduceRight;
     Array.prototype.then = ${BROKEN}; Object.preventExtensions(Array.prototype);
   } catch {}
   export const value = [{ a: 1 }, { a: 2 }]`,
);

for (const spec of [...MAIN_RUNTIMES, 'chromium'] as const) {
  describe(spec, { skip: missing(spec) }, () => {
    let guest: Guest;
    before(async () => {
      guest = await folder.startGuest(runtime(spec));
    });
    after(async () => {
      await guest.close();
      await stop();
      // A browser waits for the next guest, and ends with this process.
      if (spec !== 'chromium') await noneRunning();
    });

    const rows = [...ROWS];
    // Each time a later value is described: engines store the first ones of a factory otherwise.
    const made = spec.startsWith('bun') ? ['string 3', 'string 6'] : ['string 2', 'string 4'];
    const making = 'let n = 0; export const value = async () => "x".repeat(++n)';
    rows.push(['a factory is called each time', folder.module(`made-${spec}.mjs`, making), made]);
    const foreign = spec.startsWith('deno') ? 'Bun.hash("x")' : 'Deno.cwd()';
    const recipe = folder.module(`foreign-${spec}.mjs`, `export const value = () => ${foreign}`);
    rows.push(['a factory for another runtime', recipe, [/this runtime cannot load it/]]);
    const proxy = `export const value = new Proxy({}, { get: ${LOUD}, has: ${LOUD}, ownKeys: ${LOUD}, getPrototypeOf: ${LOUD} })`;
    // No page can tell a Proxy from what it stands for.
    if (spec !== 'chromium') rows.push(['no trap runs', folder.module('proxy.mjs', proxy), ['proxy']]);
    for (const [what, recipe, answers] of rows)
      test(what, async () => {
        for (const expected of answers) {
          const said = await root(guest, recipe);
          if (typeof expected === 'string') assert.equal(said, expected);
          else assert.match(said, expected);
        }
      });

    // Built-ins of Bun that learn (value/read/lists.ts), and texts of V8 15 that were keys of a Set.
    const stored = [
      ['bun', 'array', 'int32-storage', '[1, 2, 3].map((n) => n)'],
      ['deno', 'string', 'two-byte', '((t) => [t, [t]])(decodeURIComponent("%C3%A9".repeat(100)))'],
    ] as const;
    for (const [name, of, flag, made] of stored.filter(([name]) => spec.startsWith(name)))
      test(`looking leaves a payload as the engine stored it: ${made}`, async () => {
        const recipe = folder.module(`stored-${name}.mjs`, `export const value = ${made}`);
        const { shape } = await guest.ask({ type: 'describe', recipe, channel: 'worker', confirm: false });
        const others = shape.patterns.filter(({ kind, flags }) => kind === of && !flags.includes(flag));
        assert.deepEqual(others, []);
      });

    test('a changed file is read again; an empty or missing file is an error', async () => {
      const passing = read('passing.json', '[1]', 'json');
      assert.equal(await root(guest, passing), 'array 1');
      folder.file('passing.json', `[${'1,'.repeat(99_999)}1]`);
      assert.equal(await root(guest, passing), 'array 100000');
      const file = folder.file('passing.json', '');
      assert.match(await root(guest, passing), /passing\.json: the file is empty/);
      rmSync(file);
      assert.match(await root(guest, passing), /passing\.json: no such file/);
      mkdirSync(file);
      assert.match(await root(guest, passing), /passing\.json: cannot be read \(/);
      rmSync(file, { recursive: true });
    });

    folder.testInGuests('a module that breaks the built-ins of the language', [spec], async (shaken) => {
      for (const _ of [1, 2]) assert.equal(await root(shaken, BREAKING), 'array 2');
    });
  });
}

// Errors.

const SOURCES = {
  // The interface vanishes, so that the lines of the compiled file are others.
  'own.ts': `interface Row {
  id: number;
}

export const rows = (): Row[] => {
  throw new Error('no rows');
};`,
  'lib/far.ts': `type Row = { id: number };

export function rows(): Row[] {
  throw new Error('far away');
}`,
  'via.ts': "export { rows } from './lib/far.ts';",
};

const PLACES: [entry: string, message: RegExp][] = [
  ['own.ts', /^own\.ts: the factory 'rows' threw: Error: no rows \(line 6, column \d+\)/],
  ['via.ts', /^via\.ts: the factory 'rows' threw: Error: far away \(lib\/far\.ts, line 4, column \d+\)/],
];

describe('an error in a TypeScript payload names the line of the source', () => {
  for (const spec of ['node', 'bun@1.4.5', 'deno@2.9.6'] as const) {
    test(spec, { skip: missing(spec) }, async (t) => {
      const { cwd, load } = project(SOURCES);
      const guest = await processDriver.start(runtime(spec), { timeoutMs: 120_000, cwd, forModules: true });
      t.after(() => guest.close());
      for (const [entry, message] of PLACES) {
        const [source] = await load([entry]);
        assert.ok(source?.kind === 'open');
        const { payloads } = await guest.ask({ type: 'open', recipe: source.recipe, exports: null });
        const [recipe] = payloads;
        assert.ok(recipe);
        await assert.rejects(
          guest.ask({ type: 'describe', recipe, channel: 'worker', confirm: false }),
          (error) => error instanceof ToolError && message.test(error.message),
          entry,
        );
      }
    });
  }
});
