import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { pastedCode, takesTransferList } from '../../src/codec/code/call.ts';
import { asPasted, exportNames } from '../../src/codec/code/javascript.ts';
import { REMEDIES } from '../../src/codec/remedies/index.ts';
import type { Plan } from '../../src/model/documents/trial.ts';
import { CHANNELS, channelRow, LIBRARIES } from '../../src/model/names.ts';
import type { CallTarget, Remedy } from '../../src/model/rules/remedy.ts';
import { envelopeFor } from '../../src/record/envelopes/envelopes.ts';
import { CASES } from './cases/index.ts';
import { at } from './cases/objects.ts';
import { pastedOutcomeOf } from './outcomes.ts';

const to = (channel: CallTarget['channel']): CallTarget => ({ channel, via: null });
const via = (library: CallTarget['via']): CallTarget => ({ channel: 'worker', via: library });

type Rewrite = readonly [remedy: Remedy, plan: Plan];
const NAMED = { ...at('$.data'), inline: ['view'] };
const SLICED = { ...at('$.data'), form: 'transferred', inline: 'slice' };
const TRANSFER: Rewrite = [REMEDIES.transfer, NAMED];
const TEXT: Rewrite = [REMEDIES['json-text'], at('$')];
const SLICE: Rewrite = [REMEDIES['slice-view'], SLICED];
const AS_IT_COMES = 'const payload = message;';
const RESTORED = 'const payload = fromMessage(message);';

/** One for each form of a call: the lines after the declarations, without comments. */
const ROWS: [CallTarget, Rewrite, sender: string, receiver: string][] = [
  [to('worker'), TRANSFER, 'worker.postMessage(payload, [payload.data.buffer]);', AS_IT_COMES],
  [to('window'), TEXT, 'frame.contentWindow.postMessage(toMessage(payload), location.origin);', RESTORED],
  [to('broadcast'), SLICE, 'channel.postMessage({ ...payload, data: payload.data.slice() });', AS_IT_COMES],
  [
    to('structured-clone'),
    TRANSFER,
    'const copied = structuredClone(payload, { transfer: [payload.data.buffer] });',
    'const copy = copied;',
  ],
  [
    to('storage'),
    TEXT,
    "const message = toMessage(payload);\nwriteFileSync(file, typeof message === 'string' ? message : serialize(message)); // of node:fs and node:v8",
    `const stored = readFileSync(file);\nconst isJson = stored[0] === 0x7b || stored[0] === 0x5b; // { and [\nconst message = isJson ? stored.toString() : deserialize(stored);\n${RESTORED}`,
  ],
  [
    to('indexeddb'),
    TEXT,
    "store.put(toMessage(payload), key); // of a transaction for 'readwrite'",
    'const payload = fromMessage(request.result); // when request = store.get(key) has succeeded',
  ],
  [
    via('piscina'),
    SLICE,
    'const message = { ...payload, data: payload.data.slice() };\nawait pool.run(message, { transferList: [message.data.buffer] });',
    'export default function run(payload) {\n  // ...\n}',
  ],
];

const callIn = (text: string) =>
  text
    .replace(/^\/\/.*\n/gm, '')
    .split('\n\n')
    .at(-1);

for (const [target, [remedy, plan], sender, receiver] of ROWS)
  test(`the call of ${target.via ?? target.channel}: ${remedy.name}`, () => {
    const code = pastedCode(remedy.codec(plan, target));
    assert.equal(callIn(code.sender), sender);
    assert.equal(callIn(code.receiver), receiver);
  });

test('the code and the measured envelope agree on what can be transferred', () => {
  for (const library of LIBRARIES)
    assert.equal(takesTransferList(via(library)), envelopeFor(library, 'sender').transfers, library);
  for (const channel of CHANNELS)
    assert.equal(takesTransferList(to(channel)), channelRow(channel).moves === true, channel);
  assert.equal(takesTransferList({ channel: 'ipc-advanced', via: 'tinypool' }), false);
});

test('an expression that gets a different value throws, or the value arrives equal', async () => {
  const others = [undefined, null, 3, 'text', [1, 2], { a: 1 }, new Date(3), new Map([[1, 2]])];
  const plans: Rewrite[] = [
    TRANSFER,
    SLICE,
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
        const codec = remedy.codec(plan, target);
        const { sender, receiver } = pastedCode(codec);
        const where = `${remedy.name}, ${what}, ${target.via ?? target.channel}`;
        // Both functions of a value stand together in it, and it can be read in a way that the calls do not show.
        const isWhole = remedy.name === 'compiled';
        const codes = isWhole
          ? [`${asPasted(codec.source)}; ${exportNames(codec.source)}`]
          : [sender, receiver];
        assert.deepEqual(codes.flatMap(wrongFunctions), [], where);
      }
});
