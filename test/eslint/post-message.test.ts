/** The rule as ESLint runs it, in the two versions that it is for. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, it, test } from 'node:test';
import { ESLint, type Linter, RuleTester } from 'eslint';
import * as nine from 'eslint-9';
import { checkReport } from '../../src/core/gate/check-report.ts';
import plugin from '../../src/eslint/index.ts';
import { postMessage } from '../../src/eslint/post-message.ts';
import type { ThrownPosts } from '../../src/model/documents/recorded/recording.ts';
import { fnv1aHex } from '../../src/model/fnv1a.ts';
import { recordingText } from '../../src/store/recording-file.ts';
import { partOf, resultWith } from '../core/gate/runs.ts';
import { frozen } from '../reporters/render.ts';
import { recording } from '../support/recordings.ts';
import { row, shapeOf } from '../support/shapes.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'clone-prof-eslint-')));
after(() => rmSync(folder, { recursive: true, force: true }));

function put(name: string, content: unknown): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

const POST = 'worker.postMessage(tasks);';
const site = (line: number, lineHash?: string, file = 'src/pool.js') => ({
  user: { file, line, column: 8, name: null, ...(lineHash !== undefined && { lineHash }) },
  library: null,
});
const object = (keys: number) => row('$', 'object', [], { size: { min: keys, max: keys, total: keys } });
const shape = shapeOf('v8', object(1), row('$.now', 'function', []));
const thrown: ThrownPosts = {
  ...{ site: site(2), api: 'Worker.postMessage', from: 'main', to: null, count: 50, posts: 51, stack: [] },
  ...{ error: 'DataCloneError', refused: { path: '$.user.save', what: 'a function' } },
};
/** Too rare for a batch. */
const times = { stepMs: 60_000, counts: [600, 600] };
const growing = { queue: { max: 900, last: 870 }, times };

const cprof = put('app.cprof', recordingText(recording({}, [{ site: site(2, fnv1aHex(POST)), ...growing }])));
const old = put(
  'old.cprof',
  recordingText(recording({ thrown: [thrown] }, [{ site: site(2), shape, times }])),
);
const page = put(
  'page.cprof',
  recordingText(
    recording({}, [{ site: site(2, undefined, 'http://localhost:5173/src/pool.js?t=1'), ...growing }]),
  ),
);
const measured = structuredClone(frozen('recording'));
measured.payloads[0]!.traffic!.site.user!.line = 2;
const report = put('report.json', measured);
put(
  'payloads/pool.mjs',
  '// clone-prof payload\n// Posted by src/pool.js:2 with Worker.postMessage: 60 messages.\n',
);
const limit = {
  payload: 'pool',
  file: 'payloads/pool.mjs',
  line: 1,
  limit: 'maxBytes',
  outcome: 'failed',
} as const;
const check = put(
  'check.json',
  checkReport(partOf([resultWith(limit), resultWith({ ...limit, file: 'src/other.js' })])),
);

const CODE = `let worker;\n${POST}\n`;
const filename = join(folder, 'src/pool.js');
const on = (document: string | string[], code = CODE, level?: string) => ({
  ...{ code, filename, options: [{ report: document, ...(level && { level }) }] },
});
const at = (line: number, message: RegExp | string, column = 8) => ({ message, line, column });

const SERIALIZED = /^serialized on node 20\.20\.2: .*; 1,200 messages, ~1\.20 MB\. \(class\/serialized\)$/;
const GROWS = /^870 messages were still waiting for this receiver at the end/;

const VALID = {
  'another file': { ...on(cprof), filename: join(folder, 'src/other.js') },
  'nothing as bad as is asked for': on(cprof, CODE, 'error'),
  'another file of that name': { ...on(page), filename: join(folder, 'pool.js') },
};

const gone = (name: string, lines: string) =>
  new RegExp(`^${name}: what posted at ${lines} of this file is not found: `);
const bad = (says: RegExp) => ({ message: says, line: 1, column: 1 });
const INVALID = {
  'a recording: what is worse first': { ...on(cprof), errors: [at(2, GROWS), at(2, SERIALIZED)] },
  'from a level on': { ...on(cprof, CODE, 'warning'), errors: [at(2, GROWS)] },
  'a line that moved': { ...on(cprof, `\n\n${CODE}`), errors: [at(4, GROWS), at(4, SERIALIZED)] },
  'the nearest of equal lines': { ...on(cprof, CODE + POST), errors: [at(2, GROWS), at(2, SERIALIZED)] },
  'a line that changed': {
    ...on(cprof, `\nworker.postMessage(task);`),
    errors: [at(2, gone('.*app.cprof', 'line 2'), 1)],
  },
  'a file that became shorter': {
    ...on(cprof, 'let worker;'),
    errors: [at(1, gone('.*app.cprof', 'line 2'), 1)],
  },
  'posts that throw; a recording without hashes': {
    ...on(old, CODE, 'error'),
    errors: [
      at(2, '50 of 51 posts threw DataCloneError: $.user.save is a function. (throws)'),
      at(
        2,
        /^rejected on node 20\.20\.2: cannot be cloned; .* cannot be posted until the causes above are fixed\./,
      ),
      at(2, /^\$\.now: cannot be cloned: function \(node 20\.20\.2\)\. \(spec\/function\)$/),
    ],
  },
  'without hashes: no such call on the line': {
    ...on(old, CODE.replace(POST, 'send(tasks);')),
    errors: [at(2, gone('.*old.cprof', 'line 2'), 1)],
  },
  'a page, as its server names the file': { ...on(page, CODE, 'warning'), errors: [at(2, GROWS)] },
  'a report: the rewrite that is advised, at the call of a library': {
    ...on(report, 'let pool;\nconst done = pool.run(task).then(show);\n', 'warning'),
    errors: [
      {
        message:
          /; 1,200 messages, ~1\.20 MB\. Apply json-text \(.*\), 2\.5x faster .*\(class\/serialized\)$/,
        line: 2,
        column: 19,
      },
      { message: /^870 messages were still waiting/, line: 2, column: 19 },
      { message: /took longer than a frame/, line: 2, column: 19 },
    ],
  },
  'a check: a limit of a recorded site': {
    ...on(check),
    errors: [at(2, /^pool: maxBytes: .* \(limit\/maxBytes\)$/)],
  },
  'a check: a limit of a module': {
    ...{ ...on(check, 'export const rows = [];'), filename: join(folder, 'src/other.js') },
    errors: [at(1, /^pool: maxBytes: /, 1)],
  },
  'several documents, one of them missing': {
    ...on([join(folder, 'none.cprof'), cprof], CODE, 'warning'),
    errors: [bad(/none\.cprof: there is no such file\. Write one with clone-prof record/), at(2, GROWS)],
  },
  'a folder': { ...on(folder), errors: [bad(/: there is no such file\./)] },
  'not JSON': { ...on(put('bad.json', '{')), errors: [bad(/bad\.json: .* not valid JSON/)] },
  'a document of another kind': {
    ...on(put('other.json', { schema: 'x' })),
    errors: [bad(/"schema" is "x"/)],
  },
  'a line of a recording that is none': {
    ...on(put('bad.cprof', `${recordingText(recording()).replace('"api"', '"apis"')}{}\n`)),
    errors: [bad(/bad\.cprof: .*line 2/)],
  },
};

/** Both tell of each problem once for one object of options. */
for (const [version, Tester] of [
  ['10', RuleTester],
  ['9', nine.RuleTester as unknown as typeof RuleTester],
] as const) {
  Object.assign(Tester, { describe, it, itOnly: it.only });
  const named = <T extends object>(rows: Record<string, T>) =>
    Object.entries(structuredCloneOf(rows)).map(([name, one]) => ({ name, ...one }));
  new Tester().run(`clone-prof/post-message in ESLint ${version}`, postMessage, {
    valid: named(VALID),
    invalid: named(INVALID) as RuleTester.InvalidTestCase[],
  });
}

/** With options of their own: expressions stay. */
function structuredCloneOf<T extends object>(rows: Record<string, T>): Record<string, T> {
  return Object.fromEntries(
    Object.entries(rows).map(([name, one]) => [
      name,
      { ...one, options: structuredClone((one as { options: unknown }).options) },
    ]),
  ) as Record<string, T>;
}

const config = (document: string): Linter.Config => ({
  plugins: { 'clone-prof': plugin },
  rules: { 'clone-prof/post-message': ['warn', { report: document }] },
});

for (const [version, Version] of [
  ['10', ESLint],
  ['9', nine.ESLint as unknown as typeof ESLint],
] as const) {
  test(`one run of ESLint ${version} tells a missing document once, and a new one is read when it has changed`, async () => {
    const document = `late-${version}.cprof`;
    const eslint = () =>
      new Version({ cwd: folder, overrideConfigFile: true, overrideConfig: config(document) });
    put('src/pool.js', CODE);
    put('src/other.js', CODE);
    const said = async () =>
      (await eslint().lintFiles(['src'])).flatMap(({ messages }) =>
        messages.map(({ line, message }) => `${line} ${message}`),
      );
    const [missing, ...more] = await said();
    assert.match(missing!, /^1 late-\d+\.cprof: there is no such file/);
    assert.deepEqual(more, []);
    put(document, recordingText(recording({}, [{ site: site(2, fnv1aHex(POST)) }])));
    assert.match((await said()).join('\n'), /^2 serialized on node 20\.20\.2: /m);
    put(document, recordingText(recording({}, [{ site: site(2, fnv1aHex('gone()')) }])));
    utimesSync(join(folder, document), 1, 1);
    assert.match(
      (await said()).join('\n'),
      /^2 late-\d+\.cprof: what posted at line 2 of this file is not found/,
    );
  });
}
