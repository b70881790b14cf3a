/** What changes without anyone meaning the gate. */
import { testQuick } from './corpus.ts';
import {
  BASELINE,
  BIG,
  baselineOf,
  broken,
  CONFIG,
  config,
  facts,
  kept,
  ROWS,
  RUNTIMES,
  refused,
  rows,
  since,
} from './gate-project.ts';

const EVENTS = ['{"type":"order","id":1}', '{"type":"ping"}', '{"id":1,"text":""}'];
const lines = (...all: string[]) => ({ 'events.ndjson': all.join('\n') });
// Bun shares long texts, and copies nothing of them.
const events = { ...lines(...EVENTS), [CONFIG]: config(['events.ndjson'], { runtimes: ['node@24.0.0'] }) };
const [ORDER, PING, PLAIN] = EVENTS as [string, string, string];

testQuick('gate, lines', [
  { name: 'another order of lines changes nothing', ...since(events, lines(PLAIN, PING, ORDER)), ...kept },
  { name: 'more of the same lines change nothing', ...since(events, lines(PING, ...EVENTS, ORDER)), ...kept },
  {
    name: 'one line of a known kind is 500 times longer',
    ...since(events, lines(...EVENTS, ...EVENTS, `{"id":7,"text":"${'x'.repeat(9000)}"}`)),
    ...broken,
    stdout: /events#id\+text on .*maxBytes: 18 B -> 9\.02 kB/s,
  },
  {
    name: 'one of many lines gets another field',
    ...since(events, lines(...EVENTS, ORDER, '{"type":"order","id":1,"geo":{"lat":1}}')),
    ...broken,
    stdout: /✖ events#order~\w+ on .*not in the baseline/s,
  },
  {
    name: 'a kind of line is gone',
    ...since(events, lines(ORDER, PLAIN)),
    ...broken,
    stdout: /✖ events#ping on .*in the baseline, and no longer checked/s,
  },
  {
    name: 'a rare kind among 40 is compared too',
    ...since(
      {
        ...lines(...Array.from({ length: 40 }, (_, i) => `{"type":"t${i}","id":1}`)),
        [CONFIG]: config(['events.ndjson']),
      },
      lines(
        ...Array.from({ length: 40 }, (_, i) => `{"type":"t${i}","id":1}\n{"type":"t${i}","id":1}`),
        `{"type":"t39","id":${'1'.repeat(200)}}`,
      ),
    ),
    ...broken,
    stdout: /events#t39 on .*maxBytes/s,
  },
  {
    name: 'a malformed line hides no other',
    ...since(events, lines(ORDER, '{"type":"ping"', PLAIN)),
    ...broken,
    stdout: /events\.ndjson:2:\d+: not valid JSON.*events#ping on .*no longer checked/s,
  },
  {
    name: 'an entry with a name keeps the groups apart',
    ...since(
      { ...lines(ORDER), [CONFIG]: config([{ id: 'log', input: 'events.ndjson' }]) },
      lines(ORDER, PING),
    ),
    ...broken,
    stdout: /● log#order on .*✖ log#ping on/s,
  },
]);

const glob = { 'a/data.json': ROWS, [CONFIG]: config(['*/data.json']) };

testQuick('gate, names', [
  {
    name: 'a second match of a glob hides no growth of the first',
    ...since(glob, { 'a/data.json': BIG, 'b/data.json': ROWS }),
    ...broken,
    stdout: /a\/data on .*maxBytes.*b\/data on .*not in the baseline/s,
  },
  {
    name: 'one match of a glob fewer',
    ...since({ ...glob, 'b/data.json': '7' }, { [CONFIG]: config(['a*/data.json']) }),
    ...broken,
    stdout: /b\/data on .*no longer checked/s,
  },
  {
    name: 'a glob that matches nothing any more',
    ...since(glob, { [CONFIG]: config(['*/none.json']) }),
    ...broken,
    stdout: /none\.json: no such file.*a\/data on .*no longer checked/s,
  },
  {
    name: 'a named glob with one match is called as with two',
    ...since({ ...glob, [CONFIG]: config([{ id: 'd', input: '*/data.json' }]) }, { 'b/data.json': ROWS }),
    ...broken,
    stdout: /● d\/a\/data on .*✖ d\/b\/data on/s,
  },
  {
    name: 'a second export does not rename the first',
    ...since(
      { 'm.mjs': 'a', [CONFIG]: config([{ id: 'm', input: 'm.mjs', export: 'a' }]) },
      { [CONFIG]: config([{ id: 'm', input: 'm.mjs', export: 'a' }]), 'm.mjs': 'a b' },
    ),
    script: { values: { 'm#a': [1], 'm#b': [2] } },
    ...kept,
  },
  {
    name: 'a renamed payload that also grew is not taken for a rename',
    ...since(
      { 'rows.json': ROWS, [CONFIG]: config(['rows.json']) },
      { 'people.json': BIG, [CONFIG]: config(['people.json']) },
    ),
    ...broken,
    never: /Renamed/,
    stdout: /people on .*not in the baseline.*rows on .*no longer checked/s,
  },
  {
    name: 'a payload that the config names and nobody finds',
    ...since(
      { 'rows.json': ROWS, 'b.json': '1', [CONFIG]: config(['rows.json', 'b.json']) },
      { 'rows.json': '' },
    ),
    exit: 2,
    stderr: [],
    mostLines: 9,
    stdout: /rows\.json: the file is empty/,
    never: /no longer checked/,
  },
  {
    name: 'two entries of one name',
    args: ['check'],
    files: { 'a/rows.json': ROWS, 'b/rows.json': BIG, [CONFIG]: config(['a/*.json', 'b/*.json']) },
    runtimes: RUNTIMES,
    ...refused(/both called 'rows'/),
  },
]);

const onBoth = { [CONFIG]: config(['rows.json'], { runtimes: RUNTIMES }) };

testQuick('gate, runtimes', [
  {
    name: 'a runtime more',
    ...since(rows, onBoth),
    ...broken,
    stdout: /node@24\.0\.0.*not in the baseline/s,
  },
  {
    name: 'a runtime fewer',
    ...since({ ...rows, ...onBoth }, { [CONFIG]: config(['rows.json']) }),
    ...broken,
    stdout: /rows on node@24\.0\.0.*no longer checked/s,
  },
  {
    name: 'a channel fewer',
    ...since(
      { ...rows, [CONFIG]: config(['rows.json'], { channels: ['worker', 'ipc'] }) },
      { [CONFIG]: config(['rows.json']) },
    ),
    ...broken,
    stdout: /rows on bun@1\.4\.5 over ipc.*no longer checked/s,
  },
  {
    name: 'a module that no runtime can open is not measured, and its exports are not called unchecked',
    args: ['check'],
    files: {
      'm.mjs': 'a',
      [CONFIG]: config(['m.mjs'], { runtimes: ['deno'] }),
      [BASELINE]: baselineOf({ 'm#a': { runtimes: { deno: facts } } }),
    },
    runtimes: [],
    exit: 3,
    stderr: [],
    mostLines: 9,
    stdout: /runtime 'any' was not found/,
    never: /no longer checked/,
  },
  {
    name: 'accepting where a runtime is missing keeps its facts',
    args: ['check', '--accept'],
    files: {
      ...rows,
      [CONFIG]: config(['rows.json'], { runtimes: ['deno', 'bun@1.4.5'] }),
      [BASELINE]: baselineOf({ rows: { runtimes: { deno: facts, 'node@24.0.0': facts } } }),
    },
    runtimes: RUNTIMES,
    exit: 3,
    stderr: [/rows: on deno: runtime 'deno' was not found/],
    mostLines: 9,
    stdout: /- rows on node@24\.0\.0/,
    never: /- rows on deno/,
  },
  {
    name: 'a runtime that is not here is not measured, and not called unchecked',
    ...since(
      { ...rows, ...onBoth },
      { [CONFIG]: config(['rows.json'], { runtimes: ['bun@1.4.5', 'deno'] }) },
    ),
    ...broken,
    stdout: /rows on deno.*not measured: runtime 'deno'.*rows on node@24\.0\.0.*no longer checked/s,
  },
]);

testQuick('gate, new payloads', [
  {
    name: 'allowed by the config: told',
    ...since(
      { ...rows, [CONFIG]: config(['rows.json'], { new: 'ok' }) },
      { 'b.json': '1', [CONFIG]: config(['rows.json', 'b.json'], { new: 'ok' }) },
    ),
    ...kept,
    stdout: /warning: baseline: not in the baseline/,
  },
  {
    name: 'allowed by the config: limits of their own still hold',
    ...since(rows, {
      'b.json': BIG,
      [CONFIG]: config(['rows.json', { input: 'b.json', limits: { maxBytes: '1 kB' } }], { new: 'ok' }),
    }),
    ...broken,
    stdout: /maxBytes: 5\.0\d kB, limit 1 kB/,
  },
  {
    name: 'allowed by the config: what is gone still fails',
    ...since(rows, { 'b.json': '1', [CONFIG]: config(['b.json'], { new: 'ok' }) }),
    ...broken,
    stdout: /rows on .*no longer checked/s,
  },
  {
    name: 'an unknown policy',
    ...since(rows, { [CONFIG]: config(['rows.json'], { new: 'off' }) }),
    ...refused(/new: expected "error" or "ok"/),
  },
  {
    name: 'a payload that is named is checked alone, and the others are counted',
    ...since({ ...rows, 'b.json': '1', [CONFIG]: config(['rows.json', 'b.json']) }, {}),
    args: ['check', 'b'],
    ...kept,
    stdout: /Not asked for: 1 payload of the baseline/,
  },
  {
    name: 'a part of a payload that is named',
    ...since(events, lines(ORDER, PLAIN)),
    args: ['check', 'events'],
    ...broken,
    stdout: /events#ping on .*no longer checked/s,
  },
  {
    name: 'accepted for one payload, the others stay as they were',
    ...since(
      { ...rows, 'b.json': '1', [CONFIG]: config(['rows.json', 'b.json']) },
      { 'rows.json': BIG, 'b.json': BIG },
    ),
    args: ['check', '--accept', 'rows'],
    ...kept,
    stdout: /rows on bun@1\.4\.5: bytes 46/,
    never: /b on /,
  },
]);
