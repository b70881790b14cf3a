import assert from 'node:assert/strict';
import { mkdir, readFile, readlink, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { loadTries } from '../../../src/app/sources/tries.ts';
import { codeOfCalls, TO_WORKER } from '../../../src/codec/code/call.ts';
import type { ErrorCode } from '../../../src/model/errors.ts';
import { SERIALIZER_NAMES } from '../../../src/model/names.ts';
import { putFiles } from '../../support/git-repository.ts';
import { project } from '../../support/temp-project.ts';
import { isToolError } from '../../support/tool-errors.ts';

const FILES = {
  'mine.mjs': 'export const apply = (p) => p, restore = apply;',
  'codecs/a.ts': 'export const apply = (p: object): object => p;\nexport const restore = apply;',
  'codecs/b.cjs': '',
  'codecs/c.cjs': 'exports.apply = exports.restore = (p) => p;',
  'rows.json': '[]',
  'packages/app/own.mjs': 'export const apply = (p) => p, restore = apply;',
  'node_modules/msgpackr/package.json': '{"name":"msgpackr"}',
  'packages/app/node_modules/devalue/package.json': '{"name":"devalue"}',
};

test('modules are named as the user sees them; TypeScript is compiled into the work folder', async () => {
  const { cwd, workdir } = project(FILES);
  const tries = await loadTries(['./mine.mjs', 'codecs/a.ts', 'mine.mjs', join(cwd, 'mine.mjs')], {
    ...{ cwd, workdir },
  });
  assert.deepEqual(
    tries.map(({ name, title, calls }) => [name, title, calls]),
    [
      ['mine.mjs', 'your module', null],
      ['codecs/a.ts', 'your module', null],
    ],
  );
  assert.equal(tries[0]?.file, join(cwd, 'mine.mjs'));
  assert.ok(tries[1]!.file.startsWith(workdir));
  assert.match(await readFile(tries[1]!.file, 'utf8'), /export/);
});

test('a serializer is found in the folder or above it in the project, the nearest first', async () => {
  const { cwd, workdir } = project(FILES);
  const app = join(cwd, 'packages/app');
  await mkdir(join(cwd, '.git'));
  const [msgpackr, devalue] = await loadTries(['msgpackr', 'devalue'], { cwd: app, workdir });
  assert.equal(
    await readFile(msgpackr!.file, 'utf8'),
    `import { pack } from 'msgpackr';
import { unpack } from 'msgpackr';
export const apply = (payload) => new Uint8Array(pack(payload));
export const restore = (message) => unpack(message);
export const transfer = (message) => [message.buffer];
`,
  );
  const linked = (name: string) => readlink(join(workdir, 'tries/node_modules', name));
  assert.equal(await linked('msgpackr'), join(cwd, 'node_modules/msgpackr'));
  assert.equal(await linked('devalue'), join(app, 'node_modules/devalue'));
  assert.equal(
    codeOfCalls(devalue!.calls!, TO_WORKER).sender,
    "import { stringify } from 'devalue';\n\nworker.postMessage(stringify(payload));",
  );
});

const REFUSED: [word: string, code: ErrorCode, message: RegExp][] = [
  ['__proto__', 'serializer-unknown', /'__proto__' is neither/],
  ['rows.json', 'try-unfit', /^rows\.json: is not a module\. A rewrite is a module that exports apply/],
  ['codecs', 'not-a-file', /^codecs: is a directory/],
  ['codecs/b.cjs', 'file-empty', /is empty/],
];

for (const [word, code, message] of REFUSED) {
  test(`refused: ${word}`, async () => {
    const { cwd, workdir } = project(FILES);
    const loading = loadTries([word], { cwd, workdir });
    await assert.rejects(loading, isToolError(code, message));
  });
}

test('a package above the project is not used', async () => {
  const { cwd, workdir } = project(FILES);
  const app = join(cwd, 'packages/app');
  await assert.rejects(loadTries(['msgpackr'], { cwd: app, workdir }), /not installed/);
});

/** What every serializer here keeps: a wrong row gives another value, or none. */
const KEPT = {
  rows: [{ id: 1, name: 'é', on: true, at: 2.5, none: null }],
  text: 'x'.repeat(3000),
  empty: [],
};

for (const name of SERIALIZER_NAMES) {
  test(`${name}: the real package gives back the payload, and what is printed is what runs`, async () => {
    const { cwd, workdir } = project();
    await symlink(join(import.meta.dirname, '../../../node_modules'), join(cwd, 'node_modules'));
    const [tried] = await loadTries([name], { cwd, workdir });
    const { apply, restore, transfer } = (await import(pathToFileURL(tried!.file).href)) as {
      apply(payload: unknown): unknown;
      restore(message: unknown): unknown;
      transfer?(message: unknown): ArrayBuffer[];
    };
    const message = apply(KEPT);
    if (transfer) {
      const [buffer, ...others] = transfer(message);
      assert.equal(others.length, 0);
      assert.equal(buffer?.byteLength, (message as Uint8Array).byteLength, 'no larger buffer goes along');
    } else assert.equal(typeof message, 'string');
    const arrived = structuredClone(message, { transfer: transfer?.(message) ?? [] });
    assert.deepEqual(restore(arrived), KEPT);
    // The serializer still works after its bytes were transferred.
    assert.deepEqual(restore(apply(KEPT)), KEPT);
    await printedCodeWorks(codeOfCalls(tried!.calls!, TO_WORKER), cwd);
  });
}

/** The two sides as the report prints them, in a module of the user's. */
async function printedCodeWorks({ sender, receiver }: { sender: string; receiver: string }, cwd: string) {
  const posted =
    'const worker = { postMessage: (m, t = []) => (globalThis.posted = structuredClone(m, { transfer: t })) };';
  putFiles(join(cwd, 'app'), {
    'sender.mjs': sender.replace('\n\n', `\n${posted}\nconst payload = ${JSON.stringify(KEPT)};\n`),
    'receiver.mjs': `${receiver.replace('\n\n', '\nconst message = globalThis.posted;\n')}\nexport { payload };`,
  });
  await import(pathToFileURL(join(cwd, 'app/sender.mjs')).href);
  const { payload } = (await import(pathToFileURL(join(cwd, 'app/receiver.mjs')).href)) as {
    payload: unknown;
  };
  assert.deepEqual(payload, KEPT);
}
