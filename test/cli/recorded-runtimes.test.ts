import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RuntimeName } from '../../src/model/names.ts';
import type { Source } from '../../src/model/report/recipe.ts';
import { runtimesFor } from '../../src/services/analysis.ts';
import type { FetchOptions, Services } from '../../src/services/services.ts';
import { analyzedRecording, recipe, runtime, traffic } from '../make.ts';
import { fakeRuntime } from '../support/fake-runtime.ts';

type Spec = `${RuntimeName}@${string}`;

const plain: Source = { kind: 'ready', recipe: recipe('a') };
const recordedOn = (first: Spec | null, own?: Spec): Source => {
  const recording = analyzedRecording({ runtime: first === null ? null : runtime(first) });
  const posted = traffic(own ? { runtime: runtime(own) } : {});
  return { ...plain, recorded: { recording, leftNs: 0, traffic: posted, channel: null } };
};

const HERE = ['node@20.20.2', 'node@24.1.0', 'bun@1.4.5', 'chromium@156.0.1'].map((spec) => {
  const { name, version } = runtime(spec as Spec);
  return fakeRuntime(name, version);
});
const OLD = { ...fakeRuntime('deno', '1.0.0'), needs: '2.0.0' };

const ROWS: { what: string; asked?: string[]; sources: Source[]; specs: string[]; note?: RegExp }[] = [
  { what: 'the same version', sources: [recordedOn('node@24.1.0')], specs: ['node@24.1.0'] },
  { what: 'a recording of Bun on Bun', sources: [recordedOn('bun@1.4.5')], specs: ['bun@1.4.5'] },
  {
    what: 'another version, which is said',
    sources: [recordedOn('bun@1.2.20')],
    specs: ['bun@1.4.5'],
    note: /recorded on bun 1\.2\.20, which is not installed: analyzed on bun 1\.4\.5/,
  },
  {
    what: 'a runtime that is not here: the default ones',
    sources: [recordedOn('deno@2.0.0')],
    specs: ['default'],
    note: /recorded on deno 2\.0\.0, which is not installed: analyzed on what is here/,
  },
  {
    what: 'a browser, which only the user starts: the default ones',
    sources: [recordedOn('chromium@156.0.1')],
    specs: ['default'],
    note: /recorded on chromium 156\.0\.1, which is started with -r chromium: analyzed on what is here/,
  },
  { what: 'an unknown runtime: the default ones', sources: [recordedOn(null)], specs: ['default'] },
  {
    what: 'a site of another runtime than the first process',
    sources: [recordedOn('node@20.20.2'), recordedOn('node@20.20.2', 'bun@1.4.5')],
    specs: ['node@20.20.2', 'bun@1.4.5'],
  },
  {
    what: 'other payloads beside it: the default ones too',
    sources: [plain, recordedOn('bun@1.4.5')],
    specs: ['bun@1.4.5', 'default'],
  },
  { what: 'no recording', sources: [plain], specs: ['default'] },
  {
    what: 'what is asked for',
    asked: ['bun'],
    sources: [recordedOn('node@20.20.2')],
    specs: ['asked for bun'],
  },
];

for (const { what, asked = [], sources, specs, note } of ROWS) {
  test(`runtimes: ${what}`, async () => {
    const notes: string[] = [];
    const spec = asked.length === 0 ? 'default' : `asked for ${asked.join(' ')}`;
    const services = {
      findRuntimes: async () => ({ found: [{ ...fakeRuntime('node', '18.0.0'), spec }], missing: [] }),
      listRuntimes: async () => [OLD, ...HERE],
    } as unknown as Services;
    const options = { onNote: (text: string) => notes.push(text) } as unknown as FetchOptions;
    const { found } = await runtimesFor(asked, { sources, tries: [] }, services, options);
    assert.deepEqual(
      found.map((one) => one.spec),
      specs,
    );
    assert.equal(notes.length, note ? 1 : 0, notes.join());
    if (note) assert.match(notes[0]!, note);
  });
}
