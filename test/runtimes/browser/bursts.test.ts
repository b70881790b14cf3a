/** Where the clock is coarse, send and receive are timed by bursts of messages: one that fails midway leaves none to others. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planOf } from '../../../src/model/rules/remedy.ts';
import type { Variant } from '../../../src/model/wire/wire.ts';
import { FLOOR, measureRequest, ORIGINAL } from '../../guest/measure/requests.ts';
import { PayloadFolder } from '../../support/payload-folder.ts';
import { missing, runtime } from '../../support/runtimes.ts';
import { usually } from '../../support/whole.ts';

const folder = new PayloadFolder();

const recipe = folder.json('payload', { id: 1, name: 'one' });

/** In a round trip each end applies and restores in turn; only in a burst it does one of them several times in succession. */
function rewrite(name: string, apply: string, restore: string): Variant {
  const text = `let applied = 0, restored = 0;
    export const apply = (payload) => { restored = 0; applied++; ${apply}; return JSON.stringify(payload); };
    export const restore = (message) => { applied = 0; restored++; ${restore}; return JSON.parse(message); };`;
  const tried = { name, title: '', file: folder.file(`${name}.mjs`, text), calls: null };
  return { id: name, remedy: name, plan: planOf(tried), mode: 'with-conversion' };
}

const ROUNDS = 20;
const SENDS = "if (applied === 2) throw new Error('the second is not sent')";
const RECEIVES = "if (restored === 2) throw new Error('the second is not received')";
const FAILING = [
  rewrite('sends', SENDS, ''),
  rewrite('receives', '', RECEIVES),
  rewrite('neither', SENDS, RECEIVES),
];

for (const name of usually(['chromium'], ['webkit'])) {
  test(`${name}: a burst that fails midway leaves no message to the next variant`, {
    skip: missing(name),
  }, async () => {
    for (const channel of usually(['worker'], ['message-port', 'broadcast'])) {
      const variants = [FLOOR, ORIGINAL, ...FAILING, rewrite('good', '', '')];
      const limits = { minRounds: ROUNDS, maxRounds: ROUNDS, warmupMs: 5 };
      const request = measureRequest(recipe, { channel, variants, ...limits });
      const { sets, rounds } = await folder.ask(runtime(name), request);
      assert.equal(rounds, ROUNDS);
      const errors = sets.map(({ error }) => error?.replace(/^Error: /, '').replace(/ \(.*/, '') ?? null);
      const [sends, receives, neither] = errors.slice(2);
      assert.deepEqual([errors[0], errors[1], errors[5]], [null, null, null], channel);
      assert.match(`${sends}`, /the second is not sent/, channel);
      assert.match(`${receives}`, /the second is not received/, channel);
      assert.match(`${neither}`, /the second is not (sent|received)/, channel);
      for (const { variant, roundTrip, receive } of [sets[0]!, sets[1]!, sets[5]!]) {
        assert.equal(roundTrip.length, ROUNDS, `${channel} ${variant}`);
        assert.ok(receive.length > 0, `${channel} ${variant}`);
      }
    }
  });
}
