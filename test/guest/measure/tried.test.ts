/** Rewrites of the user's while they are timed: in the guest and in its peer, beside others. */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { Recipe } from '../../../src/model/report/recipe.ts';
import { planOf } from '../../../src/model/rules/remedy.ts';
import type { Variant } from '../../../src/model/wire/wire.ts';
import { trackChildProcesses } from '../../support/child-processes.ts';
import { PayloadFolder } from '../../support/payload-folder.ts';
import { MAIN_RUNTIMES, missing, runtime } from '../../support/runtimes.ts';
import { bothModes, FLOOR, measureRequest, ORIGINAL } from './requests.ts';

const noneRunning = trackChildProcesses();
const folder = new PayloadFolder();
after(noneRunning);

const file = folder.file('payload.json', '{"rows":[{"a":1},{"a":2}]}');
const recipe: Recipe = { id: 'payload', source: { file, export: null }, build: { form: 'json', file } };

function variantsOf(name: string, text: string, ending = 'mjs'): Variant[] {
  const tried = { name, title: '', file: folder.file(`${name}.${ending}`, text), calls: null };
  return bothModes(name, planOf(tried));
}

const RESTORE = 'export const restore = (message) => JSON.parse(message);';
const GOOD = `${RESTORE} export const apply = (payload) => {
  if (payload.rows.length !== 2) throw new Error('another rewrite changed it');
  return JSON.stringify(payload);
};`;

const VARIANTS = [
  ...variantsOf(
    'late',
    `${RESTORE} export const apply = (payload) => {
      setTimeout(() => { throw new Error('nobody catches it'); });
      return JSON.stringify(payload);
    };`,
  ),
  ...variantsOf('waits', `await new Promise((resolve) => setTimeout(resolve, 50)); ${GOOD}`),
  ...variantsOf(
    'changes',
    `${RESTORE} export const apply = (payload) => (payload.rows.pop(), JSON.stringify(payload));`,
  ),
  ...variantsOf('good', GOOD),
  ...variantsOf(
    'bytes',
    `export const apply = (payload) => new TextEncoder().encode(JSON.stringify(payload));
    export const restore = (message) => JSON.parse(new TextDecoder().decode(message));
    export const transfer = (message) => [message.buffer];`,
  ),
  ...variantsOf('loading', 'throw new Error("not today");'),
  ...variantsOf(
    'third',
    `let calls = 0; ${RESTORE}
    export const apply = (payload) => { if (++calls === 3) throw new Error('the third'); return JSON.stringify(payload); };`,
  ),
  ...variantsOf(
    'peer',
    `let messages = 0;
    export const apply = (payload) => JSON.stringify(payload);
    export const restore = (message) => { if (++messages === 2) throw new Error('the second'); return JSON.parse(message); };`,
  ),
];

const FAILED: Record<string, RegExp> = {
  'loading/in-place': /^loading: threw while loading: Error: not today/,
  'loading/with-conversion': /^loading: threw while loading: Error: not today/,
  'third/with-conversion': /the third/,
  'peer/with-conversion': /the second/,
};

for (const spec of MAIN_RUNTIMES) {
  describe(spec, { skip: missing(spec) }, () => {
    test('each rewrite gets a separate value, and its error does not affect the others', async () => {
      const guest = await folder.startGuest(runtime(spec));
      const variants = [FLOOR, ORIGINAL, ...VARIANTS];
      const { sets } = await guest.ask(measureRequest(recipe, { variants }));
      await guest.close();
      for (const { variant, error, roundTrip } of sets) {
        const expected = FAILED[variant];
        if (expected) assert.match(error ?? '', expected, variant);
        else assert.deepEqual([error, roundTrip.length > 0], [null, true], variant);
      }
      assert.equal(sets.length, variants.length);
    });

    test('memory is measured with the restore of the module, ESM or CommonJS', async () => {
      const guest = await folder.startGuest(runtime(spec));
      const askFor = (text: string, ending?: string) =>
        guest.ask({
          ...{ type: 'memory', recipe, channel: 'worker', messages: 5 },
          variant: variantsOf('memory', text, ending)[1]!,
        });
      const throwing = `${GOOD.replace('JSON.parse(message)', "{ throw new Error('not restored'); }")}`;
      await assert.rejects(askFor(throwing), /not restored/);
      const common = `exports.apply = JSON.stringify; exports.restore = () => { throw new Error('not in CommonJS'); };`;
      await assert.rejects(askFor(common, 'cjs'), /not in CommonJS/);
      await guest.close();
    });
  });
}
