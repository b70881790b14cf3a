/** Messages from a page of an extension to its service worker, in a Chromium that loads extensions. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { bundleForPage } from '../../../src/app/sources/bundle.ts';
import { verify } from '../../../src/app/verify.ts';
import { loadSpecimens } from '../../../src/cli/actions/rules.ts';
import { EXTENSION_CHANNELS, type ExtensionChannel } from '../../../src/model/names.ts';
import { planOf } from '../../../src/model/rules/remedy.ts';
import type { FoundRuntime, StartOptions } from '../../../src/model/run/runtime.ts';
import { runtimeDriver } from '../../../src/runtimes/driver.ts';
import { killAll } from '../../../src/runtimes/process/supervisor.ts';
import { median } from '../../../src/stats/intervals/intervals.ts';
import { FLOOR, measureRequest, ORIGINAL, samplesOf } from '../../guest/measure/requests.ts';
import * as make from '../../make.ts';
import { chromiumWithExtensions, loadsNoExtensions, mayLackExtensions } from '../../support/fetched.ts';
import { putFiles } from '../../support/git-repository.ts';
import { PayloadFolder } from '../../support/payload-folder.ts';
import { missing, runtime } from '../../support/runtimes.ts';
import { isWhole, usually } from '../../support/whole.ts';

const folder = new PayloadFolder();
after(killAll);

const terms = { timeoutMs: 60_000, cwd: folder.path };
const driver = runtimeDriver(bundleForPage);
const chromium = await chromiumWithExtensions();
const skip = chromium === null && (mayLackExtensions() ?? false);

const start = (extension: ExtensionChannel, options: Partial<StartOptions> = {}, browser = chromium) =>
  driver.start(browser as FoundRuntime, { ...terms, extension, ...options });

const ROUNDS = 5;
const value = folder.module(
  'values.mjs',
  `export const value = () => ({ at: new Date(0), tags: new Set(["a"]), pixels: new Uint8Array(3) });
   export { value as "another name" };
   export default await Promise.resolve(1);`,
);

/** Imported by both ends. The error of the second tells where it was thrown. */
const MODULES = {
  text: 'exports.apply = (value) => JSON.stringify(value); exports.restore = (message) => JSON.parse(message);',
  where: `exports.apply = (value) => value;
    exports.restore = (message) => {
      if (!('document' in globalThis)) throw new TypeError(globalThis.constructor.name);
      return message;
    };`,
};
const tried = Object.entries(MODULES).map(([name, text]) => {
  const module = { name, title: '', file: folder.file(`${name}.cjs`, text), calls: null };
  return { id: name, remedy: name, plan: planOf(module), mode: 'with-conversion' as const };
});

/** By the manifest of the extension: what JSON writes, or all. */
const LOST = {
  extension: ['$.at: Date became string', '$.tags: Set became object', '$.pixels: Uint8Array became object'],
  'extension-clone': [],
};

for (const channel of usually<ExtensionChannel>(['extension'], ['extension-clone'])) {
  test(`${channel}: losses are found, and round trips and sends are timed`, { skip }, async () => {
    const guest = await start(channel);
    try {
      const { losses } = await guest.ask({ type: 'losses', recipe: value, channel });
      assert.deepEqual(
        losses?.map(({ path, what }) => `${path}: ${what}`),
        LOST[channel],
      );
      const bytes = { path: '$', paths: ['$.pixels'] };
      const base64 = { id: 'base64', remedy: 'base64', plan: bytes, mode: 'with-conversion' } as const;
      const variants = [FLOOR, ORIGINAL, base64, ...tried];
      const measured = await guest.ask(
        measureRequest(value, { channel, variants, maxRounds: ROUNDS, warmupMs: 20 }),
      );
      // The service worker has built the payload and compiled the rewrites itself.
      assert.equal(measured.answers, undefined);
      assert.equal(samplesOf(measured, 'where').error, 'TypeError: ServiceWorkerGlobalScope');
      for (const { variant, error, roundTrip, send, receive } of measured.sets) {
        if (variant === 'where') continue;
        assert.equal(error, null, variant);
        assert.ok(median(roundTrip) > 0);
        assert.deepEqual([send.length, receive.length], [ROUNDS, 0]);
      }
      const other = channel === 'extension' ? 'extension-clone' : 'extension';
      const described = { type: 'describe', recipe: value, channel: other, confirm: false } as const;
      await assert.rejects(guest.ask(described), {
        code: 'channel-unsupported',
        message: /its messages are (JSON|cloned)/,
      });
    } finally {
      await guest.close();
    }
  });
}

test('every rule about extensions holds', { skip }, async () => {
  const all = await loadSpecimens(new URL('../../../fixtures/payloads', import.meta.url).pathname);
  const own = all.filter(({ channel }) => EXTENSION_CHANNELS.some((one) => one === channel));
  // That JSON loses what it loses is seen above.
  const quick = own.filter(({ of }) => 'rule' in of && !of.rule.startsWith('spec/json-'));
  const specimens = isWhole ? own : quick;
  // These took 4 s alone, and once more than a minute beside five other processes.
  const patient = { ...terms, timeoutMs: 300_000 };
  const request = { ...patient, specimens, runtimes: [chromium as FoundRuntime] };
  const { results } = await verify(request, { driver, emit: () => {} });
  assert.equal(results.length, specimens.length);
  assert.ok(results.length >= 4);
  assert.deepEqual(
    results
      .filter(({ holds }) => holds !== true)
      .map(({ rule, why, fires }) => `${rule}: ${why} (${fires.evidence})`),
    [],
  );
});

test('a worker of a page does not have chrome.runtime', { skip }, async () => {
  await assert.rejects(start('extension', { sender: 'worker' }), { code: 'channel-unsupported' });
});

test('a browser that loads no extension is started for one only once', {
  skip: process.platform === 'win32',
}, async () => {
  const starts = `${folder.path}/starts`;
  putFiles(folder.path, { 'chromium*': `#!/bin/sh\necho started >> '${starts}'\n` });
  const binary = `${folder.path}/chromium`;
  const browser = { ...make.runtime('chromium@140.0'), binary, spec: 'it', from: 'PATH' };
  for (const channel of EXTENSION_CHANNELS)
    await assert.rejects(start(channel, {}, browser), { code: 'channel-unsupported' });
  assert.equal(readFileSync(starts, 'utf8'), 'started\n');
});

test('a Chromium without extensions says so', { skip: missing('chromium') }, async (t) => {
  const browser = runtime('chromium');
  if (!loadsNoExtensions(browser)) return t.skip('only the Chromium of npm loads none');
  for (const channel of EXTENSION_CHANNELS)
    await assert.rejects(start(channel, {}, browser), {
      code: 'channel-unsupported',
      message: /^channel 'extension(-clone)?' is not available there: it loads no extension/,
    });
});
