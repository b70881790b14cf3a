import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { Duplex } from 'node:stream';
import { test } from 'node:test';
import { acceptSocket } from '../../../src/runtimes/recorded/page/proxied/web-socket.ts';

/** A masked frame, as a browser sends it. */
function frame(first: number, text: string): Buffer {
  const bytes = Buffer.from(text);
  const { length } = bytes;
  const size = length < 126 ? [0x80 | length] : [0xfe, length >> 8, length & 255];
  const mask = [1, 2, 3, 4];
  return Buffer.from([first, ...size, ...mask, ...bytes.map((byte, i) => byte ^ mask[i & 3]!)]);
}

const LONG = 'ä'.repeat(300);
const ROWS: [what: string, sent: Buffer[], heard: string[], end: 'open' | 'closed' | 'answered'][] = [
  ['texts, of two lengths', [frame(0x81, 'one'), frame(0x81, LONG)], ['one', LONG], 'open'],
  [
    'a text in two frames, a ping between',
    [frame(1, 'on'), frame(0x89, ''), frame(0x80, 'e')],
    ['one'],
    'open',
  ],
  ['a close', [frame(0x88, '\x03\xe8')], [], 'answered'],
  ['bytes', [frame(0x82, 'one')], [], 'closed'],
  ['no mask', [Buffer.from([0x81, 1, 65])], [], 'closed'],
  ['a length of 4 GB', [Buffer.from([0x81, 0xff, 0, 0, 0, 1, 0, 0, 0, 0, 1, 2, 3, 4])], [], 'closed'],
];

const HEADERS = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
};

for (const [what, sent, heard, end] of ROWS) {
  for (const size of [1, 1e6]) {
    test(`${what}, in parts of ${size} bytes at most`, async () => {
      const written: Buffer[] = [];
      const socket = new Duplex({
        read: () => undefined,
        write: (part: Buffer, _, done) => done(void written.push(part)),
      });
      const texts: string[] = [];
      let opened = 0;
      const request = { method: 'GET', headers: HEADERS } as unknown as IncomingMessage;
      const onText = (text: string) => void texts.push(text);
      acceptSocket(request, socket, Buffer.alloc(0), { onText, onOpen: () => opened++ });
      assert.equal(opened, 1);
      // RFC 6455, 1.3.
      assert.match(String(written[0]), /Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK\+xOo=\r\n\r\n$/);
      const all = Buffer.concat(sent);
      for (let at = 0; at < all.length; at += size) socket.push(all.subarray(at, at + size));
      for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
      assert.deepEqual(texts, heard);
      assert.equal(socket.destroyed, end !== 'open');
      if (end === 'answered') assert.equal(written[1]?.[0], 0x88);
    });
  }
}

test('a request that no browser makes opens nothing', () => {
  const written: Buffer[] = [];
  const socket = new Duplex({
    read: () => undefined,
    write: (part: Buffer, _, done) => done(void written.push(part)),
  });
  const request = {
    method: 'GET',
    headers: { ...HEADERS, 'sec-websocket-key': 'x' },
  } as unknown as IncomingMessage;
  acceptSocket(request, socket, Buffer.alloc(0), { onText: assert.fail, onOpen: () => assert.fail() });
  assert.match(String(written[0]), /^HTTP\/1\.1 400 /);
});
