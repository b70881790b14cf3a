/** Pull requests that make the gate weaker or a payload dearer do not pass in silence; harmless ones pass. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readConfig } from '../../src/app/store/config.ts';
import { heldConfig, placedEntries } from '../../src/gate/check/gate-request.ts';
import type { CheckConfig } from '../../src/model/run/check-config.ts';
import { putCommit, putFiles, runGit } from '../support/git-repository.ts';
import { type CliRun, runCli } from '../support/run-cli.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { usually } from '../support/whole.ts';
import {
  BASELINE,
  CONFIG,
  config,
  FILES,
  GROWING,
  MADE,
  type ProjectConfig,
  type PullRequest,
  pullRequestsIn,
  RUNTIMES,
} from './pull-requests/project.ts';

/** Each makes the gate weaker, or a payload dearer. */
const WEAKER = pullRequestsIn('weaker.md');
/** None weakens anything. */
const HARMLESS = pullRequestsIn('harmless.md');

/** What main holds, and what the pull request writes. */
function sidesOf({ edit, files = {}, text, main: ofMain }: PullRequest, main: ProjectConfig) {
  ofMain?.(main);
  const now = structuredClone(main);
  edit?.(now);
  return {
    before: { ...FILES, [CONFIG]: JSON.stringify(main) },
    written: { [CONFIG]: (text ?? JSON.stringify)(now), ...files },
  };
}

function filesAfter(before: Record<string, string>, written: Record<string, string | null>) {
  const all: Record<string, string | null> = { ...before, ...written };
  return Object.fromEntries(Object.entries(all).filter((one): one is [string, string] => one[1] !== null));
}

const FAKES = { runtimes: RUNTIMES, script: { values: MADE } };

/** What is made of the files of main, once for all that start from the same. */
function once<T>(make: (files: Record<string, string>) => T): (files: Record<string, string>) => T {
  const known = new Map<string, T>();
  return (files) => {
    const key = JSON.stringify(files);
    const one = known.get(key) ?? make(files);
    known.set(key, one);
    return one;
  };
}

/** A repository of the commit of main, whose objects all that change it share. */
const mainOf = once((files) => {
  const git = tempFolder('main');
  runGit(git, 'init', '-q', '--bare', '--template=');
  return { git, id: putCommit(git, files, []) };
});

/** `cwd` becomes a working tree whose HEAD is a commit of these files after main (git-scm.com/docs/gitrepository-layout). */
function commitAfter(
  files: Record<string, string>,
  changed: Record<string, string>,
  cwd: string,
  isMerge: boolean,
): void {
  const { git, id } = mainOf(files);
  const parents = isMerge ? [id, putCommit(git, changed, [id])] : [id];
  mkdirSync(join(cwd, '.git'));
  writeFileSync(join(cwd, '.git', 'commondir'), `${git}\n`);
  writeFileSync(join(cwd, '.git', 'HEAD'), `${putCommit(git, changed, parents)}\n`);
}

async function checked(request: PullRequest, main = config()): Promise<CliRun> {
  const { before, written } = sidesOf(request, main);
  const { times, folder, merge = false } = request;
  const now = filesAfter(before, written);
  const outputs = ['-f', 'terminal', 'json=told.json', 'markdown=told.md'];
  return runCli(['check', '--base', 'HEAD^1', ...outputs], {
    shows: ['told.json', 'told.md'],
    ...(folder && { folder }),
    files: now,
    setUp: (cwd) => commitAfter(before, now, cwd, merge),
    runtimes: [...RUNTIMES, 'deno@2.9.6'],
    script: { values: MADE, ...(times && { times }) },
    env: { PATH: process.env.PATH ?? '' },
  });
}

const baselineOf = once(async (files) => {
  const run = await runCli(['baseline'], { ...FAKES, files, shows: [BASELINE] });
  return run.files[BASELINE] ?? '';
});

/** The same change where a baseline was accepted, which has no time to compare. */
async function checkedWithBaseline(request: PullRequest): Promise<CliRun> {
  const main = config();
  main.payloads = main.payloads.filter((one) => typeof one === 'string' || !TIMED.includes(one.id ?? ''));
  const { before, written } = sidesOf(request, main);
  const files = { ...before, [BASELINE]: await baselineOf(before) };
  return runCli(['check'], { ...FAKES, files: filesAfter(files, written) });
}

const TIMED = ['timed', 'read'];

/** Of another commit alone; by the size of a copy; by the place of a config. */
const isOfBaseline = ({ times, isTimed, files = {}, folder, merge }: PullRequest) =>
  !times && !isTimed && !folder && !merge && !('data/read.json' in files);

/** A change that hides among harmless ones. */
const amid = (one: PullRequest, harmless: PullRequest): PullRequest => ({
  ...one,
  name: `${one.name}, and ${harmless.name}`,
  edit: (all: ProjectConfig) => {
    one.edit?.(all);
    harmless.edit?.(all);
  },
  files: { ...harmless.files, ...one.files },
});

/** What a pull request changes in the config alone is told without a check. */
const isOfConfig = ({ edit, text, files, folder, main, exit }: PullRequest) =>
  (edit ?? text) !== undefined && !files && !folder && !main && !exit;

/** What holds for a pull request, and what main demands. */
async function heldOf(request: PullRequest) {
  const { before, written } = sidesOf(request, config());
  const side = async (files: Record<string, string>) => {
    const root = tempFolder('config');
    putFiles(root, files);
    const place = { file: null, root, compile: assert.fail, onRun: assert.fail };
    return readConfig(root, place);
  };
  const [now, main] = [await side(filesAfter(before, written)), await side(before)];
  const placed = (one: CheckConfig) => placedEntries(one.entries, one, one.folder);
  const given = { config: now, asked: placed(now), configHash: '', baselinePath: '', baselineFile: '' };
  const demands = placed(main);
  const { signal } = new AbortController();
  const held = await heldConfig(given, { ...main, entries: demands }, { signal });
  return { ...held, demands };
}

for (const request of WEAKER.filter(isOfConfig))
  test(`is told: ${request.name}`, async () => {
    const { pending, gone, demands, given, formers } = await heldOf(request);
    const { told } = request;
    if (told === undefined) return assert.ok(pending.length + gone.length > 0);
    assert.ok(
      pending.some(({ what }) => what === told),
      JSON.stringify(pending),
    );
    assert.deepEqual(gone, []);
    for (const one of demands) {
      const holds = given.asked.find((is) => formers.get(is) === one);
      assert.deepEqual({ ...holds, id: one.id, remedies: one.remedies }, one);
      assert.ok(one.remedies.every((name) => holds?.remedies.includes(name)));
    }
  });
for (const request of HARMLESS.filter(isOfConfig))
  test(`is nothing to tell: ${request.name}`, async () => {
    const { pending, gone } = await heldOf(request);
    assert.deepEqual([pending, gone], [[], []]);
  });

/** All that change more than the config, and some of those that change it alone. */
function usual(all: readonly PullRequest[]): PullRequest[] {
  const of = all.filter(isOfConfig);
  return [...all.filter((one) => !isOfConfig(one)), ...of.filter((_, i) => i % 16 === 0)];
}
const others = (all: readonly PullRequest[], some: readonly PullRequest[]) =>
  all.filter((one) => !some.includes(one));

/** It fails, or what main demands holds, and each report for people and programs tells what changes. */
function assertTold({ told, exit }: PullRequest, { code, stdout, stderr, files }: CliRun, side: string) {
  const all = stdout + stderr;
  assert.equal(code, told === undefined ? (exit ?? 1) : 0, all);
  if (told === undefined) return assert.match(stderr, /^clone-prof: /m);
  for (const text of [stdout, ...Object.values(files)]) assert.ok(text?.includes(told), all + text);
  const shown = stdout.replace(/\s+/g, ' ');
  assert.ok(shown.includes(`The config changes what ${side} demands, which holds until`), all);
}

const USUAL = usual(WEAKER);
for (const request of usually(USUAL, others(WEAKER, USUAL)))
  test(`does not pass in silence: ${request.name}`, async () =>
    assertTold(request, await checked(request), 'HEAD^1'));

/** A looser limit is of no use to a payload that grows. */
const GROWN = WEAKER.filter(({ told }) => told !== undefined).map((one) => amid(one, GROWING));

const SOME_GROWN = GROWN.filter((_, i) => i % 24 === 0);
for (const request of usually(SOME_GROWN, others(GROWN, SOME_GROWN)))
  test(`does not pass: ${request.name}`, async () => {
    const { code, stdout, stderr } = await checked(request);
    assert.equal(code, 1, stdout + stderr);
    assert.match(stderr, /maxBytes/);
  });

/** What changes other files than `one` does, in the same project. */
const goesWith = (one: PullRequest, another: PullRequest) =>
  [one, another].every(({ text, folder, main, times }) => !text && !folder && !main && !times) &&
  Object.keys(one.files ?? {}).every((file) => !(file in (another.files ?? {})));

/** In as few as there are where each changes files of its own. */
const TOGETHER: PullRequest[] = [];
for (const one of usual(HARMLESS)) {
  const index = TOGETHER.findIndex((another) => goesWith(one, another));
  if (index < 0) TOGETHER.push(one);
  else TOGETHER[index] = amid(TOGETHER[index]!, one);
}

for (const request of usually(TOGETHER, HARMLESS))
  test(`passes: ${request.name}`, async () => {
    const { code, stdout, stderr } = await checked(request);
    assert.equal(code, 0, stdout + stderr);
  });

/** They go one way with those of `--base`, from where the base is known. */
const withBaseline = WEAKER.filter(isOfBaseline);
const SOME = withBaseline.filter((_, i) => i % 16 === 0);

for (const request of usually(SOME, others(withBaseline, SOME)))
  test(`does not pass in silence with a baseline: ${request.name}`, async () => {
    assertTold(request, await checkedWithBaseline(request), 'the baseline');
  });

test('there are 120 weaker and 60 harmless ones', () => {
  assert.ok(WEAKER.length >= 120, String(WEAKER.length));
  assert.ok(HARMLESS.length >= 60, String(HARMLESS.length));
});
