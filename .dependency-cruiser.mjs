/**
 * Who may import what: the plan of the source tree, and the rules made from it (`npm run check`). A room is a folder
 * of src that has arrows of its own. What a file may use of the language and the platform is in biome.json.
 */

/** What every command has. */
const COMMAND = ['app/world', 'cli/options', 'cli/session', 'machine', 'report', 'report/*'];
/** Inside a guest, beside its own rooms. */
const IN_GUEST = ['engines/probe', 'guest/platform', 'guest/user-code', 'value'];

/**
 * What each room may import besides itself and `model`. A subject is a folder of src. Its pure part has its name; what
 * touches the machine, and its command, are rooms below it. A file belongs to the longest name that is a folder of its
 * path; `gate` alone is what no other room below it has, `gate/*` all rooms below it.
 */
export const ROOMS = {
  // What passes between subjects. The names of channels are those of the one list.
  model: ['channels'],
  // A folder for each channel: its row, the ends of it inside guests, the rules that hold on it alone.
  channels: [],
  'channels/[^/]+/guest': ['engines/probe', 'guest/platform', 'guest/user-code'],
  'channels/[^/]+/rules': ['engines'],
  machine: [],

  value: [],
  stats: ['value'],

  engines: ['channels/[^/]+/rules'],
  'engines/versions': ['value'],
  'engines/classify': ['value', 'engines/versions'],
  'engines/rule-book': ['engines', 'engines/versions'],
  'engines/probe': ['value'],

  codec: ['channels', 'stats', 'value'],
  'codec/files': ['codec', 'machine'],
  'codec/command': [...COMMAND, 'codec', 'codec/files', 'gate/init'],

  guest: [...IN_GUEST, 'guest/*'],
  'guest/platform': ['channels/[^/]+/guest', 'engines/probe', 'engines/versions', 'guest/user-code', 'stats'],
  'guest/user-code': [],
  'guest/link': ['value'],
  'guest/channel': IN_GUEST,
  'guest/payload': [...IN_GUEST, 'record', 'stats', 'sweep'],
  'guest/describe': [
    ...[...IN_GUEST, 'guest/channel', 'guest/payload'],
    ...['codec', 'record', 'stats', 'sweep'],
  ],
  'guest/prove': [...IN_GUEST, 'codec', 'guest/channel', 'guest/payload', 'record'],
  'guest/measure': [...IN_GUEST, 'guest/channel', 'guest/payload', 'guest/prove', 'record', 'stats'],
  'guest/sizes': ['engines', 'engines/classify', 'engines/probe', 'value'],
  'guest/entries': [...IN_GUEST, 'channels/[^/]+/guest', 'guest', 'guest/*'],

  record: ['engines/versions', 'stats', 'value'],
  'record/analyze': ['engines', 'engines/classify', 'record', 'stats'],
  // No module of the program's realm that other code can reach: what is imported is bundled into one file.
  'record/tap': ['engines/probe', 'record', 'value'],
  'record/program': ['machine', 'record', 'runtimes'],
  'record/files': ['app/store', 'machine', 'record', 'value'],
  'record/command': [...COMMAND, 'record', 'record/files'],

  gate: ['stats', 'value'],
  'gate/repository': ['machine', 'runtimes'],
  'gate/check': [
    ...['app', 'app/*', 'codec', 'codec/files', 'engines/versions', 'machine', 'stats', 'value'],
    ...['gate', 'gate/repository'],
  ],
  'gate/init': [...COMMAND, 'app/store'],
  'gate/command': [
    ...[...COMMAND, 'app/sources', 'app/store', 'codec', 'codec/command', 'codec/files'],
    ...['gate', 'gate/check', 'record', 'record/files', 'value'],
  ],

  sweep: ['stats', 'value'],
  'sweep/run': ['app', 'codec', 'engines/versions', 'stats', 'sweep'],

  report: ['codec', 'engines/rule-book', 'record', 'report/*', 'stats', 'value'],
  'report/terminal': ['report'],
  'report/markdown': ['report'],
  'report/html': ['report'],
  'report/compare': ['stats', 'value'],
  'report/stored': ['app/store', 'machine', 'report/compare'],
  'report/meanings': ['engines/rule-book', 'machine', 'report'],

  runtimes: ['engines/probe', 'engines/versions', 'machine'],

  app: [
    ...[
      'codec',
      'engines',
      'engines/classify',
      'engines/versions',
      'record',
      'record/analyze',
      'stats',
      'value',
    ],
  ],
  'app/store': ['machine'],
  'app/sources': ['app/store', 'machine', 'record/files'],
  'app/world': ['app', 'app/sources', 'codec', 'machine', 'record/program', 'runtimes', 'sweep/run'],

  cli: [
    ...[...COMMAND, 'app', 'app/sources', 'codec/files', 'engines/rule-book', 'engines/versions', 'value'],
    ...['codec/command', 'gate/command', 'gate/init', 'record/command', 'sweep/run'],
  ],
  'cli/options': ['codec/files', 'value'],
  'cli/session': ['app', 'app/world', 'cli/options', 'machine', 'report'],

  'faces/playground': [
    ...['app', 'engines/probe', 'report', 'report/html', 'runtimes'],
    // Its script is that of its guests too.
    ...['guest', 'guest/platform'],
  ],
  'faces/library': [
    ...['app', 'app/store', 'app/world', 'engines', 'engines/*', 'gate/check', 'record', 'record/files'],
    ...['report', 'report/*', 'sweep/run', 'value'],
  ],
  'faces/matchers': ['faces/library', 'gate', 'report'],
  // Only its plugins.
  'faces/bundlers': ['app/world', 'codec', 'codec/files', 'machine'],
  index: ['faces/library'],
};

/** They touch the machine. All others have no Node.js: what they need is passed in. */
const WITH_NODE = [
  ...['app/sources', 'app/store', 'app/world', 'cli', 'cli/session', 'codec/command', 'codec/files'],
  ...['engines/probe', 'faces/bundlers', 'faces/matchers', 'gate/check', 'gate/command'],
  ...['gate/init', 'gate/repository', 'machine', 'record/command', 'record/files', 'record/program'],
  ...['report/meanings', 'report/stored', 'runtimes'],
];
const FILES_WITH_NODE = [
  'src/channels/[^/]+/guest/process\\.ts$',
  'src/guest/(platform|link)/',
  'src/record/tap/(look/|process/|platforms/(bun|deno|node|tap)\\.ts$)',
  'src/report/html/page\\.ts$',
  'src/faces/library/',
];

/** Where each package may be imported. */
const PACKAGES = {
  commander: 'cli/main\\.ts$',
  'cli-table3': 'report/terminal/nodes\\.ts$',
  chalk: 'report/terminal/',
  'd3-(array|shape)': 'report/html/charts/',
  esbuild: '(app/sources/bundle|faces/bundlers/esbuild)\\.ts$',
  tinyglobby: 'app/sources/',
  unplugin: 'faces/bundlers/codecs\\.ts$',
  uqr: 'cli/session/session\\.ts$',
  'fast-string-width': 'report/terminal/nodes\\.ts$',
  'fast-wrap-ansi': 'report/terminal/nodes\\.ts$',
  'jsonc-parser':
    '(gate/check/payload-files|guest/payload/(text-files|jsonc-parser\\.d)|app/store/config)\\.ts$',
  zod: '(model/(schema|documents/config)|app/store/documents)\\.ts$',
  semver: 'runtimes/provision/',
  'v8-profiler-next': 'guest/platform/profilers/',
  vitest: 'faces/matchers/vitest\\.ts$',
  '@jest/globals': 'faces/matchers/jest\\.ts$',
};

/** What is started or published: every other file must be reached from one of these. */
const ENTRIES = [
  ...['^src/cli/main\\.ts$', '^src/index\\.ts$', '^src/faces/matchers/(index|vitest|jest|bun)\\.ts$'],
  ...['^src/faces/bundlers/(vite|esbuild|rollup)\\.ts$', '^src/faces/playground/playground\\.ts$'],
  ...['^src/guest/entries/', '^src/record/tap/platforms/(tap|node|bun|deno|page)\\.ts$'],
  '^src/guest/platform/workerd/compiled-function\\.ts$',
];

const NAMES = Object.keys(ROOMS);
const below = (name) => NAMES.filter((other) => other.startsWith(`${name}/`));

/** Of the files of a room. */
function inRoom(name) {
  const others = below(name).map((other) => other.slice(name.length + 1));
  const without = others.length > 0 ? `(?!(${others.join('|')})(/|\\.ts$))` : '';
  return `^src/${name}(/${without}|\\.ts$)`;
}

const arrows = NAMES.map((name) => {
  const allowed = ROOMS[name].flatMap((to) => (to.endsWith('/*') ? below(to.slice(0, -2)) : [to]));
  return {
    name: `arrows of ${name}`,
    comment: `${name} may import itself, model${ROOMS[name].map((to) => `, ${to}`).join('')}`,
    severity: 'error',
    from: { path: inRoom(name) },
    to: { path: '^src/', pathNot: [name, 'model', ...allowed].map(inRoom) },
  };
});

const forbidden = (name, comment, from, to, more = {}) => ({
  ...{ name, comment, severity: 'error', from, to },
  ...more,
});
const everything = { path: '^src/' };
const foreign = { path: '^(?!src/)', dependencyTypesNot: ['core', 'local'] };
/** Where a package is found, or its name where it is only its user's. */
const packageFiles = (name) => `(^|node_modules/)(@types/)?${name}(/|$)`;

const packages = Object.entries(PACKAGES).map(([name, home]) =>
  forbidden(
    `package ${name}`,
    `it is imported in src/${home} alone`,
    { path: '^src/', pathNot: `^src/${home}` },
    { path: packageFiles(name) },
  ),
);

const options = {
  // TypeScript 7 has no API that a parser could use.
  parser: 'swc',
  tsPreCompilationDeps: true,
  doNotFollow: { path: 'node_modules' },
  enhancedResolveOptions: { extensions: ['.ts', '.js', '.mjs'] },
};

/**
 * The folder of a channel holds parts of three subjects: among circles of folders its ends count for the guest, its rules
 * for the engines, and neither for its row. The plan above says who may import them (`scripts/borders.mjs` checks both).
 */
export const folders = {
  forbidden: [
    forbidden(
      'circle of folders',
      'folders import one way too',
      everything,
      { circular: true },
      { scope: 'folder' },
    ),
  ],
  options: { ...options, exclude: { path: '^src/channels/[^/]+/(guest|rules)/' } },
};

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...arrows,
    ...packages,
    forbidden(
      'a room of its own',
      'the plan lists every folder',
      { path: '^src/', pathNot: NAMES.map(inRoom) },
      {},
    ),
    forbidden('into a room', 'the plan lists every folder', everything, {
      path: '^src/',
      pathNot: NAMES.map(inRoom),
    }),
    forbidden('out of the sources', 'what is published has nothing else', everything, {
      pathNot: '^src/',
      dependencyTypes: ['local'],
    }),
    forbidden('unlisted package', 'the plan lists every package', everything, {
      ...foreign,
      pathNot: [...Object.keys(PACKAGES).map(packageFiles), '^bun:', '^cloudflare:'],
    }),
    forbidden(
      'Bun of its own',
      'modules of Bun exist in Bun',
      {
        path: '^src/',
        pathNot:
          '^src/(engines/probe/bun|guest/platform|faces/matchers/bun\\.ts$|record/tap/(platforms|look)/bun|codec/module)',
      },
      { path: '^bun:' },
    ),
    forbidden(
      'workerd of its own',
      'modules of workerd exist in workerd',
      { path: '^src/', pathNot: '^src/engines/probe/workerd/' },
      { path: '^cloudflare:' },
    ),
    forbidden(
      'no Node.js',
      'this room has no I/O: it gets what it needs passed in',
      { path: '^src/', pathNot: [...WITH_NODE.map(inRoom), ...FILES_WITH_NODE.map((file) => `^${file}`)] },
      { dependencyTypes: ['core'] },
    ),
    forbidden('circle of files', 'type-only imports included', everything, { circular: true }),
    // Without circles, what no entry reaches begins with a file that nothing imports.
    {
      name: 'unreached file',
      comment: 'nothing imports it, and it is no entry',
      severity: 'error',
      from: {},
      module: {
        path: '^src/',
        pathNot: ['\\.d\\.ts$', ...ENTRIES],
        numberOfDependentsLessThan: 1,
      },
    },
  ],
  options,
};
