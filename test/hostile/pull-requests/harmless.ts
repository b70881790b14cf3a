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
  type PullRequest,
  rowsText,
  set,
  timed,
  whole,
  withoutRead,
} from './project.ts';

/** None weakens anything. */
export const HARMLESS: readonly PullRequest[] = [
  { name: 'nothing' },
  { name: 'the config is reformatted', text: (all) => JSON.stringify(all, null, 4) },
  {
    name: 'keys of the config are in another order',
    text: (all) => JSON.stringify(Object.fromEntries(Object.entries(all).reverse())),
  },
  {
    name: 'the config is JavaScript now',
    text: () => '',
    files: {
      [CONFIG]: null,
      'clone-prof.config.mjs': `// The same.\nexport default ${JSON.stringify(config(), null, 2)};\n`,
    },
  },
  {
    name: 'the config is in package.json now',
    text: () => '',
    files: { [CONFIG]: null, 'package.json': JSON.stringify({ name: 'x', 'clone-prof': config() }) },
  },
  file('a README', { 'README.md': '# x\n' }),
  file('a payload is reformatted', {
    'data/rows.json': JSON.stringify(JSON.parse(FILES['data/rows.json']!), null, 2),
  }),
  file('a payload is smaller', { 'data/rows.json': rowsText(4) }),
  file('a payload has other values of the same size', {
    'data/rows.json': FILES['data/rows.json']!.replaceAll('name', 'nome'),
  }),
  file('a new file of a glob', { 'data/files/c.json': rowsText(8) }),
  file('a new kind of line', { 'data/log.ndjson': `${FILES['data/log.ndjson']}{"type":"x","a":1}\n` }),
  module('a comment in a module', 'rows(3) /* as before */'),
  module('a module makes a bit less', 'rows(2)'),
  timed('as fast as before', now(100_000)),
  timed('faster', now(50_000)),
  file('a comment in a rewrite', { 'tile.mjs': `// A tile.\n${FILES['tile.mjs']}` }),
  {
    ...whole('a new payload', (all) => all.payloads.push('data/new.json')),
    files: { 'data/new.json': '[1,2]' },
  },
  {
    ...whole('two new payloads, one of a file that was there', (all) =>
      all.payloads.push({ id: 'one', input: 'data/new.json' }, { id: 'two', input: 'data/rows.json' }),
    ),
    files: { 'data/new.json': '[1,2]' },
  },
  whole('payloads are in another order', (all) => all.payloads.reverse()),
  whole('runtimes are in another order', (all) => all.runtimes.reverse()),
  whole('channels are in another order', (all) => all.channels.reverse()),
  whole('one more runtime', (all) => all.runtimes.push('deno@2.9.6')),
  whole('one more channel', (all) => all.channels.push('broadcast')),
  set('a rewrite for all', { remedies: ['./tile.mjs'] }),
  whole('common limits stand at each payload', (all) => {
    all.payloads = all.payloads.map((one) => {
      const own = typeof one === 'string' ? { input: one } : one;
      return { ...own, limits: { ...all.limits, ...own.limits } };
    });
  }),
  whole('one more entry of a file, on one channel', (all) => {
    const one = entryOf(all, 'log');
    all.payloads.push({ ...one, id: 'log2', channels: ['worker'] });
  }),
  limit('maxBytes is lower', { maxBytes: '1900 B' }),
  limit('maxBytes is written otherwise', { maxBytes: '2000 B' }),
  limit('maxNodes is lower', { maxNodes: 90 }),
  common('maxDepth says +0 % at every payload', { maxDepth: ['error', '+0%'] }),
  common('losses are errors', { lossy: 'error' }),
  common('maxBytes of all is lower', { maxBytes: '+5%' }),
  common('maxAmplification is lower', { maxAmplification: 1.5 }),
  whole('the preset is written', (all) => {
    all.limits = { ...all.limits, maxBytes: '+10%', class: 'baseline' };
  }),
  {
    name: 'a nearer config with the same files',
    folder: 'packages/app',
    main: withoutRead,
    files: {
      [`packages/app/${CONFIG}`]: nearer((text) => text.replace('"./tile.mjs"', '"../../tile.mjs"')),
    },
  },
  {
    ...whole('a file moves, unchanged', (all) => (entryOf(all, 'orders').input = 'samples/orders.json')),
    files: { 'data/orders.json': null, 'samples/orders.json': FILES['data/orders.json']! },
  },
  limit('time is stricter', { time: '+5%' }, 'timed'),
  limit('maxDepth only as deep as it is', { maxDepth: 3 }),
  limit('a limit that was off', { time: '+20%' }, 'files'),
  set('policies are written', { new: 'error', undecided: 'error' }),
  whole('the preset is the default', (all) => {
    delete all.extends;
  }),
  set('a schema for editors', { $schema: './node_modules/clone-prof/dist/config.schema.json' }),
  set('something is named as removed that never was', { removed: ['invoices', 'orders on deno'] }),
  set('a folder for fixtures', { fixtures: 'fixtures' }),
  whole('a payload gets its name as an id', (all) => {
    all.payloads = all.payloads.map((one) => (one === 'data/rows.json' ? { id: 'rows', input: one } : one));
  }),
  whole('paths are written otherwise', (all) => {
    entryOf(all, 'orders').input = './data/orders.json';
    entryOf(all, 'files').input = './data/files/*.json';
  }),
  entry('a rewrite stands twice', { remedies: ['./tile.mjs', './tile.mjs'] }, 'tile'),
  entry('a serializer is proven too', { remedies: ['./tile.mjs', 'v8'] }, 'tile'),
  entry('one more runtime of one payload', { runtimes: ['node', 'bun@1.4.5'] }, 'log'),
  entry('one more channel of one payload', { channels: ['worker', 'message-port'] }, 'files'),
  whole('all limits are stricter', (all) => {
    all.extends = 'strict';
    all.limits = { ...all.limits, maxNodes: '+5%' };
  }),
  file('a file that nothing names', { 'data/other.json': rowsText(500) }),
  file('a lock file and a version of Node', {
    'package-lock.json': '{"lockfileVersion":3}',
    '.nvmrc': '24\n',
  }),
  file('the project gets a package.json', { 'package.json': '{"name":"x","type":"module"}' }),
  file('a payload has its keys in another order', {
    'data/rows.json': JSON.stringify(
      JSON.parse(FILES['data/rows.json']!).map((one: object) =>
        Object.fromEntries(Object.entries(one).reverse()),
      ),
    ),
  }),
  file('a payload is flatter', { 'data/rows.json': '[{"id":1},{"id":2}]' }),
  file('lines are in another order', {
    'data/log.ndjson': `${FILES['data/log.ndjson']!.trim().split('\n').reverse().join('\n')}\n`,
  }),
  file('more of the same lines', { 'data/log.ndjson': FILES['data/log.ndjson']!.repeat(3) }),
  {
    ...whole(
      'a file moves within its glob, and the id says where it was',
      (all) => (entryOf(all, 'timed').input = 'data/later/timed.json'),
    ),
    files: { 'data/timed.json': null, 'data/later/timed.json': FILES['data/timed.json']! },
  },
  { ...file('a payload is smaller, in a merge', { 'data/rows.json': rowsText(4) }), merge: true },
  { ...whole('nothing, in a merge', () => undefined), merge: true },
];
