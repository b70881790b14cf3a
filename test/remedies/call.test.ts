import assert from 'node:assert/strict';
import { test } from 'node:test';
import { envelopeFor } from '../../src/core/recording/envelopes.ts';
import { CHANNELS, COPYING_CHANNELS, LIBRARIES } from '../../src/model/names.ts';
import type { CallTarget, Plan, Remedy } from '../../src/model/rules/remedy.ts';
import { takesTransferList } from '../../src/remedies/code/call.ts';
import { REMEDIES } from '../../src/remedies/index.ts';
import { at } from './cases/build.ts';
import { CASES } from './cases/index.ts';

const to = (channel: CallTarget['channel']): CallTarget => ({ channel, via: null });
const via = (library: CallTarget['via']): CallTarget => ({ channel: 'worker', via: library });

const NAMED = { ...at('$.data'), inline: ['view'] };
const TEXT = { ...at('$'), inline: true };
const SLICED = { ...at('$.data'), form: 'transferred', inline: 'slice' };

/** The last lines of the sender, without comments, and all of the receiver. */
const ROWS: [CallTarget, Remedy, Plan, sender: string, receiver: string][] = [
  [
    to('worker'),
    REMEDIES.transfer,
    NAMED,
    'worker.postMessage(payload, [payload.data.buffer]);',
    'const payload = message;',
  ],
  [
    to('worker'),
    REMEDIES.transfer,
    { ...at('$'), inline: ['buffer'] },
    'worker.postMessage(payload, [payload]);',
    'const payload = message;',
  ],
  [
    to('message-port'),
    REMEDIES['json-text'],
    TEXT,
    'port.postMessage(JSON.stringify(payload));',
    'const payload = JSON.parse(message);',
  ],
  [
    to('broadcast'),
    REMEDIES['slice-view'],
    SLICED,
    'channel.postMessage({ ...payload, data: payload.data.slice() });',
    'const payload = message;',
  ],
  [
    to('structured-clone'),
    REMEDIES.transfer,
    NAMED,
    'const copied = structuredClone(payload, { transfer: [payload.data.buffer] });',
    'const copy = copied;',
  ],
  [
    to('ipc'),
    REMEDIES['json-text'],
    TEXT,
    'child.send(JSON.stringify(payload)); // in the child: process.send',
    'const payload = JSON.parse(message);',
  ],
  [
    via('piscina'),
    REMEDIES['slice-view'],
    SLICED,
    'const message = { ...payload, data: payload.data.slice() };\nawait pool.run(message, { transferList: [message.data.buffer] });',
    'export default function run(payload) {\n  // ...\n}',
  ],
  [
    via('comlink'),
    REMEDIES.transfer,
    NAMED,
    'await remote.run(Comlink.transfer(payload, [payload.data.buffer]));',
    'Comlink.expose({ run(payload) {\n  // ...\n} });',
  ],
  [
    via('workerpool'),
    REMEDIES['json-text'],
    TEXT,
    "await pool.exec('run', [JSON.stringify(payload)]);",
    'workerpool.worker({ run(message) {\n  const payload = JSON.parse(message);\n  // ...\n} });',
  ],
  [
    via('jest-worker'),
    REMEDIES['slice-view'],
    SLICED,
    'await worker.run({ ...payload, data: payload.data.slice() });',
    'export function run(payload) {\n  // ...\n}',
  ],
];

const withoutComments = (text: string) => text.replace(/^\/\/.*\n/gm, '');

for (const [target, remedy, plan, sender, receiver] of ROWS)
  test(`the call of ${target.via ?? target.channel}: ${remedy.name}`, () => {
    const code = remedy.code(plan, target);
    assert.equal(withoutComments(code.sender), sender);
    assert.equal(code.receiver, receiver);
  });

test('without a target the code is for a worker', () => {
  assert.deepEqual(REMEDIES.transfer.code(NAMED), REMEDIES.transfer.code(NAMED, to('worker')));
});

test('the code and the measured envelope agree on what can be transferred', () => {
  for (const library of LIBRARIES)
    assert.equal(takesTransferList(via(library)), envelopeFor(library, 'sender').transfers, library);
  for (const channel of CHANNELS)
    assert.equal(takesTransferList(to(channel)), !COPYING_CHANNELS.includes(channel), channel);
});

test('a library over a channel that copies has no transfer list', () => {
  assert.equal(takesTransferList({ channel: 'ipc', via: 'tinypool' }), false);
});

/** Names of declared functions that are declared twice, or that nothing calls. */
function wrongFunctions(code: string): string[] {
  const names = [...code.matchAll(/^function (\w+)/gm)].map(([, name]) => name!);
  return names.filter(
    (name, i) => names.indexOf(name) !== i || code.split(new RegExp(`\\b${name}\\b`)).length < 3,
  );
}

test('no code declares a function twice, or one that it does not call', () => {
  assert.deepEqual(wrongFunctions('function a() {}\nfunction b() {}\nfunction a() {}\na(b);'), ['a']);
  assert.deepEqual(wrongFunctions('function a() {}\nb();'), ['a']);
  for (const remedy of Object.values<Remedy>(REMEDIES))
    for (const [what, , plan, outcome] of CASES[remedy.name as keyof typeof CASES])
      for (const target of outcome === 'refused' ? [] : [to('worker'), to('broadcast'), via('piscina')]) {
        const { sender, receiver } = remedy.code(plan, target);
        const where = `${remedy.name}, ${what}, ${target.via ?? target.channel}`;
        assert.deepEqual([...wrongFunctions(sender), ...wrongFunctions(receiver)], [], where);
      }
});
