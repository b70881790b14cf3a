import assert from 'node:assert/strict';
import { test } from 'node:test';
import { thrownText } from '../../../src/record/sites/sites.ts';
import { programsIn } from '../../support/programs.ts';
import { missing } from '../../support/runtimes.ts';
import { totalOf, withoutFrames } from '../tap/recorded.ts';
import { openedSite, type RecordedSite, recordedSite, withSite } from './site.ts';

const skip = missing('chromium');

/** Nothing may be compiled from text. */
const POLICY = {
  'content-security-policy': "default-src 'self' blob: data:; script-src 'self' blob: data:",
};

const SAY = "const say = (...words) => fetch('/said?' + encodeURIComponent(words.join(' ')));";

const page = programsIn(new URL('./pages.md', import.meta.url));
const EVERYTHING = page('all that a page posts');

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

const threw = ({ thrown }: RecordedSite): string[] =>
  thrown.map((one) => thrownText(one).replace(/^.*?: /, '')).sort();

/** Of what it posts, by whom and to whom. */
const ALL_COUNTED = [
  '1 self.postMessage worker nested.js -> worker module.js, received 1',
  '1 structuredClone page -> null, received null',
  '1 Worker.postMessage worker module.js -> worker nested.js, received 1',
  '2 window.postMessage window -> page, received 2',
  '3 MessagePort.postMessage page -> null, received 3',
  '30 Worker.postMessage page -> worker module.js, received 30',
  '31 self.postMessage worker module.js -> page, received 31',
  '4 MessagePort.postMessage page -> shared worker shared.js, received 4',
  '4 MessagePort.postMessage shared worker shared.js -> null, received 4',
  '5 self.postMessage worker blob: -> page, received 5',
  '5 Worker.postMessage page -> worker blob:, received 5',
  '2 Worker.postMessage page -> worker data:, received 2',
  '2 self.postMessage worker data: -> page, received 2',
  '20 self.postMessage worker once.js -> page, received 20',
].sort();

/** Of the page's script. */
const lineOf = (part: string): number =>
  EVERYTHING['/main.js']!.split('\n').findIndex((line) => line.includes(part)) + 1;

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
  const files = page('other origins, opened windows and service workers');
  await withSite(files, {}, async (site) => {
    const recorded = await recordedSite(site);
    assert.deepEqual(site.said, ['DataCloneError 0', 'END']);
    // Nothing tells a Proxy, so it is not looked for.
    assert.deepEqual(threw(recorded), ['1 of 1 post threw DataCloneError']);
    const foreign = `iframe ${site.address.replace('127.0.0.1', 'localhost')}foreign.html`;
    assert.deepEqual(counted(recorded), [
      '1 Client.postMessage service worker service.js -> page, received null',
      '1 MessagePort.postMessage service worker service.js -> null, received 1',
      '1 ServiceWorker.postMessage page -> service worker service.js, received null',
      `1 structuredClone ${foreign} -> null, received null`,
      '1 window.postMessage window -> page, received 1',
      '2 Worker.postMessage page -> worker worker.js, received 2',
      '2 self.postMessage worker worker.js -> page, received 2',
    ]);
    assert.deepEqual(recorded.unread, [{ thread: 'worker worker.js', count: 1 }]);
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
