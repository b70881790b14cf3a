import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readThread } from '../../../src/record/files/thread-files.ts';
import { addressOf } from '../../../src/record/tap/messages/log.ts';
import { ThreadNames } from '../../../src/record/threads/thread-names.ts';

const ROOT = 'http://localhost:5173/';

const read = (thread: number, kind: string | undefined, file: string | null) => {
  const runtime = { name: 'chromium', version: '143' };
  const started = { record: 'thread', pid: 1, thread, parent: null, kind, runtime, file, at: 1 };
  return readThread({ pid: 1, thread, lines: JSON.stringify(started), counters: null });
};

const ROWS: [kind: string | undefined, file: string | null, name: string][] = [
  ['page', ROOT, 'page'],
  ['page', `${ROOT}app/`, 'page app/'],
  ['iframe', 'http://other/ad.html', 'iframe http://other/ad.html'],
  ['iframe', 'about:srcdoc', 'iframe about:srcdoc'],
  ['shared worker', `${ROOT}s.js`, 'shared worker s.js'],
  ['service worker', null, 'service worker'],
  [undefined, `${ROOT}w.js`, 'worker w.js'],
  [undefined, 'blob:', 'worker blob:'],
];

for (const [kind, file, name] of ROWS) {
  test(`a thread of a page: ${name}`, () => {
    const thread = read(1, kind, file);
    assert.equal(new ThreadNames([thread], ROOT, (frame) => frame).of(thread), name);
  });
}

test('the receiver of a message from a page is named by its kind and address', () => {
  const page = read(1, 'page', ROOT);
  const names = new ThreadNames([page], ROOT, (frame) => frame);
  assert.equal(names.receiver(page, 'self'), 'page');
  assert.equal(names.receiver(page, `shared worker ${ROOT}s.js`), 'shared worker s.js');
  assert.equal(names.receiver(page, `service worker ${ROOT}sw.js`), 'service worker sw.js');
  assert.equal(names.receiver(page, `page ${ROOT}`), 'page');
  assert.equal(names.receiver(page, 'iframe http://other/ad.html'), 'iframe http://other/ad.html');
  assert.equal(names.receiver(page, `worker ${ROOT}w.js`), 'worker w.js');
  assert.equal(names.relative(ROOT), '/');
});

test('an unknown kind makes a record unreadable', () => {
  assert.equal(read(1, 'tab', ROOT).unreadable, 1);
});

const ADDRESSES: [url: string, address: string][] = [
  ['http://localhost:5173/src/main.ts?t=173#top', 'http://localhost:5173/src/main.ts'],
  ['http://localhost/#/route?user=7', 'http://localhost/'],
  ['blob:http://localhost/7f2c', 'blob:'],
  ['data:text/javascript,postMessage("secret")', 'data:'],
  ['about:srcdoc', 'about:srcdoc'],
  ['', ''],
];

for (const [url, address] of ADDRESSES) test(`address: ${url}`, () => assert.equal(addressOf(url), address));
