// Builds dist/, fetches the runtimes and runs the tests with node:test.
// usage: node scripts/test.mjs [--fast] [--check] [--whole] [flags of node --test] [parts of file names]
//   --fast   without the slow tests: no network, and no runtime but the Node that runs them
//   --whole  further versions, browsers, formats and signals too: test/support/whole.ts
//   --check  types and style too, beside the tests
import { execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { globSync } from 'tinyglobby';
import { buildAll } from './build.mjs';
import { bundleProgram, bundleTests } from './bundle-tests.mjs';
import { check } from './check.mjs';

/** Start no runtime, but take seconds: early, because a long file that starts late keeps a single core busy at the end. */
const QUICK = ['hostile/quick-pull-requests', 'cases/cases', 'cases/gate'];
/**
 * Start real processes, or take ten seconds: each in a process of its own. In this order, the longest first: all cores
 * stay busy to the end.
 */
const LONG = [
  'cases/real',
  'cases/guests',
  'cases/hostile',
  'guest/measure/measure',
  'package/',
  'runtimes/process/host-death',
  ...QUICK,
  'runtimes/process/process-',
  'cli/browsers/',
  'runtimes/browser/',
  'record/program/page.',
  'report/page-in-chromium',
  'faces/playground/chromium',
  'faces/playground/hostile',
  'cli/real',
  'guest/measure/profile',
  'engines/rule-payloads',
  'engines/probe/untouched',
  'guest/measure/memory',
];

/** Start real processes too, or take some seconds: neighbours share processes, each of which takes a while to load. */
const SHORT = [
  'hostile/real-',
  'record/tap/',
  'differential/',
  'runtimes/provision/provision',
  'codec/on-runtimes',
  'codec/libraries',
  'examples/',
  'guest/describe/',
  'guest/payload/on-runtimes',
  'guest/prove/prove',
  'faces/library/analyze',
  'cli/recorded-real',
  'cli/init',
  'cli/action',
  'cli/record.test',
  'cli/record-page',
  'cli/try',
  'cli/record-apps',
  'fixtures/verdicts',
  'app/sources/bundle',
  'engines/probe/probe',
  'app/verify',
  'runtimes/find/',
  'runtimes/electron/',
  'runtimes/process/supervisor',
  'runtimes/workerd',
  'support/runtimes',
  'sweep/run/real',
  'app/job/many-exports',
  'faces/bundlers/codecs',
  'bench/',
  'faces/playground/other-browsers',
  'stats/intervals/coverage',
];

/** Take seconds, with no process but their own. */
const BUSY = ['report/safe', 'codec/', 'record/module/made-again', 'value/describe/walk'];
const ORDER = [...LONG, ...SHORT, ...BUSY];
/** Left out by --fast. */
const SLOW = ORDER.filter((start) => !QUICK.includes(start) && !BUSY.includes(start));

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const OWN_FLAGS = ['--fast', '--check', '--whole'];
const args = process.argv.slice(2);
const parts = args.filter((arg) => !arg.startsWith('-'));
const nodeFlags = args.filter((arg) => arg.startsWith('-') && !OWN_FLAGS.includes(arg));
const isFast = args.includes('--fast');
const isWhole = args.includes('--whole');

const rank = (file) => {
  const index = ORDER.findIndex((start) => file.startsWith(`test/${start}`));
  return index < 0 ? ORDER.length : index;
};
const isIn = (names) => (file) => names.some((name) => file.startsWith(`test/${name}`));
const isSlow = isIn(SLOW);

const all = globSync('test/**/*.test.ts', { cwd: root });
const stale = ORDER.filter((start) => !all.some((file) => file.startsWith(`test/${start}`)));
if (stale.length > 0) {
  console.error(`scripts/test.mjs names tests that are gone: ${stale.join(', ')}`);
  process.exit(1);
}

const files = all
  .filter((file) => parts.length === 0 || parts.some((part) => file.includes(part)))
  .filter((file) => !isFast || !isSlow(file))
  .sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
if (files.length === 0) {
  console.error(`no test file matches: ${parts.join(' ')}`);
  process.exit(1);
}

/**
 * Of those that take a moment, which cannot share a process: some read the names of classes, which differ in one bundle
 * where two classes have the same; others look at handlers of their process, at a thread that is started once, or at what
 * only one package may define.
 */
const ALONE = /^test\/(value\/(compare|describe)|cli\/main|guest\/prove\/elsewhere|faces\/matchers)\b/;
const GROUPS = 3;
/** The whole suite takes longer: each has all of the runner's limit. */
const MAX_SHARED = isWhole ? 1 : 6;
/** They share browsers, or what a process loads for them. */
const SHARE_BROWSERS = [
  /^test\/runtimes\/browser\/(network|page-server|tabs)\./,
  /^test\/cli\/browsers\//,
  /^test\/runtimes\/browser\/(measure|window)\./,
  /^test\/(faces\/playground\/(chromium|hostile)|report\/(charts\/in-chromium|page-in-chromium))\./,
];

/** They end, or look for, the guests of all files of their process. */
const ENDS_GUESTS = /^(before|after)Each\(|\btrackChildProcesses\(/m;
const endsGuests = (file) => isSlow(file) && ENDS_GUESTS.test(readFileSync(join(root, file), 'utf8'));

/** The files of each process. */
function processesOf(all) {
  const isAlone = (file) => parts.length > 0 || isIn(LONG)(file) || ALONE.test(file) || endsGuests(file);
  const browsers = SHARE_BROWSERS.map((name) => all.filter((file) => name.test(file)));
  const light = all.filter((file) => !isAlone(file) && rank(file) === ORDER.length);
  const short = all.filter((file) => !isAlone(file) && rank(file) < ORDER.length);
  return [
    ...browsers,
    ...all
      .filter((file) => isAlone(file) && !browsers.flat().includes(file) && rank(file) < ORDER.length)
      .map((file) => [file]),
    // They never wait: at the end one core would be left alone with the last of them.
    ...Array.from({ length: GROUPS }, (_, group) => light.filter((_, i) => i % GROUPS === group)),
    ...shared(short),
    // The shortest at last: no core waits for long.
    ...all.filter((file) => isAlone(file) && rank(file) === ORDER.length).map((file) => [file]),
  ].filter((files) => files.length > 0);
}

/** Neighbours, MAX_SHARED at most: a process takes half a second to load what most of them need. */
function shared(files) {
  const groups = [];
  for (const file of files) {
    const last = groups.at(-1);
    if (last && last.length < MAX_SHARED) last.push(file);
    else groups.push([file]);
  }
  return groups;
}

/** What is here, as test/support/runtimes.ts reads it. */
async function fetchRuntimes() {
  const script = join(bundles, 'programs', 'fetch-runtimes.mjs');
  await bundleProgram(root, 'test/support/fetch-runtimes.ts', script);
  const fetching = promisify(execFile)(process.execPath, [script], { cwd: root });
  fetching.child.stderr?.pipe(process.stderr);
  return (await fetching).stdout;
}

/** What failed, once more at the end, also into a pipe; and what took longest. */
const REPORTERS = ['spec-with-sources', 'slowest-tests'].flatMap((name) => [
  `--test-reporter=${pathToFileURL(join(root, 'scripts', `${name}.mjs`)).href}`,
  '--test-reporter-destination=stdout',
]);

/**
 * Each of a thousand starts of Node would read this file first, which takes longer than all the rest of a start. What
 * asks a registry has it again: test/support/fetched.ts.
 */
const LATER_CERTIFICATES = {
  NODE_EXTRA_CA_CERTS: undefined,
  CLONE_PROF_TEST_CA_CERTS: process.env.NODE_EXTRA_CA_CERTS,
};

mkdirSync(join(root, '.cache'), { recursive: true });
const bundles = mkdtempSync(join(root, '.cache', 'tests-'));
/** All temporary folders of the tests, also of those that were killed. */
const temp = mkdtempSync(join(tmpdir(), 'clone-prof-tests-'));
process.on('exit', () => {
  for (const folder of [bundles, temp]) rmSync(folder, { recursive: true, force: true });
});

const checking = args.includes('--check') ? check() : Promise.resolve(true);
const [runtimes] = await Promise.all([
  files.some(isSlow) ? fetchRuntimes() : '{}',
  process.env.CLONE_PROF_NO_BUILD ? null : buildAll(),
  bundleTests(root, processesOf(files), bundles),
]);

const child = spawn(
  process.execPath,
  [
    // Most of what a test makes is garbage soon: looked through less often, less of it is moved.
    '--max-semi-space-size=64',
    '--test',
    // Three more than there are cores: many tests wait for processes and deadlines.
    `--test-concurrency=${availableParallelism() + 3}`,
    // Of a file. In the whole suite the one of the package installs with five package managers.
    `--test-timeout=${isWhole ? 1_800_000 : 600_000}`,
    ...(nodeFlags.some((flag) => flag.startsWith('--test-reporter')) ? [] : REPORTERS),
    ...nodeFlags,
    ...globSync('*.mjs', { cwd: bundles, absolute: true }).sort(),
  ],
  {
    cwd: root,
    env: {
      ...process.env,
      TMPDIR: temp,
      CLONE_PROF_TEST_RUNTIMES: runtimes,
      ...LATER_CERTIFICATES,
      ...(isWhole && { CLONE_PROF_TEST_WHOLE: '1' }),
    },
    stdio: 'inherit',
  },
);
// The child gets a Ctrl-C of the terminal too, and ends first.
process.on('SIGINT', () => undefined);
child.on('exit', async (code, signal) => {
  const isClean = await checking;
  if (!isClean) console.error('types or style: what is wrong stands above, among the tests');
  process.exit(code || signal || !isClean ? 1 : 0);
});
