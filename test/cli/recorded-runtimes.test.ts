import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runtimesFor } from '../../src/app/world/analysis.ts';
import type { Services, Work } from '../../src/app/world/services.ts';
import type { RuntimeName } from '../../src/model/names.ts';
import type { Source } from '../../src/model/report/recipe.ts';
import type { Emit } from '../../src/model/run/events.ts';
import { analyzedRecording, recipe, runtime, traffic } from '../make.ts';
import { fakeRuntime } from '../support/fake-runtime.ts';

type Spec = `${RuntimeName}@${string}`;

const recordedOn = (first: Spec | null, own?: Spec): Source => {
  const recording = analyzedRecording({ runtime: first === null ? null : runtime(first) });
  const posted = traffic(own ? { runtime: runtime(own) } : {});
  return {
    kind: 'ready',
    recipe: recipe('a'),
    recorded: { recording, allNs: 0, traffic: posted, channel: null },
  };
};

const HERE = ['node@20.20.2', 'node@24.1.0', 'bun@1.4.5', 'chromium@156.0.1'].map((spec) => {
  const { name, version } = runtime(spec as Spec);
  return fakeRuntime(name, version);
});
const OLD = { ...fakeRuntime('deno', '1.0.0'), needs: '2.0.0' };

const ROWS: [what: string, sources: Source[], specs: string, note?: RegExp][] = [
  [
    'a runtime that is too old here: the default ones',
    [recordedOn('deno@2.0.0')],
    'default',
    /recorded on deno 2\.0\.0, which is not installed: analyzed on what is here/,
  ],
  [
    'a browser, which only the user starts: the default ones',
    [recordedOn('chromium@156.0.1')],
    'default',
    /recorded on chromium 156\.0\.1, which is started with -r chromium: analyzed on what is here/,
  ],
  ['an unknown runtime: the default ones', [recordedOn(null)], 'default'],
  [
    'a site of another runtime than the first process',
    [recordedOn('node@20.20.2'), recordedOn('node@20.20.2', 'bun@1.4.5')],
    'node@20.20.2 bun@1.4.5',
  ],
];

/** Specs of the runtimes, and the notes. */
async function chosen(sources: Source[]): Promise<[specs: string, notes: string[]]> {
  const notes: string[] = [];
  const usual = { ...fakeRuntime('node', '18.0.0'), spec: 'default' };
  const services = {
    findRuntimes: async () => ({ found: [usual], missing: [] }),
    listRuntimes: async () => [OLD, ...HERE],
  } as unknown as Services;
  const emit: Emit = (event) => event.type === 'note' && notes.push(event.text);
  const work = { services, emit } as Work;
  const { found } = await runtimesFor(work, {}, { sources, tries: [] });
  return [found.map((one) => one.spec).join(' '), notes];
}

for (const [what, sources, specs, note] of ROWS) {
  test(`runtimes: ${what}`, async () => {
    const [found, notes] = await chosen(sources);
    assert.equal(found, specs);
    assert.equal(notes.length, note ? 1 : 0, notes.join());
    if (note) assert.match(notes[0]!, note);
  });
}
