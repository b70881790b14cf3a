/** Results stay within their bounds if the readings of the runtime do not. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measure } from '../../../src/guest/measure/measure.ts';
import { measureMemory } from '../../../src/guest/measure/memory.ts';
import { givePlatform } from '../../../src/guest/platform/common/platform.ts';
import { platform } from '../../support/guest-platform.ts';
import { measureRequest, ORIGINAL, specimen } from './requests.ts';

const RECIPE = specimen('rows');

test('pauses of the collector that exceed the time are all of it', async () => {
  givePlatform({ ...platform, watchGc: () => ({ stop: () => ({ count: 3, ns: 1e15 }) }) });
  try {
    const { gc } = await measure(measureRequest(RECIPE, { channel: 'structured-clone', maxRounds: 5 }));
    assert.deepEqual(gc, { count: 3, share: 1 });
  } finally {
    givePlatform(platform);
  }
});

test('messages that leave less memory in use than empty ones take none', async () => {
  let bytes = 1e9;
  const markPeakMemory = async () => {
    bytes -= 1e6;
    return { sample: () => undefined, bytes: () => bytes };
  };
  givePlatform({ ...platform, markPeakMemory });
  try {
    const terms = { channel: 'structured-clone', variant: ORIGINAL, messages: 2 } as const;
    const { bytes: added, perMessage } = await measureMemory({ type: 'memory', recipe: RECIPE, ...terms });
    assert.deepEqual([added, perMessage], [0, 0]);
  } finally {
    givePlatform(platform);
  }
});
