/** A channel whose row is written, and nothing else, fails here. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { classify } from '../../src/engines/classify/classify.ts';
import { ENGINES } from '../../src/engines/index.ts';
import { PLATFORMS } from '../../src/guest/platform/process/platforms.ts';
import {
  CHANNELS,
  type Channel,
  ENGINE_OF,
  isJson,
  isLocal,
  mayHave,
  PROCESS_RUNTIMES,
  RUNTIME_NAMES,
} from '../../src/model/names.ts';
import { describe } from '../../src/value/describe/describe.ts';
import { probeFor } from '../support/probe.ts';

const VALUES: readonly unknown[] = [
  ...[1, 'text', 'wide \u2603', null, undefined, 2n, true],
  ...[{ a: 1 }, [1, 2], [{ a: 1 }], new Map([[1, 2]]), new Date(0), new Uint8Array(8), new Error('none')],
];

for (const channel of CHANNELS)
  test(`each value has a path over ${channel}, in each runtime that has it`, async () => {
    for (const name of RUNTIME_NAMES.filter((one) => mayHave(one, channel)))
      for (const value of VALUES) {
        const engine = ENGINE_OF[name];
        const probe = await probeFor({ assume: engine });
        const runtime = { name, version: '999999.0.0', engine };
        const { verdict } = classify(describe(value, probe), ENGINES[engine], { runtime, channel });
        const isText = verdict.path === 'json';
        assert.equal(isText || verdict.class === 'rejected', isJson(channel) || verdict.class === 'rejected');
      }
  });

for (const name of PROCESS_RUNTIMES)
  test(`the platform of ${name} has an end of each channel that ${name} may have, and of no other`, () => {
    const { peers, senders, local } = PLATFORMS[name];
    const here = CHANNELS.filter((channel) => mayHave(name, channel));
    assert.deepEqual(Object.keys({ ...peers, ...senders, ...local }).sort(), [...here].sort());
    const near = here.filter((channel) => isLocal(channel) && senders?.[channel] === undefined);
    assert.deepEqual(Object.keys(local).sort(), near.sort());
  });

test('docs/channels.md and the glossary name each channel', () => {
  for (const file of ['channels.md', 'glossary.md']) {
    const text = readFileSync(new URL(`../../docs/${file}`, import.meta.url), 'utf8');
    for (const channel of CHANNELS)
      assert.match(text, new RegExp(`(?<![\\w-])${channel}(?![\\w-])`), `${file}: ${channel}`);
  }
});

test('docs/channels.md names the runtimes that have a channel', () => {
  const text = readFileSync(new URL('../../docs/channels.md', import.meta.url), 'utf8');
  const commands = [...text.matchAll(/`-r ([a-z ]+) -c ([a-z -]+)`/g)].map(([, on = '', over = '']) => [
    on,
    over,
  ]);
  const only = [...text.matchAll(/`([a-z-]+)` in ([A-Z][a-z]+)/g)].map(([, over = '', on = '']) => [
    on,
    over,
  ]);
  assert.ok(commands.length >= 7 && only.length > 0);
  for (const [on, over] of [...commands, ...only])
    for (const channel of over!.split(' '))
      assert.deepEqual(
        RUNTIME_NAMES.filter((name) => mayHave(name, channel as Channel)),
        RUNTIME_NAMES.filter((name) => on!.toLowerCase().split(' ').includes(name)),
        `${on} ${channel}`,
      );
});
