/** Baselines that were edited, and what they must not hold. */
import { type QuickCase, testQuick } from './corpus.ts';
import {
  BASELINE,
  baselineOf,
  broken,
  CONFIG,
  config,
  facts,
  kept,
  RUNTIMES,
  refused,
  rows,
  since,
} from './gate-project.ts';

const edited = (text: string): Pick<QuickCase, 'args' | 'files' | 'runtimes'> => ({
  args: ['check'],
  files: { ...rows, [BASELINE]: text },
  runtimes: RUNTIMES,
});
const withFacts = (more: object) =>
  baselineOf({ rows: { runtimes: { 'bun@1.4.5': { ...facts, ...more } } } });

testQuick('gate, edited baselines', [
  { name: 'as it was written', ...edited(withFacts({})), ...kept },
  {
    name: 'a copy that is nested too deep to be written',
    ...edited(
      withFacts({}).replace(/\}\}\}$/, `,"sample":{"json":${'['.repeat(50_000)}${']'.repeat(50_000)}}}}}`),
    ),
    ...kept,
  },
  { name: 'emptied', ...edited(baselineOf({})), ...broken, stdout: /rows on .*not in the baseline/s },
  {
    name: 'without runtimes',
    ...edited(baselineOf({ rows: { runtimes: {} } })),
    ...broken,
    stdout: /not in the baseline/,
  },
  {
    name: 'another runtime key',
    ...edited(baselineOf({ rows: { runtimes: { 'bun@1.4.5 ': facts } } })),
    ...broken,
    stdout: /not in the baseline.*no longer checked/s,
  },
  {
    name: 'names of Object.prototype',
    ...edited(
      '{"schema":"clone-prof/baseline@1","payloads":{"__proto__":{"runtimes":{}},"constructor":{"runtimes":{}}}}',
    ),
    ...broken,
    stdout: /rows on .*not in the baseline/s,
  },
  {
    name: 'names that are commands of a runner',
    ...edited(baselineOf({ '::error::x\n##[group]\u001b[31m': { runtimes: { '\u202e': facts } } })),
    ...broken,
    stdout: /no longer checked/,
  },
  { name: 'bytes as text', ...edited(withFacts({ bytes: '46' })), ...refused(/rows.*bytes/) },
  {
    name: 'endless bytes',
    ...edited(withFacts({}).replace('"bytes":46', '"bytes":1e999')),
    ...refused(/rows.*bytes/),
  },
  { name: 'an unknown class', ...edited(withFacts({ class: 'fast' })), ...refused(/rows.*class/) },
  { name: 'a list of payloads', ...edited(baselineOf([])), ...refused(/payloads/) },
  {
    name: 'of a later version',
    ...edited(baselineOf({}, 'clone-prof/baseline@2')),
    ...refused(/baseline@2/),
  },
  { name: 'a merge conflict', ...edited(`<<<<<<< ours\n${withFacts({})}`), ...refused(/not valid JSON/) },
  {
    name: 'not there, and the config names it',
    args: ['check'],
    files: { ...rows, [CONFIG]: config(['rows.json'], { baseline: 'facts.json' }) },
    runtimes: RUNTIMES,
    ...refused(/facts\.json: no such file.*clone-prof baseline/),
  },
  {
    name: 'not there, and a limit needs it',
    args: ['check'],
    files: { ...rows, [CONFIG]: config(['rows.json'], { limits: { class: 'baseline' } }) },
    runtimes: RUNTIMES,
    exit: 3,
    stderr: [],
    mostLines: 9,
    stdout: /class: not measured: rows is not in the baseline/,
  },
]);

/** Values that a payload holds, as texts and as keys. */
const PRIVATE = JSON.stringify({ name: 'Ada', mails: { 'ada@example.com': 1, '4111-1111-1111': [{}] } });
const secrets = { 'private.json': PRIVATE, [CONFIG]: config(['private.json']) };
const VALUES = /Ada|ada@example|4111/;
const writes = { files: secrets, runtimes: RUNTIMES, shows: [BASELINE], exit: 0, stderr: null };

testQuick('gate, values', [
  { name: 'a baseline holds no text of a payload', ...writes, args: ['baseline'], never: VALUES },
  { name: 'nor one that is accepted', ...writes, args: ['check', '--accept'], never: VALUES },
  {
    name: 'masked copies hold no text and no key that is data',
    ...writes,
    args: ['baseline', '--samples', '--mask'],
    never: VALUES,
    stderr: /warning: .* holds numbers and keys of the payloads/,
  },
  {
    name: 'copies are removed when they are not asked for again',
    ...writes,
    before: [['baseline', '--samples']],
    args: ['baseline'],
    never: VALUES,
    stdout: /its copy is no longer kept/,
  },
  {
    name: 'copies are told',
    ...writes,
    args: ['baseline', '--samples'],
    stderr: /warning: .* holds copies of payloads/,
  },
  {
    name: 'a limit on time without a copy says what it needs',
    ...since(
      { ...rows, [CONFIG]: config(['rows.json'], { limits: { time: '+10%' } }) },
      { 'rows.json': '[{"id":1,"name":"Eva"},{"id":2,"name":"Alan"}]' },
    ),
    exit: 3,
    stderr: [],
    mostLines: 9,
    stdout: /time: not measured: .*measure against. Keep one: clone-prof baseline --samples/s,
  },
]);
