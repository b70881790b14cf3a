import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { test } from 'node:test';
import { LoopbackServer } from '../../src/runtimes/loopback-server.ts';
import { isToolError } from '../support/tool-errors.ts';

// A rejection that nobody handles fails a test of node:test.
test('a server that cannot listen is an error for its caller, and the next call tries again', async () => {
  let made = 0;
  const server = new LoopbackServer(() => {
    made++;
    return createServer();
    // TEST-NET-3: no machine has this address.
  }, '203.0.113.77');
  const first = server.port();
  server.close();
  const refused = isToolError(
    'port-unavailable',
    /^no port of 203\.0\.113\.77 can be opened \(.*EADDRNOTAVAIL.*\)\. Runtimes connect to it: allow /,
  );
  await assert.rejects(first, refused);
  await assert.rejects(server.port(), refused);
  assert.equal(made, 2);
});

test('it listens until it is closed, and again afterwards', async () => {
  const server = new LoopbackServer(() => createServer());
  for (const _ of ['first', 'second']) {
    const port = await server.port();
    assert.equal(await server.port(), port);
    const socket = connect({ host: '127.0.0.1', port });
    await once(socket, 'connect');
    socket.destroy();
    server.close();
  }
});
