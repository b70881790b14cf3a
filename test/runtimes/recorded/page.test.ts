import assert from 'node:assert/strict';
import { test } from 'node:test';
import { missing } from '../../support/runtimes.ts';
import { totalOf } from '../../tap/recorded.ts';
import { ALL_COUNTED, counted, EVERYTHING, lineOf, POLICY, SAY, threw } from './everything.ts';
import { openedSite, recordedSite, withSite } from './site.ts';

const skip = missing('chromium');

test('a page prints the same, and all that it and its workers post is counted', { skip }, async () => {
  const bare = await withSite(EVERYTHING, POLICY, async (site) => {
    await openedSite(site);
    return site.said;
  });
  await withSite(EVERYTHING, POLICY, async (site) => {
    const recorded = await recordedSite(site);
    assert.deepEqual(site.said, bare);
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
    const site1 = recorded.messages.find(({ count }) => count === 30)?.site.user;
    assert.deepEqual([site1?.file, site1?.line], ['main.js', lineOf('i < 30')]);
    assert.ok(!/secret|valued|x{20}/.test(recorded.written), 'a value was written');
  });
});

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
    worker.postMessage({ bytes }, [bytes.buffer]);
    open('/window.html');
    const frame = document.createElement('iframe');
    frame.src = location.href.replace('127.0.0.1', 'localhost') + 'foreign.html';
    document.body.append(frame);
    navigator.serviceWorker.register('/service.js');
    navigator.serviceWorker.ready.then(({ active }) => {
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
      'onmessage = ({ ports: [port], source }) => { source.postMessage(2); port.postMessage(1); }',
  };
  await withSite(files, {}, async (site) => {
    const recorded = await recordedSite(site);
    assert.deepEqual(site.said, ['DataCloneError 0', 'END']);
    // Nothing tells a Proxy, so it is not looked for.
    assert.deepEqual(threw(recorded), ['1 of 1 post threw DataCloneError']);
    const foreign = `iframe ${site.address.replace('127.0.0.1', 'localhost')}foreign.html`;
    assert.deepEqual(counted(recorded), [
      '1 MessagePort.postMessage service worker service.js -> null, received 1',
      `1 structuredClone ${foreign} -> null, received null`,
      '1 window.postMessage window -> page, received 1',
      '2 Worker.postMessage page -> worker worker.js, received 2',
      '2 self.postMessage worker worker.js -> page, received 2',
    ]);
    assert.deepEqual(recorded.unread, [{ thread: 'worker worker.js', count: 1 }]);
    const [posted] = recorded.messages.filter(({ api }) => api === 'Worker.postMessage');
    assert.deepEqual([posted!.transfer.listed, posted!.transfer.useless], [1, 0]);
    const gaps = recorded.header.gaps.map(({ what, count }) => `${count} ${what}`).join();
    assert.match(gaps, /a document of another origin/);
    assert.match(gaps, /2 Messages to or from a service worker/);
  });
});

/** That nothing is at an address is seen in cli/record-page. */
test('what the page is, and where it ends', { skip }, async (t) => {
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
