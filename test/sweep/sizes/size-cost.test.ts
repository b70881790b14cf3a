import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SizeCosts } from '../../../src/sweep/sizes/crossovers.ts';

const trip = (ms: number) => ({ roundTrip: { median: 1e6 * ms } });

test('a larger size costs what the smaller one cost, times its growth', () => {
  const costs = new SizeCosts(3);
  const of = (bytes: number) => costs.of({ payload: 'rows', bytes });
  const [unknown, fewer] = [of(1e6), new SizeCosts(1).of({ payload: 'rows', bytes: 1e6 })];
  assert.ok(unknown.messagesMs > fewer.messagesMs);
  costs.learn({ payload: 'rows', bytes: 1e6 }, [trip(40), { roundTrip: null }, trip(60)]);
  const small = of(1e6);
  assert.equal(of(4e6).messagesMs, 4 * small.messagesMs);
  assert.equal(of(4e6).sliceMs, 4 * small.sliceMs);
  assert.deepEqual(costs.of({ payload: 'other', bytes: 1e6 }), unknown, 'of its own payload alone');
});
