/** What the server of pages answers to strangers, and to pages that do not keep to the protocol; which files it serves. */
import assert from 'node:assert/strict';
import { connect, createServer, type Socket } from 'node:net';
import { afterEach, test } from 'node:test';
import { bundleForPage } from '../../../src/app/sources/bundle.ts';
import type { Recipe } from '../../../src/model/report/recipe.ts';
import { planOf, type TriedRewrite } from '../../../src/model/rules/remedy.ts';
import type { Guest, PageModule } from '../../../src/model/run/runtime.ts';
import { server } from '../../../src/runtimes/browser/pages/page-server.ts';
import { PageSession, ServedFiles } from '../../../src/runtimes/browser/pages/page-session.ts';
import { runtimeDriver } from '../../../src/runtimes/driver.ts';
import { findRuntimes } from '../../../src/runtimes/find/find.ts';
import { listenOn } from '../../../src/runtimes/guests/start-guest.ts';
import { recipe } from '../../make.ts';
import { ask, FakePage } from '../../support/fake-page.ts';
import { isToolError, rejection } from '../../support/tool-errors.ts';
import { networkAddress } from '../../support/visiting-browser.ts';

const TIMEOUT_MS = 20_000;

interface Link {
  url: string;
  found: ReturnType<typeof findRuntimes>;
}

/** A link for so many browsers. */
function opened(browsers = 1, timeoutMs = TIMEOUT_MS, listen: string | null = null): Promise<Link> {
  return new Promise((resolve, reject) => {
    const link = { listen, timeoutMs, onLink: ({ url }: { url: string }) => resolve({ url, found }) };
    const found = findRuntimes(Array(browsers).fill('url'), { cwd: '/', env: process.env, link });
    found.catch(reject);
  });
}

const pages: FakePage[] = [];
afterEach(() => {
  for (const page of pages.splice(0)) page.leave();
});

async function entered(link: string): Promise<FakePage> {
  const page = await FakePage.at(link);
  pages.push(page);
  return page;
}

/** One browser opens the link: what is found then. */
async function foundBy({ url, found }: Link, told?: Record<string, unknown>) {
  const page = await entered(url);
  assert.equal((await page.hello(told)).status, 204);
  return { page, ...(await found) };
}

async function joined() {
  const { page, found: here, endLink } = await foundBy(await opened());
  const [runtime] = here;
  assert.ok(runtime && endLink);
  const guest = await runtimeDriver(bundleForPage).start(runtime, { timeoutMs: TIMEOUT_MS, cwd: '/' });
  return { page, runtime, guest, endLink };
}

const describe = (guest: Guest) =>
  guest.ask({ type: 'describe', recipe: recipe('one'), channel: 'worker', confirm: false });

test('another token, path, method, Host or Origin is a 404 without a body', async () => {
  const { page, guest } = await joined();
  const { root } = page;
  const other = root.replace(/[0-9a-f]{32}/, '0'.repeat(32));
  const { host, port } = new URL(root);
  const rows: [url: string, options?: Parameters<typeof ask>[1]][] = [
    [other],
    [`http://${host}/`],
    [`http://${host}/favicon.ico`],
    [`${root}other`],
    [`${root}guest/..%2f..%2fpackage.json`],
    [`${root}guest/none.mjs`],
    [`${root}files/1`],
    [`${root}modules/1.mjs`],
    [root, { method: 'PUT' }],
    [root, { method: 'DELETE' }],
    [root, { method: 'POST' }],
    [`${root}events`, { method: 'POST' }],
    [root, { headers: { host: 'evil.example' } }],
    [root, { headers: { host: `localhost:${port}` } }],
    [root, { headers: { host: '127.0.0.1' } }],
    [root, { headers: { origin: 'http://evil.example' } }],
    [root, { headers: { origin: 'null' } }],
    [`${root}answers`, { method: 'POST', headers: { origin: `http://127.0.0.2:${port}` } }],
  ];
  for (const [url, options] of rows) {
    const { status, body } = await ask(url, options);
    assert.deepEqual([status, body], [404, ''], `${url} ${JSON.stringify(options)}`);
  }
  const { status, headers } = await ask(root);
  assert.equal(status, 200);
  assert.equal(headers['cross-origin-opener-policy'], 'same-origin');
  assert.equal(headers['x-content-type-options'], 'nosniff');
  page.leave();
  await rejection('browser-left', describe(guest));
});

const LIES: [what: string, lie: (page: FakePage) => Promise<unknown>][] = [
  ['not JSON', (page) => page.post('{"type":"described"')],
  ['not of its type', (page) => page.answer({ type: 'described', id: 1, shape: 7 })],
  ['not requested', (page) => page.answer({ type: 'described', id: 99 })],
  ['too large', (page) => page.post(new Uint8Array(40 * 1024 * 1024)).catch(() => null)],
  [
    'two at once',
    (page) => Promise.all([1, 2].map(() => page.post(new Uint8Array(8 * 1024 * 1024)).catch(() => null))),
  ],
];

for (const [what, lie] of LIES) {
  test(`an answer that is ${what} ends the link`, async () => {
    const { page, guest } = await joined();
    const refused = rejection('guest-protocol', describe(guest));
    await page.message('type');
    await lie(page);
    await refused;
    await page.ended;
    assert.equal((await ask(page.root)).status, 404);
  });
}

test('an answer whose connection was lost is posted again; after its answer a page may post nothing', async () => {
  const { page, guest } = await joined();
  const missing = rejection('file-missing', describe(guest));
  const { id } = await page.message('type');
  await page.losePost();
  const answer = { type: 'failed', id, code: 'file-missing', message: 'no file', facts: { file: 'x' } };
  assert.equal((await page.answer(answer)).status, 204);
  await missing;
  assert.equal((await page.post('1')).status, 404);
  assert.match((await rejection('guest-protocol', describe(guest))).message, /more than 0 bytes/);
});

test('a link serves the expected number of browsers; each has a separate run', async () => {
  const { url, found } = await opened(2);
  const [one, other, late] = [await entered(url), await entered(url), await entered(url)];
  await one.hello({ name: 'chromium', brand: 'edge', version: '140.0.1.2', engine: 'v8' });
  await other.hello({ name: 'chromium', brand: 'edge', version: '140.0.1.2', engine: 'v8' });
  await late.hello();
  await late.ended;
  const full = await ask(url);
  assert.equal(full.status, 410);
  assert.match(full.body, /already in use/);
  assert.deepEqual(
    (await found).found.map(({ spec, brand, engine }) => [spec, brand, engine]),
    [
      ['edge@140.0.1.2', 'edge', 'v8'],
      ['edge@140.0.1.2 (2)', 'edge', 'v8'],
    ],
  );
});

test('a link opens only for GET', async () => {
  const link = await opened();
  for (const method of ['HEAD', 'POST', 'PUT', 'OPTIONS'])
    assert.deepEqual([method, (await ask(link.url, { method })).status], [method, 404]);
  assert.equal((await ask(`${link.url}other`)).status, 404);
  assert.equal((await foundBy(link)).found.length, 1);
});

test('a page takes a place when it connects, not when it opens the link', async () => {
  const link = await opened();
  const entries = await Promise.all(Array.from({ length: 20 }, () => ask(link.url)));
  assert.ok(entries.every(({ status }) => status === 303));
  // Of the pages that never connected only the last few are kept.
  const statuses = await Promise.all(entries.map(({ headers }) => ask(String(headers.location))));
  const kept = statuses.filter(({ status }) => status === 200).length;
  assert.ok(kept > 0 && kept <= 8, `${kept}`);
  assert.equal((await foundBy(link)).found.length, 1);
});

const NAMES: [told: Record<string, unknown>, version: string][] = [
  [{ name: 'webkit', version: '18.1\u001b[2J', engine: 'webkit' }, '18.1'],
  [{ name: 'firefox', version: '9'.repeat(500), engine: 'v8' }, '99999999'],
  [{ name: 'chromium', version: '<b>130</b>', engine: 'v8' }, '0'],
];

for (const [told, version] of NAMES) {
  test(`a browser that calls itself ${JSON.stringify(told).slice(0, 80)}`, async () => {
    const { found, missing } = await foundBy(await opened(), told);
    const spec = found[0]?.spec ?? missing[0]?.error.facts.runtime;
    assert.equal(spec, `${told.name}@${version}`);
  });
}

test('a client that is not a browser takes no place', async () => {
  const link = await opened();
  const page = await entered(link.url);
  await page.hello({ name: 'node', version: '20.0.0', engine: 'v8' });
  await page.ended;
  const nobody = await entered(link.url);
  assert.equal((await nobody.hello({ name: 'lynx', version: '2', engine: 'text' })).status, 400);
  const { found } = await foundBy(link);
  assert.equal(found.map(({ name }) => name).join(), 'firefox');
});

test('a browser that never opens the link is one error; the others are used', async () => {
  const { found, missing } = await foundBy(await opened(2, 2000));
  assert.deepEqual([found.length, missing.length], [1, 1]);
  const [{ spec, error }] = missing as [(typeof missing)[number]];
  assert.equal(spec, 'url');
  assert.equal(isToolError('runtime-missing', /no browser opened the link within 2 s/)(error), true);
});

test('waiting ends with an interruption', async () => {
  const controller = new AbortController();
  const found = findRuntimes(['url'], {
    cwd: '/',
    env: process.env,
    signal: controller.signal,
    link: { listen: null, timeoutMs: TIMEOUT_MS, onLink: () => controller.abort() },
  });
  await rejection('interrupted', found);
});

test('a browser that leaves before or during a request is one error, and so is the next request', async () => {
  const { page, runtime, guest } = await joined();
  const left = rejection('browser-left', describe(guest));
  await page.message('type');
  page.leave();
  await left;
  const again = runtimeDriver(bundleForPage).start(runtime, { timeoutMs: TIMEOUT_MS, cwd: '/' });
  await rejection('browser-left', again);
});

// TEST-NET-3: no machine has this address.
const HOST = '203.0.113.77';

test('--listen takes addresses of this machine only', async () => {
  const isRefused = isToolError('usage', /not an IPv4 address of this machine/);
  for (const host of [HOST, '0.0.0.0']) await assert.rejects(opened(1, TIMEOUT_MS, host), isRefused);
});

// A rejection that nobody handles fails a test of node:test.
test('a server that cannot listen is an error for its caller, and the next page tries again', async () => {
  const text =
    /^no port of 203\.0\.113\.77 can be opened \(.*EADDRNOTAVAIL.*\)\. Runtimes connect to it: allow /;
  const isRefused = isToolError('port-unavailable', text);
  await assert.rejects(listenOn(createServer(), HOST), isRefused);
  const session = new PageSession(HOST);
  const first = server.open(session);
  server.close(session);
  await assert.rejects(first, isRefused);
  await assert.rejects(server.open(session), isRefused);
  server.close(session);
});

const address = networkAddress();

test('the link is served on this machine only unless --listen is given', {
  skip: address === null && 'this machine has no address in a network',
}, async () => {
  const link = await opened();
  const { port, pathname } = new URL(link.url);
  await assert.rejects(ask(`http://${address}:${port}${pathname}`), { code: 'ECONNREFUSED' });
  await foundBy(link);
});

const closed = (socket: Socket) => new Promise<void>((resolve) => void socket.once('close', () => resolve()));

test('connections of strangers, and headers that never end, keep no page from being served', async () => {
  const { page, guest } = await joined();
  const { hostname, port } = new URL(page.root);
  const open = () =>
    connect({ host: hostname, port: Number(port) })
      .on('error', () => undefined)
      .resume();
  const slow = Array.from({ length: 100 }, open);
  const ends = slow.map(closed);
  for (const socket of slow) socket.write('GET / HTTP/1.1\r\nhost: a');
  // The oldest are closed for those that come later, the others when their header is not there in time.
  await Promise.all(ends.slice(0, 30));
  for (let asked = 0; asked < 9; asked++) assert.equal((await ask(page.root)).status, 200);
  assert.ok(slow.some(({ destroyed }) => !destroyed));
  await Promise.all(ends);
  const huge = open();
  huge.write(`GET / HTTP/1.1\r\nhost: ${'a'.repeat(100_000)}`);
  await closed(huge);
  page.leave();
  await rejection('browser-left', describe(guest));
});

test('an error of a page keeps no stack with its address, and the end closes the page', async () => {
  const { page, guest, endLink } = await joined();
  const answer = rejection('internal', describe(guest));
  const request = await page.message('type');
  const stack = `TypeError: as asked\n    at Ii (http://127.0.0.5:43771/${'0'.repeat(32)}/guest/page.mjs:18:35044)`;
  await page.answer({ type: 'failed', id: request.id, code: 'internal', message: 'as asked', stack });
  assert.equal((await answer).message, 'as asked');
  await endLink();
  await page.ended;
});

// Files.

const SECRET = '/home/somebody';
const ofForm = (build: Recipe['build']): Recipe => ({
  id: 'a',
  source: { file: 'a', export: null },
  build,
});
const json = ofForm({ form: 'json', file: `${SECRET}/a.json` });
const typed = ofForm({
  ...{ form: 'module', file: `${SECRET}/bundle.mjs`, source: `${SECRET}/a.ts` },
  ...{ original: 'a.ts', export: 'rows' },
});
const same = ofForm({ form: 'module', file: `${SECRET}/a.json`, original: 'a.json', export: 'rows' });
const tried: TriedRewrite = { name: 'mine', title: 't', file: `${SECRET}/mine.mjs`, calls: null };
const plan = planOf(tried);
const variant = { id: 'v', remedy: 'mine', plan, mode: 'with-conversion' } as const;

test('a page gets keys instead of paths, and only what they stand for', async () => {
  const files = new ServedFiles();
  const asked = [
    files.inKeys({ type: 'open', id: 1, recipe: typed, exports: null }),
    files.inKeys({ type: 'prove', id: 2, recipe: json, remedy: 'mine', plan }),
    files.inKeys({ type: 'memory', id: 3, recipe: same, channel: 'worker', variant, messages: 1 }),
    files.inKeys({
      ...{ type: 'measure', id: 4, recipe: json, channel: 'worker', sliceMs: 1, warmupMs: 1 },
      ...{ minRounds: 1, maxRounds: 1, seed: 1, variants: [variant, { ...variant, recipe: typed }] },
    }),
    files.inKeys({ type: 'schema', id: 5, recipes: [json, typed] }),
  ];
  assert.doesNotMatch(JSON.stringify(asked), new RegExp(SECRET));
  const bundled: string[] = [];
  const bundle = async ({ file, name }: { file: string; name: string }): Promise<PageModule> => {
    bundled.push(`${name} ${file}`);
    return { code: file, kind: 'esm', originalOf: () => null };
  };
  const keys = ['0', '1', '2', '3', '4', '5', '../1', ''];
  const codes = await Promise.all(
    keys.map(async (key) => (await files.moduleOf(key, bundle, '/'))?.code ?? null),
  );
  const data = keys.map((key) => files.fileOf(key));
  assert.deepEqual(codes, [
    null,
    `${SECRET}/a.ts`,
    null,
    `${SECRET}/mine.mjs`,
    `${SECRET}/a.json`,
    null,
    null,
    null,
  ]);
  assert.deepEqual(data, [null, null, `${SECRET}/a.json`, null, null, null, null, null]);
  await files.moduleOf('1', bundle, '/');
  assert.equal(bundled.length, 3);
});
