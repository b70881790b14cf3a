import assert from 'node:assert/strict';
import { test } from 'node:test';
import { thrownText } from '../../../src/record/sites/sites.ts';
import { missing } from '../../support/runtimes.ts';
import { totalOf, withoutFrames } from '../tap/recorded.ts';
import { LONGEST_MS, openedSite, type RecordedSite, recordedSite, withSite } from './site.ts';

const skip = missing('chromium');

/** Nothing may be compiled from text. */
const POLICY = {
  'content-security-policy': "default-src 'self' blob: data:; script-src 'self' blob: data:",
};

const SAY = "const say = (...words) => fetch('/said?' + encodeURIComponent(words.join(' ')));";

const EVERYTHING = {
  '/': '<!doctype html><script type="module" src="/main.js"></script>',
  '/main.js': `${SAY}
    const module = new Worker('/module.js?secret=a1', { type: 'module' });
    const address = URL.createObjectURL(new Blob(['"use strict"; onmessage = ({ data }) => postMessage([data])']));
    const blob = new Worker(address);
    URL.revokeObjectURL(address);
    const sloppy = btoa('onmessage = function () { postMessage((function () { return !this; })()); }');
    const strict = '"use strict";' + atob(sloppy);
    for (const given of [';base64,' + sloppy, ',' + encodeURIComponent(strict)]) {
      const data = new Worker('data:text/javascript' + given);
      data.onmessage = (event) => told('data', strictly.push(event.data));
      data.postMessage(0);
    }
    const strictly = [];
    const once = new Worker('/once.js');
    once.onmessage = () => counts.once === 19 ? told('once', once.terminate()) : counts.once++;
    const shared = new SharedWorker('/shared.js');
    const { port1, port2 } = new MessageChannel();
    const counts = { module: 0, blob: 0, shared: 0, port: 0, frame: 0, data: 0, once: 0 };
    const expected = { module: 31, blob: 5, shared: 4, port: 3, frame: 2, data: 2, once: 20 };
    const told = (name) => {
      counts[name]++;
      if (Object.keys(expected).every((key) => counts[key] === expected[key])) finish();
    };
    module.onmessage = () => told('module');
    blob.addEventListener('message', () => told('blob'));
    shared.port.onmessage = () => told('shared');
    port2.addEventListener('message', () => told('port'));
    port2.start();
    addEventListener('message', ({ source }) => told(source === frames[0] ? 'frame' : 'itself'));
    document.body.append(Object.assign(document.createElement('iframe'), { src: '/frame.html' }));
    for (let i = 0; i < 30; i++) module.postMessage({ id: i, text: 'x'.repeat(100) });
    for (let i = 0; i < 5; i++) blob.postMessage('valued');
    for (let i = 0; i < 4; i++) shared.port.postMessage({ i });
    for (let i = 0; i < 3; i++) port1.postMessage(new Map([[i, 'value']]));
    const failure = (run) => {
      try { run(); } catch (error) { return error.name + ' ' + error.stack.replaceAll(location.origin, ''); }
    };
    async function finish() {
      structuredClone({ list: [1, 2] });
      await say(JSON.stringify(counts), strictly.sort());
      await say(failure(() => module.postMessage(() => 1)));
      await say(failure(() => new Worker('http://[')));
      await say(failure(() => postMessage({ get a() { throw new TypeError('own'); } }, '*')));
      await say(module.constructor === Worker, Worker.name, Worker.length, postMessage.length);
      await say(Object.keys(window).filter((key) => key.startsWith('_')), navigator.webdriver, setTimeout(() => {}));
      await say(Object.getOwnPropertyNames(window).length);
      await say('END');
    }`,
  '/frame.html': '<script src="/frame.js"></script>',
  '/once.js': 'for (let i = 0; i < 20; i++) postMessage({ i });',
  '/frame.js':
    "for (const from of [1, 2]) { const b = new ArrayBuffer(8); parent.postMessage({ from, b }, '*', [b]); }",
  '/module.js': `import { early } from '/early.js';
    const nested = new Worker('/nested.js');
    nested.postMessage('to nested');
    nested.onmessage = () => postMessage({ early });
    onmessage = ({ data }) => postMessage({ echo: data.id });`,
  '/early.js': "export const early = 'valued';",
  '/nested.js': "onmessage = () => postMessage({ nested: 'valued' });",
  '/shared.js':
    'onconnect = ({ ports: [port] }) => { port.onmessage = ({ data }) => port.postMessage({ back: data }); };',
};

/** "30 Worker.postMessage page -> worker module.js, received 30" */
const counted = ({ messages, isUntold }: RecordedSite): string[] => {
  const sums = new Map<string, [count: number, received: number | null]>();
  for (const { api, from, to, count, received } of messages) {
    const [all, arrived] = sums.get(`${api} ${from} -> ${to}`) ?? [0, 0];
    // On a busy machine a worker may not have told its end: that it got them all is not known then.
    const got = api === 'Worker.postMessage' && isUntold ? (received ?? count) : received;
    const sum = got === null || arrived === null ? null : arrived + got;
    sums.set(`${api} ${from} -> ${to}`, [all + count, sum]);
  }
  return [...sums].map(([what, [all, arrived]]) => `${all} ${what}, received ${arrived}`).sort();
};

const threw = ({ header: { thrown = [] } }: RecordedSite): string[] =>
  thrown.map((one) => thrownText(one).replace(/^.*?: /, '')).sort();

const ALL_COUNTED = [
  '1 self.postMessage worker nested.js -> worker module.js, received 1',
  '1 structuredClone page -> null, received null',
  '1 Worker.postMessage worker module.js -> worker nested.js, received 1',
  '2 window.postMessage window -> page, received 2',
  '3 MessagePort.postMessage page -> null, received null',
  '30 Worker.postMessage page -> worker module.js, received 30',
  '31 self.postMessage worker module.js -> page, received 31',
  '4 MessagePort.postMessage page -> shared worker shared.js, received null',
  '4 MessagePort.postMessage shared worker shared.js -> null, received null',
  '5 self.postMessage worker blob: -> page, received 5',
  '5 Worker.postMessage page -> worker blob:, received 5',
  '2 Worker.postMessage page -> worker data:, received 2',
  '2 self.postMessage worker data: -> page, received 2',
  '20 self.postMessage worker once.js -> page, received 20',
].sort();

const lineOf = (part: string): number =>
  EVERYTHING['/main.js'].split('\n').findIndex((line) => line.includes(part)) + 1;

test('a page prints the same, and all that it and its workers post is counted', { skip }, async () => {
  const bare = await withSite(EVERYTHING, POLICY, async (site) => {
    await openedSite(site);
    return site.said;
  });
  await withSite(EVERYTHING, POLICY, async (site) => {
    const recorded = await recordedSite(site);
    assert.deepEqual(site.said.map(withoutFrames), bare);
    assert.deepEqual(
      [recorded.end, recorded.gaps, recorded.header.gaps, recorded.header.runtime?.name],
      ['SIGINT', [], [], 'chromium'],
    );
    assert.deepEqual(counted(recorded), ALL_COUNTED);
    assert.deepEqual(threw(recorded), [
      '1 of 1 post threw DataCloneError: $ is a function',
      '1 of 1 post threw TypeError',
    ]);
    assert.ok(recorded.messages.every(({ estimated }) => !estimated));
    const toWindow = recorded.messages.find(({ api }) => api === 'window.postMessage');
    assert.equal(toWindow?.transfer?.listed, 2);
    const site1 = recorded.messages.find(({ count }) => count === 30)?.site.user;
    assert.deepEqual([site1?.file, site1?.line], ['main.js', lineOf('i < 30')]);
    assert.ok(!/secret|valued|x{20}/.test(recorded.written), 'a value was written');
  });
});

const view = (type: string, bytes: number) => ({
  ...{ is: 'view', type, bytes, offset: 0, on: { is: 'buffer', bytes, moved: true } },
});

/** Posted as { bytes, pixels, rest }: the first two have moved before they are looked at. */
const MOVED = {
  is: 'object',
  entries: [
    ['bytes', view('Uint8Array', 1000)],
    ['pixels', view('DataView', 40_000)],
    ['rest', { is: 'buffer', bytes: 77 }],
  ],
};

test('other origins, opened windows, service workers, Proxies and transfers', { skip }, async () => {
  const main = `${SAY}
    let traps = 0;
    const count = (name) => (...args) => (traps++, Reflect[name](...args));
    const names = Object.getOwnPropertyNames(Reflect);
    const proxy = new Proxy({ a: 1 }, Object.fromEntries(names.map((name) => [name, count(name)])));
    const worker = new Worker('/worker.js');
    const expected = new Set(['worker', 'unread', 'window', 'foreign', 'service']);
    const told = async (name) => {
      expected.delete(name);
      if (expected.size > 0) return;
      try { worker.postMessage({ proxy }); } catch (error) { await say(error.name, traps); }
      await say('END');
    };
    worker.onmessage = ({ data }) => told(data);
    RTCPeerConnection.generateCertificate({ name: 'ECDSA', namedCurve: 'P-256' })
      .then((certificate) => worker.postMessage({ certificate }));
    onmessage = ({ origin }) => told(origin === location.origin ? 'window' : 'foreign');
    const bytes = new Uint8Array(1000);
    const pixels = new DataView(new Float64Array(5000).buffer);
    const rest = new ArrayBuffer(77);
    worker.postMessage({ bytes, pixels, rest }, [bytes.buffer, pixels.buffer]);
    open('/window.html');
    const frame = document.createElement('iframe');
    frame.src = location.href.replace('127.0.0.1', 'localhost') + 'foreign.html';
    document.body.append(frame);
    // Says what a page that never ends waits for.
    setTimeout(() => say('missing: ' + [...expected]), ${LONGEST_MS - 5000});
    navigator.serviceWorker.register('/service.js');
    const loaded = new Promise((resolve) => addEventListener('load', resolve));
    Promise.all([navigator.serviceWorker.ready, loaded]).then(([{ active }]) => {
      const { port1, port2 } = new MessageChannel();
      port2.onmessage = () => told('service');
      active.postMessage('hello', [port1]);
    });`;
  const files = {
    '/': '<!doctype html><body><script src="/main.js"></script>',
    '/main.js': main,
    '/worker.js': 'onmessage = () => postMessage("worker"); onmessageerror = () => postMessage("unread");',
    '/window.html': '<script>opener.postMessage(1, "*")</script>',
    '/foreign.html': '<script>structuredClone(1); parent.postMessage(1, "*")</script>',
    '/service.js':
      'onmessage = ({ ports: [port], source }) => { port.postMessage(1); source.postMessage(2); }',
  };
  await withSite(files, {}, async (site) => {
    const recorded = await recordedSite(site);
    assert.deepEqual(site.said, ['DataCloneError 0', 'END']);
    // Nothing tells a Proxy, so it is not looked for.
    assert.deepEqual(threw(recorded), ['1 of 1 post threw DataCloneError']);
    const foreign = `iframe ${site.address.replace('127.0.0.1', 'localhost')}foreign.html`;
    assert.deepEqual(counted(recorded), [
      '1 Client.postMessage service worker service.js -> page, received null',
      '1 MessagePort.postMessage service worker service.js -> null, received null',
      '1 ServiceWorker.postMessage page -> service worker service.js, received null',
      `1 structuredClone ${foreign} -> null, received null`,
      '1 window.postMessage window -> page, received 1',
      '2 Worker.postMessage page -> worker worker.js, received 2',
      '2 self.postMessage worker worker.js -> page, received 2',
    ]);
    assert.deepEqual(recorded.header.unread, [{ thread: 'worker worker.js', count: 1 }]);
    const [posted] = recorded.messages.filter(({ api }) => api === 'Worker.postMessage');
    assert.deepEqual([posted!.transfer.listed, posted!.transfer.useless], [2, 0]);
    assert.deepEqual(posted!.sample, MOVED);
    const gaps = recorded.header.gaps.map(({ what, count }) => `${count} ${what}`).join();
    assert.match(gaps, /a document of another origin/);
    assert.doesNotMatch(gaps, /service worker/);
  });
});

/** That nothing is at an address is seen in cli/record-page. */
test('a page that never loads and a page with dialogs are recorded to the end', { skip }, async (t) => {
  await t.test('it never loads: the time ends the recording', () =>
    withSite({ '/': null }, {}, async (site) => {
      const { end, messages, header } = await recordedSite(site, { forMs: 1500 });
      assert.deepEqual([end, messages, header.threads], ['time', [], 0]);
    }),
  );
  await t.test('a dialog does not stop it, and it is left in spite of what it asks', () => {
    const main = `${SAY} onbeforeunload = (event) => { event.preventDefault(); }; alert('stop'); structuredClone(1); say('END');`;
    return withSite({ '/': '<script src="/main.js"></script>', '/main.js': main }, {}, async (site) => {
      const { messages } = await recordedSite(site);
      assert.equal(totalOf(messages, 'structuredClone'), 1);
    });
  });
});
