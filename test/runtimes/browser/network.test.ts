/** A run sends no packet beyond this machine and asks no resolver, from the start of a browser to its end. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { BrowserName } from '../../../src/model/names.ts';
import { envWith, missing, runtime } from '../../support/runtimes.ts';
import { sentPackets } from '../../support/sent-packets.ts';
import { usually } from '../../support/whole.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** No other call stops a process: it would at least double the time of the processor. */
const ONLY_TRACED = ['-f', '--seccomp-bpf'];

function withoutStrace(): string | false {
  try {
    execFileSync('strace', [...ONLY_TRACED, '-V'], { stdio: 'ignore' });
    return false;
  } catch {
    return 'strace 5.3 or later: not installed';
  }
}

const CALLS: [what: string, line: string, sent: boolean][] = [
  ['a question by UDP', '7 sendto(5<UDP:[10.0.0.2:5000->10.0.0.1:53]>, "..", 29, 0, NULL, 0) = 29', true],
  [
    'a UDP packet',
    '7 sendto(5<UDP:[1]>, "..", 9, 0, {sa_family=AF_INET, sin_port=htons(53), sin_addr=inet_addr("8.8.8.8")}, 16) = 9',
    true,
  ],
  [
    'a probe by UDP',
    '7 connect(5<UDP:[1]>, {sa_family=AF_INET, sin_port=htons(53), sin_addr=inet_addr("8.8.8.8")}, 16) = 0',
    false,
  ],
  [
    'a connection',
    '7 connect(5<TCP:[1]>, {sa_family=AF_INET, sin_port=htons(80), sin_addr=inet_addr("1.1.1.1")}, 16) = -1 EINPROGRESS (x)',
    true,
  ],
  [
    'one of IPv6',
    '7 connect(5<TCPv6:[1]>, {sa_family=AF_INET6, sin6_port=htons(80), inet_pton(AF_INET6, "2001:db8::1", &sin6_addr)}, 28) = 0',
    true,
  ],
  [
    'one to here',
    '7 connect(5<TCP:[1]>, {sa_family=AF_INET, sin_port=htons(80), sin_addr=inet_addr("127.0.0.3")}, 16) = 0',
    false,
  ],
  [
    'a resolver',
    '7 connect(5<UNIX:[1]>, {sa_family=AF_UNIX, sun_path="/var/run/nscd/socket"}, 110) = 0',
    true,
  ],
  [
    'no resolver',
    '7 connect(5<UNIX:[1]>, {sa_family=AF_UNIX, sun_path="/var/run/nscd/socket"}, 110) = -1 ENOENT (x)',
    false,
  ],
  [
    'the routes of the kernel',
    '7 sendmsg(26<NETLINK:[ROUTE:1]>, {msg_name={sa_family=AF_NETLINK}, msg_iov=[{dst=inet_addr("8.8.8.8")}]}, 0) = 36',
    false,
  ],
  ['its own processes', '7 sendmsg(5<UNIX-STREAM:[1->2]>, {msg_name=NULL}, 0) = 9', false],
];

for (const [what, line, sent] of CALLS) {
  test(`${what}: ${sent ? 'sent' : 'not sent'} beyond this machine`, () => {
    assert.deepEqual(sentPackets(line), sent ? [line] : []);
  });
}

for (const name of usually<BrowserName>(['chromium'], ['firefox', 'webkit'])) {
  test(`${name}: no packet beyond this machine, no question to a resolver`, {
    skip: withoutStrace() || missing(name),
  }, () => {
    const folder = mkdtempSync(join(tmpdir(), 'clone-prof-network-'));
    const trace = join(folder, 'trace');
    const run = [
      'bin/clone-prof.js',
      'analyze',
      'fixtures/orders.json',
      '-r',
      name,
      '--budget',
      '100ms',
      '--timeout',
      '120s',
    ];
    const calls = 'trace=connect,sendto,sendmsg,sendmmsg';
    const { status, stderr } = spawnSync(
      'strace',
      [...ONLY_TRACED, '-yy', '-e', calls, '-o', trace, process.execPath, ...run],
      {
        cwd: root,
        env: envWith(runtime(name)),
        encoding: 'utf8',
      },
    );
    const traced = readFileSync(trace, 'utf8');
    rmSync(folder, { recursive: true });
    assert.equal(status, 0, stderr);
    // The trace has seen the browser: it connects to the tool.
    assert.match(traced, /connect\(.*inet_addr\("127\.0\.0\.1"\)/);
    assert.deepEqual(sentPackets(traced), []);
  });
}
