/** The proxy that pages of Firefox and WebKit come through, asked without a browser. */
import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { FoundRuntime } from '../../../src/model/run/runtime.ts';
import { PageThreads } from '../../../src/runtimes/recorded/page/page-threads.ts';
import { PageProxy } from '../../../src/runtimes/recorded/page/proxied/page-proxy.ts';
import { Realms } from '../../../src/runtimes/recorded/page/proxied/realms.ts';
import { project } from '../../support/temp-project.ts';

type Answer = { headers?: Record<string, string>; body?: string | Buffer; status?: number };

const HTML = { 'content-type': 'text/html' };
const FIREFOX: FoundRuntime = {
  ...{ name: 'firefox', version: '153', engine: 'spidermonkey', spec: 'firefox@153', binary: '', from: '' },
};

async function proxied(t: TestContext, answers: Record<string, Answer>) {
  const { workdir } = await project(t);
  const asked: string[] = [];
  const server = createServer((incoming, response) => {
    asked.push(`${incoming.method} ${incoming.url} ${incoming.headers['if-none-match'] ?? ''}`.trim());
    const { status = 200, headers = {}, body = '' } = answers[incoming.url!.split('?')[0]!]!;
    response.writeHead(status, headers).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const site = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const threads = new PageThreads(workdir, FIREFOX);
  const settings = { doctor: false, values: false, mask: false, startedAt: 0, salt: '' };
  const realms = new Realms({ threads, script: 'SCRIPT', settings }, FIREFOX, true);
  const proxy = new PageProxy(realms);
  const port = await proxy.open();
  t.after(() => {
    proxy.close();
    server.closeAllConnections();
    server.close();
  });
  const get = (path: string, headers: Record<string, string> = {}) =>
    new Promise<{ status: number; headers: IncomingMessage['headers']; text: string }>((resolve, reject) => {
      const sent = request({
        host: '127.0.0.1',
        port,
        path,
        headers: { host: site, ...headers },
        agent: false,
      });
      sent.on('error', reject).on('response', (answer) => {
        const parts: Buffer[] = [];
        answer.on('data', (part: Buffer) => parts.push(part));
        answer.on('end', () =>
          resolve({
            status: answer.statusCode!,
            headers: answer.headers,
            text: Buffer.concat(parts).toString(),
          }),
        );
      });
      sent.end();
    });
  return { get, site, port, realms, threads, proxy, asked };
}

const DOCUMENT = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', 'if-none-match': 'x' };
const WORKER = { 'sec-fetch-mode': 'same-origin', 'sec-fetch-dest': 'worker' };
const SCRIPT = /<script src="(\/clone-prof:recorder\/[0-9a-f]{32}\/\d+\.js)" nonce="[0-9a-f]+"><\/script>/;

test('documents get the recorder, all else passes as it is', async (t) => {
  const page = '<!doctype html><meta charset=koi8-r><p>\xe4';
  const utf16 = Buffer.from('\ufeff<p>', 'utf16le');
  const { get, site, threads, asked } = await proxied(t, {
    '/': { headers: { ...HTML, 'content-security-policy': "script-src 'self'" }, body: page },
    '/gzip': { headers: { ...HTML, 'content-encoding': 'gzip' }, body: gzipSync(page) },
    '/br': { headers: { ...HTML, 'content-encoding': 'br' }, body: brotliCompressSync(page), status: 404 },
    '/odd': { headers: { ...HTML, 'content-encoding': 'compress' }, body: 'odd' },
    '/utf16': { headers: HTML, body: utf16 },
    '/image': { headers: { 'content-type': 'image/png' }, body: 'png' },
    '/away': { headers: { ...HTML, location: 'https://a/' }, status: 302 },
  });
  const whole = (path: string) => `http://${site}${path}`;
  for (const path of ['/', '/gzip', '/br']) {
    const { status, headers, text } = await get(whole(path), DOCUMENT);
    assert.equal(status, path === '/br' ? 404 : 200);
    assert.equal(text.replace(SCRIPT, ''), page);
    assert.deepEqual([headers['content-encoding'], headers['content-length']], [undefined, undefined]);
    assert.deepEqual(
      [headers['content-type'], headers.vary],
      ['text/html; charset=koi8-r', 'Sec-Fetch-Dest'],
    );
    const recorder = await get(whole(SCRIPT.exec(text)![1]!));
    assert.match(
      recorder.text,
      /^\(\(\) => \{ SCRIPT\nrecorder\.connect\(\{.*"worker":null,.*"parent":null,/,
    );
    const policy = headers['content-security-policy'];
    if (path === '/')
      assert.match(String(policy), /^script-src 'self' http:\/\/127\.0\.0\.1:\d+\/clone-prof:rec/);
  }
  assert.deepEqual((await get(whole('/'), { accept: 'text/css' })).text, page, 'no document was asked for');
  assert.equal((await get(whole('/image'), DOCUMENT)).text, 'png');
  assert.equal((await get(whole('/odd'), DOCUMENT)).text, 'odd');
  assert.equal((await get(whole('/utf16'), DOCUMENT)).text, utf16.toString());
  assert.equal((await get(whole('/away'), DOCUMENT)).status, 302);
  assert.deepEqual(
    threads.gaps.map(({ count }) => count),
    [2, 1],
  );
  assert.ok(
    asked.every((one) => !one.endsWith('x')),
    'nothing is answered by what the browser has',
  );
});

test('workers get it in front of their scripts, as what the page has said they are', async (t) => {
  const { get, site, realms } = await proxied(t, {
    '/': { headers: HTML },
    '/worker.js': { body: 'postMessage(1)' },
    '/imports.js': { body: 'import "./a.js"' },
  });
  await get(`http://${site}/`, DOCUMENT);
  const say = realms.listener(`${realms.folder}0/1.5`)!;
  say('0 s{"kind":"page","file":"http://a/","at":1}');
  const load = async (path: string) => (await get(`http://${site}${path}`, WORKER)).text;
  const said = load('/worker.js?a=1');
  say(`1 n["http://${site}/worker.js","module"]`);
  assert.match(await said, /^import "\/clone-prof:recorder\/\w+\/1\.js";postMessage\(1\)$/);
  const again = load('/worker.js');
  assert.match(await again, /^import "/, 'asked again');
  say(`2 n["http://${site}/worker.js","classic"]`);
  assert.match(await load('/worker.js'), /^import/);
  assert.match(
    await load('/worker.js'),
    /^try\{importScripts\("\/clone-prof:recorder\/\w+\/\d+\.js"\)\}catch\{\}post/,
  );
  assert.match(await load('/imports.js'), /^import "\/clone-prof:recorder/, 'nobody has said anything');
  const module = { 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'worker' };
  assert.equal(
    (await get(`http://${site}/imports.js`, module)).text,
    'import "./a.js"',
    'imported by a worker',
  );
});

test('what a page has said of a worker is waited for until its socket is open', async (t) => {
  const worker = { '/worker.js': { body: 'postMessage(1)' } };
  const [opening, open] = await Promise.all([
    proxied(t, { '/': { headers: HTML }, ...worker }),
    proxied(t, worker),
  ]);
  const { text } = await opening.get(`http://${opening.site}/`, DOCUMENT);
  await opening.get(`http://${opening.site}${SCRIPT.exec(text)![1]!}`);
  const said = opening.get(`http://${opening.site}/worker.js`, WORKER);
  // Where nothing is about to be said it is answered without it.
  assert.match((await open.get(`http://${open.site}/worker.js`, WORKER)).text, /^try\{/);
  const say = opening.realms.listener(`${opening.realms.folder}0/1.5`)!;
  say('0 s{"kind":"page","file":"http://a/","at":1}');
  say(`1 n["http://${opening.site}/worker.js","module"]`);
  assert.match((await said).text, /^import "/);
});

test('what comes twice counts once; a worker is passed on by its parent alone', async (t) => {
  const { get, site, realms, threads } = await proxied(t, {
    '/': { headers: HTML },
    '/w.js': { body: 'import "a"' },
  });
  await get(`http://${site}/`, DOCUMENT);
  const [page, other] = ['0/1', '0/2'].map((path) => realms.listener(realms.folder + path)!);
  page!('0 s{"kind":"page","file":"http://a/","at":1}');
  page!(`1 n["http://${site}/w.js","module"]`);
  await get(`http://${site}/w.js`, WORKER);
  page!('2 p1 7.5 0 s{"file":"http://a/w.js","at":1}');
  page!('3 p1 7.5 1 r{"record":"gap","what":"once"}');
  const worker = realms.listener(`${realms.folder}1/7.5`)!;
  worker('0 s{"file":"http://a/w.js","at":1}');
  worker('1 r{"record":"gap","what":"once"}');
  worker('2 r{"record":"gap","what":"twice"}');
  assert.deepEqual([threads.hasStarted('1'), threads.gaps], [true, []]);
  for (const text of ['', 'x', '0', '1 p0 1 0 s{}', '2 p9 1 0 s{}', '3 z']) other!(text);
  assert.deepEqual(
    threads.gaps.map(({ count }) => count),
    [6],
  );
  assert.equal(realms.listener(`${realms.folder}9/1`), null);
});

test('nobody else is answered, and what is not http passes through', async (t) => {
  const { get, site, port, realms, proxy } = await proxied(t, { '/': { body: 'tunnel' } });
  for (const path of ['/', '/clone-prof:recorder/', `http://127.0.0.1:${port}/`, 'ftp://a/'])
    assert.equal((await get(path)).status, 404, path);
  assert.equal((await get(`${realms.folder}0.js`)).status, 404, 'another host');
  assert.equal((await get(`${realms.folder}7.js`, { host: `127.0.0.1:${port}` })).status, 404);
  const unreachable = new Promise((resolve) => (proxy.onUnreachable = resolve));
  await assert.rejects(get('http://127.0.0.1:1/', DOCUMENT), { code: 'ECONNRESET' });
  assert.equal(await unreachable, 'ECONNREFUSED');
  const spoken = (text: string) =>
    new Promise<string>((resolve) => {
      let heard = '';
      const socket = connect(port, '127.0.0.1', () => socket.write(text));
      socket.on('data', (part) => (heard += part.toString())).on('close', () => resolve(heard));
    });
  const asked = `GET / HTTP/1.1\r\nHost: ${site}\r\nConnection: close\r\n\r\n`;
  assert.match(
    await spoken(`CONNECT ${site} HTTP/1.1\r\nHost: ${site}\r\n\r\n${asked}`),
    /^HTTP\/1\.1 200[\s\S]*\r\ntunnel\r\n/,
  );
  const upgrade = `GET ws://127.0.0.1:${port}${realms.folder}0/1 HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`;
  assert.equal(await spoken(upgrade), '', 'a document that does not exist');
});
