import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressOf } from '../../../src/record/threads/address.ts';

const ROWS: [url: string, address: string][] = [
  ['http://localhost:5173/src/main.ts?t=173#top', 'http://localhost:5173/src/main.ts'],
  ['http://localhost/#/route?user=7', 'http://localhost/'],
  ['blob:http://localhost/7f2c', 'blob:'],
  ['data:text/javascript,postMessage("secret")', 'data:'],
  ['about:srcdoc', 'about:srcdoc'],
  ['', ''],
];

for (const [url, address] of ROWS) test(`address: ${url}`, () => assert.equal(addressOf(url), address));
