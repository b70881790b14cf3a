/** The plan of the source tree. A room is a folder of src, named here if it has arrows of its own. */

/**
 * What each room may import besides itself and `model`. A file belongs to the longest name that is a folder of its path;
 * `core` alone is the files directly in it, `core/*` all rooms below it.
 */
export const ROOMS: Readonly<Record<string, readonly string[]>> = {
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
  'core/recording': ['core', 'core/stats'],
  'core/reports': ['core'],

  engines: [],
  remedies: ['core', 'core/*'],
  'rule-book': ['core', 'core/*', 'engines', 'remedies'],

  probe: ['core', 'core/describe'],

  guest: ['guest/*'],
  'guest/platform': ['core', 'core/profile', 'probe', 'guest/user-code'],
  'guest/user-code': [],
  'guest/link': ['core'],
  'guest/channel': ['guest/platform', 'guest/user-code'],
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
  'guest/entries': ['core', 'page/visitor', 'probe', 'guest', 'guest/*'],

  // No module of the program's realm that other code can reach: what is imported is bundled into one file.
  tap: ['core', 'core/describe', 'core/recording', 'probe'],

  'page/visitor': ['reporters'],

  machine: [],
  sources: ['core', 'core/recording', 'store'],
  repository: ['machine', 'runtimes'],
  runtimes: ['core', 'core/recording', 'machine', 'probe'],
  store: ['core', 'core/recording'],

  app: ['core', 'core/*', 'engines', 'remedies'],
  services: ['app', 'machine', 'runtimes', 'sources'],
  reporters: ['core', 'reporters/*'],
  'reporters/section': ['reporters', 'core', 'core/recording'],
  'reporters/terminal': ['reporters', 'reporters/section'],
  'reporters/markdown': ['reporters', 'reporters/section'],
  'reporters/html': ['reporters', 'reporters/section'],
  'reporters/sweep': ['core', 'reporters', 'reporters/section', 'reporters/terminal', 'reporters/html'],
  'reporters/check': ['core', 'reporters', 'reporters/section', 'reporters/terminal', 'reporters/markdown'],
  cli: [
    ...['core', 'core/*', 'app', 'machine', 'reporters', 'reporters/*', 'rule-book', 'services'],
    ...['repository', 'sources', 'store'],
  ],

  page: [
    ...['app', 'core', 'probe', 'reporters', 'reporters/section', 'rule-book', 'runtimes'],
    // Its script is that of its guests too.
    ...['guest/entries', 'guest/platform'],
  ],
  library: ['app', 'core', 'core/*', 'engines', 'probe', 'rule-book', 'services'],
  matchers: ['core', 'core/*', 'library', 'reporters', 'rule-book'],
  index: ['library'],
};

/** Pure: no Node.js, no package, no clock, no chance. */
export const PURE = [
  // These compile without the types of any platform.
  ...['model', 'core', 'engines', 'remedies', 'rule-book'],
  ...['reporters/section', 'reporters/markdown', 'reporters/html'],
];

/** Packages without I/O, clock and chance: pure rooms may import them. */
export const PURE_PACKAGES = ['d3-array', 'd3-hierarchy', 'd3-scale', 'd3-shape'];

/** Where each package is imported; a package that is not listed is an error. */
export const PACKAGES: Readonly<Record<string, RegExp>> = {
  commander: /^src\/cli\/program\.ts$/,
  'cli-table3': /^src\/reporters\/terminal\/table\.ts$/,
  chalk: /^src\/reporters\/terminal\//,
  'd3-array': /^src\/reporters\/html\/charts\//,
  'd3-hierarchy': /^src\/reporters\/html\/charts\//,
  'd3-scale': /^src\/reporters\/html\/charts\//,
  'd3-shape': /^src\/reporters\/html\/charts\//,
  esbuild: /^src\/sources\/(page-)?bundle\.ts$/,
  tinyglobby: /^src\/sources\//,
  uqr: /^src\/cli\/link\.ts$/,
  nanospinner: /^src\/cli\/progress\.ts$/,
  lilconfig: /^src\/store\/config\//,
  'string-width': /^src\/reporters\/terminal\/layout\.ts$/,
  'wrap-ansi': /^src\/reporters\/terminal\/layout\.ts$/,
  'cli-truncate': /^src\/reporters\/terminal\/layout\.ts$/,
  tar: /^src\/runtimes\/provision\//,
  'jsonc-parser': /^src\/(sources\/line|guest\/payload\/json-error|store\/config\/add-payloads)\.ts$/,
  zod: /^src\/store\//,
  semver: /^src\/runtimes\/provision\//,
  'v8-profiler-next': /^src\/guest\/platform\/profilers\//,
  vitest: /^src\/matchers\/vitest\.ts$/,
  '@jest/globals': /^src\/matchers\/jest\.ts$/,
  'bun:test': /^src\/matchers\/bun\.ts$/,
  'bun:jsc': /^src\/(probe\/bun|guest\/platform)\//,
};

/** What is started or published: every other file must be reached from one of these. */
export const ENTRIES = [
  'src/cli/main.ts',
  'src/index.ts',
  /^src\/matchers\/(index|vitest|jest|bun)\.ts$/,
  'src/store/schemas.ts',
  /^src\/guest\/entries\//,
  /^src\/tap\/(node|bun|deno|page)\/start\.ts$/,
  'src/page/playground.ts',
  // In a page they take the place of the file of the same name.
  /\.(page|embedded|recorded)\.ts$/,
] as const;
