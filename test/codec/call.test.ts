import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { takesTransferList } from '../../src/codec/code/call.ts';
import { REMEDIES } from '../../src/codec/remedies/index.ts';
import type { Plan } from '../../src/model/documents/trial.ts';
import { CHANNELS, channelRow, LIBRARIES } from '../../src/model/names.ts';
import type { CallTarget, Remedy } from '../../src/model/rules/remedy.ts';
import { envelopeFor } from '../../src/record/envelopes/envelopes.ts';
import { at } from './cases/build.ts';
import { CASES } from './cases/index.ts';
import { pastedOutcomeOf } from './outcomes.ts';

const to = (channel: CallTarget['channel']): CallTarget => ({ channel, via: null });
const via = (library: CallTarget['via']): CallTarget => ({ channel: 'worker', via: library });

const NAMED = { ...at('$.data'), inline: ['view'] };
const TEXT = at('$');
const SLICED = { ...at('$.data'), form: 'transferred', inline: 'slice' };

/** The lines after the declarations, without comments. */
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
    'port.postMessage(toMessage(payload));',
    'const payload = fromMessage(message);',
  ],
  [
    to('window'),
    REMEDIES.transfer,
    NAMED,
    'frame.contentWindow.postMessage(payload, location.origin, [payload.data.buffer]);',
    'const payload = message;',
  ],
  [
    to('window'),
    REMEDIES['json-text'],
    TEXT,
    'frame.contentWindow.postMessage(toMessage(payload), location.origin);',
    'const payload = fromMessage(message);',
  ],
  [
    to('service-worker'),
    REMEDIES.transfer,
    NAMED,
    'navigator.serviceWorker.controller.postMessage(payload, [payload.data.buffer]);',
    'const payload = message;',
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
    to('ipc-advanced'),
    REMEDIES['json-text'],
    TEXT,
    'child.send(toMessage(payload)); // in the child: process.send',
    'const payload = fromMessage(message);',
  ],
  [
    to('storage'),
    REMEDIES['slice-view'],
    SLICED,
    'writeFileSync(file, serialize({ ...payload, data: payload.data.slice() })); // of node:fs and node:v8',
    'const payload = deserialize(readFileSync(file));',
  ],
  [
    to('storage'),
    REMEDIES['json-text'],
    TEXT,
    "const message = toMessage(payload);\nwriteFileSync(file, typeof message === 'string' ? message : serialize(message)); // of node:fs and node:v8",
    'const stored = readFileSync(file);\nconst isJson = stored[0] === 0x7b || stored[0] === 0x5b; // { and [\nconst message = isJson ? stored.toString() : deserialize(stored);\nconst payload = fromMessage(message);',
  ],
  [
    to('indexeddb'),
    REMEDIES['json-text'],
    TEXT,
    "store.put(toMessage(payload), key); // of a transaction for 'readwrite'",
    'const payload = fromMessage(request.result); // when request = store.get(key) has succeeded',
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
    "await pool.exec('run', [toMessage(payload)]);",
    'workerpool.worker({ run(message) {\n  const payload = fromMessage(message);\n  // ...\n} });',
  ],
  [
    via('jest-worker'),
    REMEDIES['slice-view'],
    SLICED,
    'await worker.run({ ...payload, data: payload.data.slice() });',
    'export function run(payload) {\n  // ...\n}',
  ],
];

const callIn = (text: string) =>
  text
    .replace(/^\/\/.*\n/gm, '')
    .split('\n\n')
    .at(-1);

for (const [target, remedy, plan, sender, receiver] of ROWS)
  test(`the call of ${target.via ?? target.channel}: ${remedy.name}`, () => {
    const code = remedy.code(plan, target);
    assert.equal(callIn(code.sender), sender);
    assert.equal(callIn(code.receiver), receiver);
  });

test('the code is for a worker unless a target is given', () => {
  assert.deepEqual(REMEDIES.transfer.code(NAMED), REMEDIES.transfer.code(NAMED, to('worker')));
});

test('the code and the measured envelope agree on what can be transferred', () => {
  for (const library of LIBRARIES)
    assert.equal(takesTransferList(via(library)), envelopeFor(library, 'sender').transfers, library);
  for (const channel of CHANNELS)
    assert.equal(takesTransferList(to(channel)), channelRow(channel).moves === true, channel);
});

test('a library over a channel that copies takes no transfer list', () => {
  assert.equal(takesTransferList({ channel: 'ipc-advanced', via: 'tinypool' }), false);
});

test('an expression that gets a different value throws, or the value arrives equal', async () => {
  const others = [undefined, null, 3, 'text', [1, 2], { a: 1 }, new Date(3), new Map([[1, 2]])];
  const plans: [Remedy, Plan][] = [
    [REMEDIES.transfer, NAMED],
    [REMEDIES['slice-view'], SLICED],
    [REMEDIES['slice-view'], { ...SLICED, form: 'copied' }],
    [REMEDIES['slice-view'], { ...SLICED, inline: 'Uint8Array.prototype.slice' }],
  ];
  for (const [remedy, plan] of plans)
    for (const other of others)
      for (const make of [() => other, () => ({ data: other, n: 1 })]) {
        const outcome = await pastedOutcomeOf(remedy, plan, () => structuredClone(make()));
        assert.ok(
          outcome === 'refused' || outcome.length === 0,
          `${remedy.name} of ${inspect(make())}: ${outcome}`,
        );
      }
});

/** Names of declared functions that are declared twice, or that nothing calls. */
function wrongFunctions(code: string): string[] {
  const names = [...code.matchAll(/^function (\w+)/gm)].map(([, name]) => name!);
  return names.filter(
    (name, i) => names.indexOf(name) !== i || code.split(new RegExp(`\\b${name}\\b`)).length < 3,
  );
}

test('no code declares a function twice, or a function that it does not call', () => {
  assert.deepEqual(wrongFunctions('function a() {}\nfunction b() {}\nfunction a() {}\na(b);'), ['a']);
  assert.deepEqual(wrongFunctions('function a() {}\nb();'), ['a']);
  for (const remedy of Object.values<Remedy>(REMEDIES))
    for (const [what, , plan, outcome] of CASES[remedy.name as keyof typeof CASES])
      for (const target of outcome === 'refused' ? [] : [to('worker'), to('broadcast'), via('piscina')]) {
        const { sender, receiver } = remedy.code(plan, target);
        const where = `${remedy.name}, ${what}, ${target.via ?? target.channel}`;
        // One module for both sides, with a way to read it that the calls do not show.
        const isWhole = remedy.name === 'compiled';
        const codes = isWhole ? [`${sender + receiver}; fromMessage; viewMessage`] : [sender, receiver];
        assert.deepEqual(codes.flatMap(wrongFunctions), [], where);
      }
});
