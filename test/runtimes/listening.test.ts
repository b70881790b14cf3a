import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { server } from '../../src/runtimes/browser/pages/page-server.ts';
import { PageSession } from '../../src/runtimes/browser/pages/page-session.ts';
import { listenOn } from '../../src/runtimes/guests/start-guest.ts';
import { isToolError } from '../support/tool-errors.ts';

// TEST-NET-3: no machine has this address.
const HOST = '203.0.113.77';
const refused = isToolError(
  'port-unavailable',
  /^no port of 203\.0\.113\.77 can be opened \(.*EADDRNOTAVAIL.*\)\. Runtimes connect to it: allow /,
);

// A rejection that nobody handles fails a test of node:test.
test('a server that cannot listen is an error for its caller, and the next page tries again', async () => {
  await assert.rejects(listenOn(createServer(), HOST), refused);
  const session = new PageSession(HOST);
  const first = server.open(session);
  server.close(session);
  await assert.rejects(first, refused);
  await assert.rejects(server.open(session), refused);
  server.close(session);
});
