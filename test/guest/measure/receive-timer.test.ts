/** All messages of a burst are received, whatever becomes of one of them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads';
import { eventReceiveTimer, portReceiveTimer, type ReceiveTimer } from '../../../src/guest/answer-guest.ts';
import { SharedInstructions } from '../../../src/guest/measure/peer/peer-session.ts';
import type { MessageFactory } from '../../../src/guest/measure/variants/message-factory.ts';
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
  const shared = new SharedInstructions();
  for (const message of [1, 2, 3, 4, 'next']) port1.postMessage(message);
  const receive = receiveMessageOnPort as unknown as NonNullable<Platform['receiveOnPort']>;
  const timer = portReceiveTimer(port2 as unknown as MessagePort, receive, shared);
  restored.length = 0;
  assert.throws(() => timer.begin(factory, 4), /not this one/);
  assert.deepEqual(restored, [1, 2]);
  assert.deepEqual(receiveMessageOnPort(port2), { message: 'next' });
  port1.close();
});

for (const [what, second] of [
  ['cannot be restored', (timer: ReceiveTimer) => timer.arrived(2)],
  ['cannot be deserialized', (timer: ReceiveTimer) => timer.lost('not this one')],
] as const) {
  test(`a message that ${what} is reported after the last event has come`, () => {
    const shared = new SharedInstructions();
    const timer = eventReceiveTimer(shared);
    timer.begin(factory, 3);
    assert.equal(timer.arrived(1), true);
    assert.equal(second(timer), true);
    assert.equal(shared.awaitReceived(), false);
    assert.throws(() => timer.arrived(3), /not this one/);
    assert.equal(timer.arrived('next'), false);
    timer.begin(factory, 1);
    assert.equal(timer.arrived(1), true);
    assert.equal(shared.awaitReceived(), true);
  });
}
