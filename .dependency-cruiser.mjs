/**
 * Who may import what: the plan of the source tree, and the rules made from it (`npm run check`). A room is a folder
 * of src that has arrows of its own. What a file may use of the language and the platform is in biome.json.
 */

/**
 * What each room may import besides itself and `model`. A file belongs to the longest name that is a folder of its path;
 * `core` alone is what no other room below it has, `core/*` all rooms below it.
 */
export const ROOMS = {
  model: [],

  core: [],
  'core/describe': ['core'],
  'core/classify': ['core'],
  'core/compare': ['core'],
  'core/copy': ['core'],
  'core/stats': ['core'],
  'core/measure': ['core', 'core/stats'],
  'core/advise': ['core', 'core/stats'],
  'core/branches': ['core', 'core/copy', 'core/measure', 'core/stats'],
  'core/sweep': ['core', 'core/copy', 'core/stats'],
  'core/gate': ['core', 'core/measure', 'core/stats'],
  'core/payload-schema': ['core', 'core/describe'],
  'core/profile': ['core'],
  'core/recording': ['core', 'core/describe', 'core/stats'],
  'core/reports': ['core'],

  engines: [],
  remedies: ['core', 'core/*'],
  'rule-book': ['core', 'core/*', 'engines', 'remedies'],

  probe: ['core', 'core/describe'],

  guest: ['probe', 'guest/*'],
  'guest/platform': ['core', 'core/profile', 'probe', 'guest/user-code'],
  'guest/user-code': [],
  'guest/link': ['core'],
  'guest/channel': ['probe', 'guest/platform', 'guest/user-code'],
  'guest/payload': ['core', 'core/*', 'probe', 'guest/platform', 'guest/user-code'],
  'guest/describe': ['core', 'core/*', 'probe', 'guest/channel', 'guest/payload', 'guest/user-code'],
  'guest/prove': [
    ...['core', 'core/compare', 'core/describe', 'core/recording', 'probe', 'remedies'],
    ...['guest/channel', 'guest/payload', 'guest/platform', 'guest/user-code'],
  ],
  'guest/measure': [
    'core',
    'core/*',
    ...['guest/channel', 'guest/platform', 'guest/payload', 'guest/prove', 'guest/user-code'],
  ],
  'guest/sizes': ['core', 'core/*', 'engines', 'probe'],
  'guest/entries': ['core', 'page/visitor', 'probe', 'guest', 'guest/*'],

  // No module of the program's realm that other code can reach: what is imported is bundled into one file.
  'tap/realm': ['core', 'core/*', 'probe'],
  'tap/look': ['core', 'core/*', 'probe', 'tap/realm'],
  'tap/records': ['core', 'core/recording', 'tap/realm', 'tap/look'],
  'tap/messages': ['core', 'core/recording', 'tap/realm', 'tap/records', 'tap/look'],
  'tap/channels': ['core', 'core/recording', 'tap/realm', 'tap/records', 'tap/messages'],
  'tap/process': [
    ...['core', 'core/*', 'probe', 'tap/realm', 'tap/records', 'tap/look', 'tap/messages', 'tap/channels'],
  ],
  'tap/platforms': [
    ...['core', 'core/*', 'probe', 'tap/realm', 'tap/records', 'tap/look', 'tap/messages', 'tap/channels'],
    'tap/process',
  ],

  'page/visitor': ['reporters'],

  machine: [],
  sources: ['core', 'core/recording', 'machine', 'store'],
  repository: ['machine', 'runtimes'],
  runtimes: ['core', 'core/recording', 'machine', 'probe'],
  store: ['core', 'core/recording', 'machine'],

  app: ['core', 'core/*', 'engines', 'remedies'],
  services: ['app', 'core', 'core/reports', 'machine', 'runtimes', 'sources', 'store'],
  'services/gate': [...['app', 'core', 'core/*', 'machine', 'repository', 'services', 'sources', 'store']],
  reporters: ['core', 'core/recording', 'remedies', 'reporters/*', 'rule-book'],
  'reporters/terminal': ['reporters'],
  'reporters/markdown': ['reporters'],
  'reporters/html': ['reporters'],
  meanings: ['machine', 'reporters', 'rule-book'],
  cli: [
    ...['core', 'core/*', 'app', 'machine', 'meanings', 'reporters', 'reporters/*', 'rule-book', 'services'],
    ...['services/gate', 'sources', 'store'],
  ],

  page: [
    ...['app', 'core', 'probe', 'reporters', 'reporters/html', 'rule-book', 'runtimes'],
    // Its script is that of its guests too.
    ...['guest', 'guest/channel', 'guest/measure', 'guest/platform'],
  ],
  library: [
    ...['app', 'core', 'core/*', 'engines', 'meanings', 'probe', 'reporters', 'rule-book', 'services'],
    ...['services/gate', 'store'],
  ],
  matchers: ['core', 'core/*', 'library', 'reporters', 'rule-book'],
  // Only its plugins.
  bundlers: ['app', 'machine', 'services'],
  index: ['library'],
};

/** They touch the machine. All others have no Node.js: what they need is passed in. */
const WITH_NODE = [
  'bundlers',
  'cli',
  'machine',
  'matchers',
  'meanings',
  'probe',
  'repository',
  'runtimes',
  'services',
  'services/gate',
  'sources',
  'store',
  'tap',
];
const FILES_WITH_NODE = [
  'src/guest/(platform|link)/',
  'src/tap/(look|process)/',
  'src/tap/platforms/(bun|deno|node)\\.ts$',
  'src/reporters/html/page\\.ts$',
  'src/library/',
];

/** Where each package may be imported. */
const PACKAGES = {
  commander: 'cli/program\\.ts$',
  'cli-table3': 'reporters/terminal/table\\.ts$',
  chalk: 'reporters/terminal/',
  'd3-(array|hierarchy|scale|shape)': 'reporters/html/charts/',
  esbuild: '(sources/bundle|bundlers/esbuild)\\.ts$',
  tinyglobby: 'sources/',
  unplugin: 'bundlers/codecs\\.ts$',
  uqr: 'cli/session/session\\.ts$',
  nanospinner: 'cli/session/progress\\.ts$',
  'string-width': 'reporters/terminal/layout\\.ts$',
  'wrap-ansi': 'reporters/terminal/layout\\.ts$',
  'cli-truncate': 'reporters/terminal/layout\\.ts$',
  'jsonc-parser': '(sources/line|guest/payload/files/(read-file|jsonc-parser\\.d)|store/config)\\.ts$',
  zod: '(model/(schema|documents/config)|store/(document|documents|library-options))\\.ts$',
  semver: 'runtimes/provision/',
  'v8-profiler-next': 'guest/platform/profilers/',
  vitest: 'matchers/vitest\\.ts$',
  '@jest/globals': 'matchers/jest\\.ts$',
};

/** What is started or published: every other file must be reached from one of these. */
const ENTRIES = [
  ...['^src/cli/main\\.ts$', '^src/index\\.ts$', '^src/matchers/(index|vitest|jest|bun)\\.ts$'],
  ...['^src/bundlers/(vite|esbuild|rollup)\\.ts$'],
  ...['^src/store/schemas\\.ts$', '^src/guest/entries/', '^src/tap/platforms/(node|bun|deno|page)\\.ts$'],
  '^src/page/playground\\.ts$',
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
          '^src/(probe/bun|guest/platform|matchers/bun\\.ts$|tap/(platforms|look)/bun|remedies/module)',
      },
      { path: '^bun:' },
    ),
    forbidden(
      'workerd of its own',
      'modules of workerd exist in workerd',
      { path: '^src/', pathNot: '^src/probe/workerd/' },
      { path: '^cloudflare:' },
    ),
    forbidden(
      'no Node.js',
      'this room has no I/O: it gets what it needs passed in',
      { path: '^src/', pathNot: [...WITH_NODE.map(inRoom), ...FILES_WITH_NODE.map((file) => `^${file}`)] },
      { dependencyTypes: ['core'] },
    ),
    forbidden('circle of files', 'type-only imports included', everything, { circular: true }),
    forbidden(
      'circle of folders',
      'folders import one way too',
      everything,
      { circular: true },
      { scope: 'folder' },
    ),
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
  options: {
    // TypeScript 7 has no API that a parser could use.
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { extensions: ['.ts', '.js', '.mjs'] },
  },
};
