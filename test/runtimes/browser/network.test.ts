/** A run sends no packet beyond this machine and asks no resolver, from the start of a browser to its end. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { BrowserName } from '../../../src/model/names.ts';
import { throws } from '../../../src/model/or-else.ts';
import { envWith, missing, runtime } from '../../support/runtimes.ts';
import { sentPackets } from '../../support/sent-packets.ts';
import { ROOT } from '../../support/spawn-cli.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { usually } from '../../support/whole.ts';

/** No other call stops a process: it would at least double the time of the processor. */
const ONLY_TRACED = ['-f', '--seccomp-bpf'];

const withoutStrace = (): string | false =>
  throws(() => execFileSync('strace', [...ONLY_TRACED, '-V'], { stdio: 'ignore' })) &&
  'strace 5.3 or later: not installed';

/** An address as strace writes it. */
const inet = (port: number, ip: string) =>
  `{sa_family=AF_INET, sin_port=htons(${port}), sin_addr=inet_addr("${ip}")}, 16)`;
const RESOLVER = '7 connect(5<UNIX:[1]>, {sa_family=AF_UNIX, sun_path="/var/run/nscd/socket"}, 110)';
const ROUTES = '{msg_name={sa_family=AF_NETLINK}, msg_iov=[{dst=inet_addr("8.8.8.8")}]}, 0)';

const UNFINISHED = `${RESOLVER} <unfinished ...>\n8 sendto(9<UNIX:[3->4]>, "..", 2, 0, NULL, 0) = 2\n7  <... connect resumed>)`;

const CALLS: [what: string, lines: string, sent: boolean][] = [
  ['a question by UDP', '7 sendto(5<UDP:[10.0.0.2:5000->10.0.0.1:53]>, "..", 29, 0, NULL, 0) = 29', true],
  ['a connection', `7 connect(5<TCP:[1]>, ${inet(80, '1.1.1.1')} = -1 EINPROGRESS (x)`, true],
  ['one to here', `7 connect(5<TCP:[1]>, ${inet(80, '127.0.0.3')} = 0`, false],
  ['a resolver', `${RESOLVER} = 0`, true],
  ['one that is not there, while another thread calls', `${UNFINISHED} = -1 ENOENT (x)`, false],
  ['one that is there, while another thread calls', `${UNFINISHED} = 0`, true],
  ['a call that never returns', `7 connect(5<TCP:[1]>, ${inet(80, '1.1.1.1')} <unfinished ...>`, true],
  ['the routes of the kernel', `7 sendmsg(26<NETLINK:[ROUTE:1]>, ${ROUTES} = 36`, false],
  ['its own processes', '7 sendmsg(5<UNIX-STREAM:[1->2]>, {msg_name=NULL}, 0) = 9', false],
];

test('calls that send beyond this machine are told from others', () => {
  for (const [what, lines, sent] of CALLS) assert.equal(sentPackets(lines).length, sent ? 1 : 0, what);
});

for (const name of usually<BrowserName>(['chromium'], ['firefox', 'webkit'])) {
  test(`${name}: no packet beyond this machine, no question to a resolver`, {
    skip: withoutStrace() || missing(name),
  }, () => {
    const trace = join(tempFolder('network'), 'trace');
    const calls = ['-e', 'trace=connect,sendto,sendmsg,sendmmsg', '-o', trace];
    const limits = ['-r', name, '--budget', '100ms', '--timeout', '120s'];
    const run = [process.execPath, 'bin/clone-prof.js', 'analyze', 'fixtures/orders.json', ...limits];
    const options = { cwd: ROOT, env: envWith(runtime(name)), encoding: 'utf8' } as const;
    const { status, stderr } = spawnSync('strace', [...ONLY_TRACED, '-yy', ...calls, ...run], options);
    const traced = readFileSync(trace, 'utf8');
    assert.equal(status, 0, stderr);
    // The trace has seen the browser: it connects to the tool.
    assert.match(traced, /connect\(.*inet_addr\("127\.0\.0\.1"\)/);
    assert.deepEqual(sentPackets(traced), []);
  });
}
