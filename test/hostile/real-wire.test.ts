/** Modules that use the connection of their guest: their run fails alone, and the host's memory stays small. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { usually } from '../support/whole.ts';
import { type HostileCase, testHostile, testHostileGuests } from './corpus.ts';

/** The way that needs no API of the runtime: the file descriptor of the socket. */
const BY_DESCRIPTOR = `
import fs from 'node:fs';
const sockets = fs.readdirSync('/proc/self/fd').filter((fd) => {
  try { return fs.readlinkSync('/proc/self/fd/' + fd).startsWith('socket:'); } catch { return false; }
});
const put = (text) => { for (const fd of sockets) try { fs.writeSync(Number(fd), text); } catch {} };
`;
const BY_HANDLE = `
const put = (text) => { for (const one of process._getActiveHandles()) one.write?.(text); };
`;
const UNREQUESTED = `JSON.stringify({ type: 'opened', id: 99, payloads: [], notes: [] }) + '\\n'`;
const WAITS = '\nexport const v = await new Promise((done) => setTimeout(done, 500, [1]));\n';

const LIES = {
  'a stray line': `put('x\\n');`,
  'the line null': `put('null\\n');`,
  'an answer to no request': `put(${UNREQUESTED});`,
  'an answer of another type': `put('{"type":"sample","id":1,"json":"{}"}\\n');`,
};
const USUAL_LIES = usually<keyof typeof LIES>(
  ['a stray line', 'an answer to no request'],
  ['the line null', 'an answer of another type'],
);
const LIES_ELSEWHERE = usually(USUAL_LIES.slice(1), USUAL_LIES.slice(0, 1));
const REASON = /bad\.mjs: its process sent an invalid reply/;
const GOOD = { 'good.json': '{"a": 1}' };
const FAILED: Pick<HostileCase, 'exit' | 'stderr' | 'mostLines' | 'stdout'> = {
  exit: 3,
  stderr: [],
  mostLines: 4,
  stdout: new RegExp(`${REASON.source}[\\s\\S]*good\\.json · `),
};
const env = { COLUMNS: '240' };
const onLinux = process.platform === 'linux';
const analyze = (runtime: string) =>
  ['analyze', 'bad.mjs', 'good.json', '--no-measure', '-r', runtime, '--timeout', '60s'] as const;

/** Each in a module of its own, which ends its guest: the next ones have another. */
const lies = (names: readonly (keyof typeof LIES)[], put: string, runtime: string): HostileCase => {
  const bad = names.map((_, i) => `bad${i}.mjs`);
  const reasons = bad.map((name) => `${name}: its process sent an invalid reply[\\s\\S]*`).join('');
  return {
    name: `${runtime}: ${names.join(', ')}`,
    files: {
      ...GOOD,
      ...Object.fromEntries(names.map((name, i) => [`bad${i}.mjs`, put + LIES[name] + WAITS])),
    },
    args: ['analyze', ...bad, 'good.json', '--no-measure', '-r', runtime, '--timeout', '60s'],
    env,
    ...FAILED,
    mostLines: 3 + names.length,
    stdout: new RegExp(`${reasons}good\\.json · `),
  };
};

testHostileGuests('wire', [
  lies(USUAL_LIES, BY_HANDLE, 'node'),
  ...(['bun@1.4.5', 'deno@2.9.6'] as const)
    .filter((spec) => onLinux || spec !== 'bun@1.4.5')
    .map(
      (spec): HostileCase => ({
        ...lies(LIES_ELSEWHERE, spec === 'bun@1.4.5' ? BY_DESCRIPTOR : BY_HANDLE, `<${spec}>`),
        needs: [spec],
      }),
    ),
]);

/** Writes the peak of the host's memory, in kB, when it ends. */
const PEAK = `
import { writeFileSync } from 'node:fs';
if (process.argv[1]?.endsWith('clone-prof.js'))
  process.on('exit', () => writeFileSync('peak', String(process.resourceUsage().maxRSS)));
`;
const MAX_KB = 150_000;
const measured = {
  env: { ...env, NODE_OPTIONS: '--import=<folder>/peak.mjs' },
  also: (_: unknown, folder: string) => {
    const kb = Number(readFileSync(join(folder, 'peak'), 'utf8'));
    assert.ok(kb > 1000 && kb < MAX_KB, `the host took ${kb} kB`);
  },
};

const ENDLESS: HostileCase[] = [
  {
    name: 'an endless line, in large pieces',
    files: {
      ...GOOD,
      'peak.mjs': PEAK,
      'bad.mjs': `
const piece = Buffer.alloc(1 << 20, 'y');
for (const one of process._getActiveHandles()) if (one.remotePort) {
  const more = () => { while (one.write(piece)); one.once('drain', more); };
  more();
}
export const v = await new Promise(() => {});`,
    },
    args: analyze('node'),
    ...FAILED,
    stdout: /a line of more than 33,554,432 bytes[\s\S]*good\.json · /,
    ...measured,
  },
  {
    name: 'an endless line, in pieces of one byte',
    files: {
      ...GOOD,
      'peak.mjs': PEAK,
      'bad.mjs': `
for (const one of process._getActiveHandles()) if (one.remotePort) {
  const more = () => { for (let i = 0; i < 100; i++) one.write('y'); setImmediate(more); };
  more();
}
export const v = await new Promise(() => {});`,
    },
    args: ['analyze', 'bad.mjs', 'good.json', '--no-measure', '-r', 'node', '--timeout', '5s'],
    ...FAILED,
    stdout: /bad\.mjs: no answer within 5000 ms while opening it[\s\S]*good\.json · /,
    ...measured,
  },
  {
    // The guest cannot write so much at once and ends, with a part of one line sent.
    name: 'an endless line, in pieces that are too many for the guest',
    files: {
      ...GOOD,
      'peak.mjs': PEAK,
      'bad.mjs': `export const flood = () => {
  for (let i = 0; i < 400; i++)
    for (const one of process._getActiveHandles()) if (one.remotePort) one.write('x'.repeat(1e6));
  return [1];
};`,
    },
    args: analyze('node'),
    ...FAILED,
    stdout: /bad\.mjs: the runtime [\s\S]*The connection to clone-prof was closed[\s\S]*good\.json · /,
    ...measured,
  },
  {
    name: 'a million lines',
    files: {
      ...GOOD,
      'peak.mjs': PEAK,
      'bad.mjs': `${BY_HANDLE}put('x\\n'.repeat(1e6)); export const v = await new Promise(() => {});`,
    },
    args: analyze('node'),
    ...FAILED,
    ...measured,
  },
  {
    name: 'a closed connection',
    files: {
      ...GOOD,
      'bad.mjs': `for (const one of process._getActiveHandles()) if (one.remotePort) one.destroy();${WAITS}`,
    },
    args: analyze('node'),
    env,
    ...FAILED,
    stdout: /bad\.mjs: [\s\S]*The connection to clone-prof was closed[\s\S]*good\.json · /,
  },
  {
    name: 'the secret of the hello, read from /proc, opens nothing',
    files: {
      ...GOOD,
      'bad.mjs': `
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
const [, port, token] = /CLONE_PROF_LINK=(\\d+):(\\w+)/.exec(readFileSync('/proc/self/environ', 'latin1')) ?? [];
const socket = connect({ host: '127.0.0.1', port: Number(port) });
socket.on('error', () => {});
socket.write(JSON.stringify({ type: 'hello', token, runtime: { name: 'node', version: '1', engine: 'v8' } }) + '\\n');
socket.write('x\\n');
export const v = await new Promise((done) => setTimeout(done, 200, { read: Boolean(token) }));`,
    },
    args: analyze('node'),
    exit: 0,
    stderr: null,
    stdout: /bad#v/,
  },
  {
    name: 'an answer to no request does not pass the gate',
    files: { 'bad.mjs': `${BY_HANDLE}put(${UNREQUESTED}); export const v = [{ a: { b: 1 } }];` },
    args: ['check', 'bad.mjs'],
    env,
    exit: 3,
    stderr: [],
    mostLines: 4,
    stdout: REASON,
  },
  {
    name: 'methods of the socket that are replaced are not called',
    files: {
      'a.mjs': `
import net from 'node:net';
for (const name of ['write', '_write', '_writev', 'emit', 'on', 'push', 'read']) {
  net.Socket.prototype[name] = function () { throw new Error('it is mine: ' + name); };
}
export const v = [1];`,
    },
    args: ['analyze', 'a.mjs', '--no-measure', '-r', 'node'],
    exit: 0,
    stderr: null,
    never: /it is mine/,
  },
];
// In large pieces it is refused by its length, otherwise by the time.
testHostile('wire', usually(ENDLESS.slice(0, 1), ENDLESS.slice(1)));
