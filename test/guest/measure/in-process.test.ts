import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads';
import { eventReceiver, timeOnPort } from '../../../src/guest/guest-and-peer.ts';
import { measure, measureMemory } from '../../../src/guest/measure/measure.ts';
import { MessageFactory, ValueSource } from '../../../src/guest/measure/variants.ts';
import { type Endpoint, givePlatform, type Platform } from '../../../src/guest/platform/common/platform.ts';
import type { Recipe } from '../../../src/model/report/recipe.ts';
import type { Variant } from '../../../src/model/wire/wire.ts';
import { platform } from '../../support/guest-platform.ts';
import { PayloadFolder } from '../../support/payload-folder.ts';
import { bothModes, FLOOR, measureRequest, ORIGINAL, specimen } from './requests.ts';

const folder = new PayloadFolder();
const recipe = folder.module(
  'count.mjs',
  'let made = 0;\nexport const value = () => ({ made: ++made, list: [1] });',
);

/** What is posted of three messages. */
async function posted(variant: Variant, isNewEachTime: boolean): Promise<unknown[]> {
  const source: Recipe = { ...recipe, isNewEachTime };
  const factory = new MessageFactory(variant, new ValueSource(source, 'alone'));
  await factory.prepare(false);
  const messages: unknown[] = [];
  const endpoint = { post: (message: unknown) => messages.push(message) } as unknown as Endpoint;
  for (let i = 0; i < 3; i++) {
    if (factory.consumed) await factory.fill();
    factory.post(endpoint);
  }
  return messages;
}

const MODES: [what: string, variant: Variant][] = [
  ['the payload', ORIGINAL],
  ['a rewrite that is applied before', bothModes('json-text')[0]!],
  ['a rewrite that is applied to each message', bothModes('json-text')[1]!],
];
for (const [what, variant] of MODES)
  test(`if messages are new each time, each is of a value that was just built: ${what}`, async () => {
    assert.equal(new Set((await posted(variant, true)).map((one) => JSON.stringify(one))).size, 3);
    assert.equal(new Set((await posted(variant, false)).map((one) => JSON.stringify(one))).size, 1);
    assert.equal(new Set(await posted(FLOOR, true)).size, 1);
  });

// All messages of a burst are received, whatever becomes of one of them.

const restored: unknown[] = [];
const factory = {
  restore: (message: unknown) => {
    restored.push(message);
    if (message === 2) throw new Error('not this one');
  },
} as unknown as MessageFactory;

test('on a port: those after a failure are taken from the queue, and not restored', () => {
  const { port1, port2 } = new MessageChannel();
  for (const message of [1, 2, 3, 4, 'next']) port1.postMessage(message);
  const receive = receiveMessageOnPort as unknown as NonNullable<Platform['receiveOnPort']>;
  restored.length = 0;
  const take = () => timeOnPort(port2 as unknown as MessagePort, receive, factory, 4);
  assert.throws(take, /not this one/);
  assert.deepEqual(restored, [1, 2]);
  assert.deepEqual(receiveMessageOnPort(port2), { message: 'next' });
  port1.close();
});

for (const [what, second] of [
  ['cannot be restored', (receiver: ReturnType<typeof eventReceiver>) => receiver.arrived(2)],
  ['cannot be deserialized', (receiver: ReturnType<typeof eventReceiver>) => receiver.lost('not this one')],
] as const) {
  test(`a message that ${what} is reported after the last event has come`, () => {
    let reports = 0;
    const receiver = eventReceiver(() => reports++);
    receiver.begin(factory, 3);
    assert.equal(receiver.arrived(1), true);
    assert.equal(second(receiver), true);
    assert.throws(() => receiver.arrived(3), /not this one/);
    assert.equal(receiver.arrived('next'), false);
    assert.equal(reports, 0);
    receiver.begin(factory, 1);
    assert.equal(receiver.arrived(1), true);
    assert.equal(reports, 1);
  });
}

// Results stay within their bounds if the readings of the runtime do not.

async function withPlatform<T>(more: Partial<Platform>, work: () => Promise<T>): Promise<T> {
  givePlatform({ ...platform, ...more });
  return work().finally(() => givePlatform(platform));
}

test('pauses of the collector that exceed the time are all of it', async () => {
  const watchGc = () => ({ stop: () => ({ count: 3, ns: 1e15 }) });
  const request = measureRequest(specimen('rows'), { channel: 'structured-clone', maxRounds: 5 });
  const { gc } = await withPlatform({ watchGc }, () => measure(request));
  assert.deepEqual(gc, { count: 3, share: 1 });
});

test('messages that leave less memory in use than empty ones take none', async () => {
  let bytes = 1e9;
  const markPeakMemory = async () => {
    bytes -= 1e6;
    return { sample: () => undefined, bytes: () => bytes };
  };
  const terms = { channel: 'structured-clone', variant: ORIGINAL, messages: 2 } as const;
  const ask = () => measureMemory({ type: 'memory', recipe: specimen('rows'), ...terms });
  const { bytes: added, perMessage } = await withPlatform({ markPeakMemory }, ask);
  assert.deepEqual([added, perMessage], [0, 0]);
});
