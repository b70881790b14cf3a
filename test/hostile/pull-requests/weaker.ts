import type { LimitsConfig } from '../../../src/model/documents/config.ts';
import {
  CONFIG,
  common,
  config,
  entry,
  entryOf,
  FILES,
  file,
  limit,
  module,
  nearer,
  now,
  ONLY_TIME,
  type PullRequest,
  rowsText,
  set,
  timed,
  told,
  whole,
  without,
  withoutRead,
} from './project.ts';

/** Each makes the gate weaker, or a payload dearer. */
export const WEAKER: readonly PullRequest[] = [
  limit('maxBytes is raised', { maxBytes: '6.4 kB' }),
  limit('maxBytes is raised by a byte', { maxBytes: '2001 B' }),
  limit('maxBytes is off', { maxBytes: 'off' }),
  limit('maxBytes only warns', { maxBytes: ['warn', '2 kB'] }),
  limit('maxBytes is relative now', { maxBytes: '+10%' }),
  limit('maxNodes is raised', { maxNodes: 331 }),
  limit('maxNodes is off', { maxNodes: 'off' }),
  limit('maxDepth is raised', { maxDepth: 9 }),
  limit('maxDepth is off', { maxDepth: 'off' }),
  limit('class is off', { class: 'off' }),
  limit('class allows what is refused', { class: 'rejected' }),
  limit('lossy warns', { lossy: 'warn' }),
  limit('rejected is off', { rejected: 'off' }),
  limit('maxAmplification of one payload is raised', { maxAmplification: 50 }),
  limit('a relative limit becomes a generous absolute one', { maxBytes: '64 kB' }, 'files'),
  common('maxBytes of all is off', { maxBytes: 'off' }),
  common('maxBytes of all grows', { maxBytes: '+900%' }),
  common('maxNodes of all is off', { maxNodes: 'off' }),
  common('maxDepth of all grows', { maxDepth: '+100%' }),
  common('maxDepth of all warns', { maxDepth: ['warn', '+0%'] }),
  common('class of all is off', { class: 'off' }),
  common('rejected warns', { rejected: 'warn' }),
  common('transfer is off', { transfer: 'off' }),
  common('a warning is off', { lossy: 'off' }),
  common('maxAmplification is raised', { maxAmplification: 3 }),
  entry('the id points at another file', { input: 'data/small.json' }),
  entry('the id points at a glob', { input: 'data/small*.json' }),
  entry('it is read as text', { as: 'text' }),
  entry('it is read as bytes', { as: 'bytes' }),
  entry('another kind of line', { export: 'user' }, 'log'),
  entry('the envelope is gone', { via: null }, 'tile'),
  entry('another envelope', { via: 'piscina' }, 'tile'),
  entry('the rewrite is gone', { remedies: [] }, 'tile'),
  entry('the buffers are said to be moved', { transfer: ['$.pixels'] }),
  entry('one runtime of one payload is gone', { runtimes: ['node'] }),
  entry('one channel of one payload is gone', { channels: ['worker'] }),
  entry('the sender is another one', { sender: 'worker' }),
  entry('the id is another one', { id: 'orders2' }),
  entry('the glob matches less', { input: 'data/files/a*.json' }, 'files'),
  without('orders'),
  without('data/rows.json'),
  without('files'),
  without('log'),
  without('tile'),
  whole('a runtime is gone', (all) => all.runtimes.pop()),
  set('a runtime is another version', { runtimes: ['node', 'bun@1.4'] }),
  whole('a channel is gone', (all) => all.channels.pop()),
  { ...set('new payloads may go', { new: 'ok' }), told: 'new' },
  { ...set('undecided limits pass', { undecided: 'warn' }), told: 'undecided' },
  {
    ...set('it accepts something, as configs of earlier versions did', { accept: ['0123456789ab'] }),
    exit: 2,
  },
  {
    name: 'the config is renamed and weaker',
    files: { [CONFIG]: null, 'clone-prof.config.mjs': 'export default { payloads: ["data/small.json"] };\n' },
  },
  {
    name: 'the config moves into package.json and is weaker',
    files: {
      [CONFIG]: null,
      'package.json': JSON.stringify({ 'clone-prof': { payloads: ['data/small.json'] } }),
    },
  },
  file('a payload grows', { 'data/rows.json': rowsText(9) }),
  file('a payload has more values in as many bytes', {
    'data/rows.json': JSON.stringify(Array.from({ length: 100 }, () => 1)),
  }),
  file('a payload is deeper', { 'data/rows.json': `[{"a":{"b":{"c":{"d":1}}}}]` }),
  { ...file('a payload is gone', { 'data/rows.json': null }), exit: 2 },
  file('a file of a glob is gone', { 'data/files/b.json': null }),
  file('a file of a glob grows', { 'data/files/b.json': rowsText(40) }),
  { ...file('a payload cannot be read', { 'data/orders.json': '[' }), exit: 3 },
  file('a kind of line is gone', { 'data/log.ndjson': '{"type":"user","id":2,"name":"Ada"}\n' }),
  file('another file of a glob grows', { 'data/files/a.json': rowsText(6) }),
  {
    ...whole('orders is renamed and grows', (all) => (entryOf(all, 'orders').input = 'data/orders2.json')),
    files: { 'data/orders.json': null, 'data/orders2.json': rowsText(60) },
  },
  timed('as many bytes are slower', now(130_000)),
  { ...timed('slower, and nobody can tell', { ...now(112_000), jitter: 0.9 }), exit: 3 },
  {
    ...timed('slower, and hardly anything was measured', { ...now(112_000), jitter: 0.9, rounds: 1 }),
    exit: 3,
  },
  module('a module makes more', 'rows(9)'),
  module('a module makes less where CI is', 'process.env.CI ? rows(3) : rows(300)'),
  module('a module makes less for a developer', 'process.env.CI ? rows(300) : rows(3)'),
  module('a module makes less at first', 'calls++ < 1 ? rows(3) : rows(300)'),
  module('a module makes less five times', 'calls++ < 5 ? rows(3) : rows(300)'),
  {
    ...file('a file that a module reads by the working folder', { 'data/read.json': rowsText(60) }),
    exit: 3,
  },
  {
    name: 'less is checked than the strict preset does',
    told: 'maxBytes',
    main: (all) => {
      all.extends = 'strict';
    },
    edit: (all) => {
      all.extends = 'recommended';
    },
  },
  {
    name: 'a nearer config means another rewrite by the same name',
    told: 'remedies',
    folder: 'packages/app',
    main: withoutRead,
    files: {
      [`packages/app/${CONFIG}`]: nearer((text) => text),
      'packages/app/tile.mjs': FILES['tile.mjs']!,
    },
  },
  {
    name: 'more values in as many bytes, with the limits of the preset alone',
    main: (all) => {
      all.limits = {};
    },
    files: { 'data/rows.json': JSON.stringify(Array.from({ length: 100 }, () => 1)) },
  },
  limit('maxBytes is relative, and only warns', { maxBytes: ['warn', '+10%'] }),
  limit('maxDepth is relative', { maxDepth: '+50%' }),
  limit('class allows what is degraded', { class: 'degraded' }),
  limit('class is relative', { class: 'baseline' }),
  limit('time may grow by half', { time: '+50%' }, 'timed'),
  limit('time only warns', { time: ['warn', '+10%'] }, 'timed'),
  limit('time is off', { time: 'off' }, 'timed'),
  limit('maxNodes of a glob is off', { maxNodes: 'off' }, 'files'),
  limit('maxBytes of lines grows', { maxBytes: '+900%' }, 'log'),
  limit('maxNodes of a module is a generous number', { maxNodes: 100_000 }, 'made'),
  common('maxAmplification is off', { maxAmplification: 'off' }),
  common('maxNodes of all warns', { maxNodes: ['warn', '+10%'] }),
  common('class of all is what is degraded', { class: 'degraded' }),
  entry('the rewrites may do nothing', { gain: 'any' }, 'tile'),
  entry('another rewrite, that proves nothing', { remedies: ['v8'] }, 'tile'),
  told('export', 'every export of a module', (all) => {
    delete entryOf(all, 'made').export;
  }),
  entry('lines are read as text', { as: 'text' }, 'log'),
  entry('an envelope that was not there', { via: 'comlink' }),
  entry('a glob is one file', { input: 'data/files/a.json' }, 'files'),
  entry('a glob leaves the first file out', { input: 'data/files/[b-z]*.json' }, 'files'),
  entry('an id points into a glob', { input: 'data/files/a.json' }),
  entry('a glob of another id', { id: 'file' }, 'files'),
  entry('another runtime in place of one', { runtimes: ['node', 'deno@2.9.6'] }),
  entry('another channel in place of one', { channels: ['worker', 'broadcast'] }),
  entry('the exact version of a runtime', { runtimes: ['node@24.0.0', 'bun@1.4.5'] }),
  { ...set('the sender of all is another one', { sender: 'worker' }), told: 'sender' },
  told('maxBytes', 'the limits of a payload are gone', (all) => {
    delete entryOf(all, 'orders').limits;
  }),
  told('maxBytes', 'a payload gets an id, and no limit', (all) => {
    all.payloads = all.payloads.map((one) =>
      one === 'data/rows.json' ? { id: 'rows', input: one, limits: { maxBytes: 'off' } } : one,
    );
  }),
  told('input', 'the name of a file is the id of another', (all) => {
    all.payloads = all.payloads.map((one) =>
      one === 'data/rows.json' ? { id: 'rows', input: 'data/small.json' } : one,
    );
  }),
  {
    ...told('input', 'two ids change places', (all) => {
      entryOf(all, 'orders').input = 'data/timed.json';
      entryOf(all, 'timed').input = 'data/orders.json';
    }),
    isTimed: true,
  },
  whole('what is gone is named as removed, which nobody has allowed', (all) => {
    all.payloads = all.payloads.filter((one) => typeof one === 'string' || one.id !== 'orders');
    all.removed = ['orders'];
  }),
  whole('a runtime is named as removed', (all) => {
    entryOf(all, 'orders').runtimes = ['node'];
    all.removed = ['orders on bun@1.4.5'];
  }),
  set('all payloads but one are gone', { payloads: ['data/rows.json'] }),
  { ...whole('no payload is left', (all) => (all.payloads = [])), exit: 2 },
  { ...whole('an entry is there twice', (all) => all.payloads.push(entryOf(all, 'orders'))), exit: 2 },
  { ...whole('a limit is misspelt', (all) => (all.limits = { maxByte: '1 GB' } as LimitsConfig)), exit: 2 },
  { ...whole('a preset that is not there', (all) => (all.extends = 'none')), exit: 2 },
  { name: 'the config is gone', files: { [CONFIG]: null }, exit: 2 },
  { name: 'the config cannot be read', text: () => '{', exit: 2 },
  { name: 'the config is empty', text: () => '', exit: 2 },
  {
    name: 'the config ends its process',
    files: { [CONFIG]: null, 'clone-prof.config.mjs': 'process.exit(0);\n' },
    exit: 2,
  },
  {
    name: 'the config demands less where it is evaluated',
    files: {
      [CONFIG]: null,
      'clone-prof.config.mjs': `const all = ${JSON.stringify(config())};
if (process.argv.length < 9) all.payloads = all.payloads.slice(1);
export default all;\n`,
    },
  },
  {
    name: 'the config takes its limits from a file that grows with the payload',
    told: 'maxBytes',
    isTimed: true,
    files: {
      [CONFIG]: null,
      'limit.txt': '64 kB',
      'clone-prof.config.mjs': `import { readFileSync } from 'node:fs';
const all = ${JSON.stringify(config())};
all.payloads[0].limits.maxBytes = readFileSync('limit.txt', 'utf8');
export default all;\n`,
    },
  },
  {
    ...set('new files may go, and one goes', { new: 'ok' }),
    files: { 'data/files/b.json': null },
  },
  {
    ...set('new lines may go, and a kind goes', { new: 'ok' }),
    files: { 'data/log.ndjson': '{"type":"user","id":2,"name":"Ada"}\n' },
  },
  {
    name: 'a payload that grows is moved into a glob',
    edit: (all) => {
      all.payloads = all.payloads.filter((one) => one !== 'data/rows.json');
    },
    files: { 'data/rows.json': null, 'data/files/rows.json': rowsText(9) },
  },
  {
    name: 'the name of a file differs in its case',
    edit: (all) => {
      all.payloads = all.payloads.map((one) => (one === 'data/rows.json' ? 'data/Rows.json' : one));
    },
    files: { 'data/rows.json': null, 'data/Rows.json': FILES['data/rows.json']! },
  },
  {
    ...timed('slower, and the limit is raised', now(130_000)),
    edit: (all) => {
      entryOf(all, 'timed').limits = { ...ONLY_TIME, time: '+50%' };
    },
  },
  {
    ...timed('slower, nobody can tell, and that may pass', { ...now(112_000), jitter: 0.9 }),
    edit: (all) => {
      all.undecided = 'warn';
    },
    exit: 3,
  },
  {
    ...whole('a rewrite is gone with its file', (all) => (entryOf(all, 'tile').remedies = [])),
    files: { 'tile.mjs': null },
  },
  { ...file('the file of a rewrite is gone', { 'tile.mjs': null }), exit: 2 },
  file('two payloads change places', {
    'data/orders.json': FILES['data/rows.json']!,
    'data/rows.json': FILES['data/orders.json']!,
  }),
  file('a payload holds a long text', {
    'data/rows.json': JSON.stringify([{ id: 0, name: 'x'.repeat(999) }]),
  }),
  file('lines of a kind grow', {
    'data/log.ndjson': `{"type":"order","id":1,"text":"${'x'.repeat(99)}"}\n{"type":"user","id":2,"name":"Ada"}\n`,
  }),
  file('a file of a glob is deeper', { 'data/files/a.json': '[{"a":{"b":{"c":1}}}]' }),
  { ...file('a payload is empty', { 'data/rows.json': '' }), exit: 2 },
  { ...file('a payload grows, in a merge', { 'data/rows.json': rowsText(9) }), merge: true },
  { ...limit('maxBytes is raised, in a merge', { maxBytes: '64 kB' }), merge: true },
  { ...without('orders'), name: 'orders is no longer checked, in a merge', merge: true },
];

/** More in each payload. */
export const GROWING: PullRequest = file('each payload grows', {
  ...Object.fromEntries(
    ['orders', 'rows', 'files/a', 'files/b', 'tile'].map((name) => [`data/${name}.json`, rowsText(60)]),
  ),
  'data/log.ndjson': `{"type":"order","id":1,"text":"${'x'.repeat(100)}"}\n{"type":"user","id":2,"name":"Ada"}\n`,
});
