/** All messages of a burst are received, whatever becomes of one of them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads';
import { eventReceiver, timeOnPort } from '../../../src/guest/answer-guest.ts';
import type { MessageFactory } from '../../../src/guest/measure/variants.ts';
import type { Platform } from '../../../src/guest/platform/common/platform.ts';
import '../../support/guest-platform.ts';

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
