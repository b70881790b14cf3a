/** The codec of samples, its own test, and the gate around it, with real processes. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { CheckReport } from '../../src/model/documents/check.ts';
import { realCli } from '../support/real-cli.ts';
import { ROOT } from '../support/spawn-cli.ts';
import { tempFolder } from '../support/temp-folder.ts';

const folder = tempFolder('codec');
const put = (name: string, text: string) => writeFileSync(join(folder, name), text);
const read = (name: string) => readFileSync(join(folder, name), 'utf8');

const CODEC = 'orders.codec.mjs';
const { orders, page } = JSON.parse(readFileSync(join(ROOT, 'fixtures/orders.json'), 'utf8'));
put('orders.json', JSON.stringify({ page, orders: orders.slice(0, 10) }));
put(
  'clone-prof.config.json',
  JSON.stringify({
    payloads: [{ input: 'orders.json', codec: CODEC, limits: { class: 'off', maxBytes: 'off' } }],
  }),
);

async function checked(...more: string[]): Promise<{ code: number | null; codec: string[] }> {
  const { code, stdout, stderr } = await realCli(['check', '-f', 'json', ...more], { cwd: folder });
  assert.notEqual(stdout, '', stderr);
  const { results } = JSON.parse(stdout) as CheckReport;
  const codec = results.filter(({ limit }) => limit === 'codec');
  return {
    code,
    codec: codec.map(({ outcome, path, reason }) => [outcome, path, reason].filter(Boolean).join(' ')),
  };
}

test('a codec is written, proves itself, fits, is found out, and is written anew', async () => {
  const { code, stderr, stdout } = await realCli(['codec', 'orders.json', '-o', CODEC], { cwd: folder });
  assert.deepEqual([code, stdout], [0, ''], stderr);
  const patch = await realCli(['codec', 'orders.json', '--patch', '-o', 'orders.patch.mjs'], {
    cwd: folder,
  });
  assert.equal(patch.code, 0, patch.stderr);
  // The runner would take the tests of the codec for its own.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  put('tests.mjs', "import './orders.codec.test.mjs'; import './orders.patch.test.mjs';");
  execFileSync(process.execPath, ['tests.mjs'], { cwd: folder, env });

  // What is sent changes, and the codec tells by itself what it does not know.
  const whole = read(CODEC);
  put(CODEC, whole.replace(/^\/\/ schema: .*$/m, ''));
  const payload = JSON.parse(read('orders.json')) as { orders: Record<string, unknown>[]; page: object };
  payload.orders[0]!.status = 7;
  put('orders.json', JSON.stringify(payload));
  assert.deepEqual(await checked(), { code: 1, codec: ['failed $.orders[*].status does not fit'] });

  // With its schema it is known what changed.
  put(CODEC, whole);
  const words = 'failed $.orders[*].status was a text, is a text or an integer';
  assert.deepEqual(await checked(), { code: 1, codec: [words] });

  // A codec that is wrong is proven to be, whatever its schema says.
  put(
    CODEC,
    whole.replace(/return (receive\(.*\));/, 'const read = $1;\n  read.page.size++;\n  return read;'),
  );
  const wrong = await checked();
  assert.equal(wrong.code, 1);
  assert.ok(
    wrong.codec.some((one) => one.startsWith('failed $.page.size arrives otherwise')),
    wrong.codec.join(),
  );

  assert.deepEqual(await checked('--fix-codec'), { code: 0, codec: ['passed'] });
  assert.deepEqual(await checked(), { code: 0, codec: ['passed'] });
});

test('lines and exports of several files make one schema', async () => {
  put('events.ndjson', '{"id":1}\n{"id":2.5}\n\n{"id":3,"kind":"a"}\n');
  put('made.mjs', 'export const late = async () => ({ id: 4, kind: null });\n');
  const { code, stdout, stderr } = await realCli(['codec', 'events.ndjson', 'made.mjs'], { cwd: folder });
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^\/\/ clone-prof codec .*not measured/);
  assert.match(stdout.replace(/\s+/g, ' '), /interface Events \{ id: number; kind\?: string \| null \}/);
});
