/** The payloads of another commit, as the side that a check compares with. */

import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import { basename, extname, isAbsolute, join, resolve } from 'node:path';
import type { MeasureTools } from '../../app/job/tools.ts';
import { updatedBaseline } from '../../core/gate/baseline.ts';
import { comesFrom } from '../../core/gate/check-report.ts';
import type { Contract } from '../../core/gate/contract.ts';
import { unmeasured } from '../../core/gate/limits.ts';
import { projectRoot, realFolder } from '../../machine/folders.ts';
import type { BaseCommit } from '../../model/documents/check.ts';
import { ToolError, usage } from '../../model/errors.ts';
import type { NewPolicy } from '../../model/gate/limits.ts';
import { sourceFile } from '../../model/report/recipe.ts';
import type { CheckConfig, CheckEntry } from '../../model/run/check-config.ts';
import { type BaseFolder, writeBaseFolder } from '../../repository/base-folder.ts';
import { findCommit, type GitOptions, git, pathInRepository } from '../../repository/git.ts';
import { fileKindOf } from '../../sources/find.ts';
import type { Work } from '../services.ts';
import {
  type CheckQuery,
  changedRewrites,
  chosenEntries,
  configIn,
  contractOf,
  entriesOf,
  entryName,
  type Gate,
  isSameFile,
  loadEach,
  onRuntimes,
  unitsOf,
} from './gate-request.ts';
import { type GateJob, Guests, gather } from './gather.ts';
import { type Absence, runKey, type Side, UNCHANGED, withFacts } from './sides.ts';

/**
 * Reads the config of the other commit, by the name of the current config or as the nearest config: a change may have
 * renamed or moved it. A missing file gives an empty config with common limits. Returns a text if it cannot be read.
 */
async function configBefore(
  { base, folder, cwd }: Awaited<ReturnType<typeof checkOut>>,
  { config: named = null, timeoutMs }: Pick<CheckQuery, 'config' | 'timeoutMs'>,
  work: Work,
): Promise<CheckConfig | string> {
  // This folder stands for the project of the working folder: configs above it are not searched.
  const project = pathInRepository(base.commit.root, realpathSync(projectRoot(work.cwd)));
  const root = project === null ? base.folder : join(base.folder, project);
  const there = named === null ? null : join(folder, basename(named));
  const file = there && existsSync(there) ? there : null;
  try {
    return await configIn(work, { cwd, file, root, timeoutMs, whose: ' of the other commit' });
  } catch (error) {
    if (error instanceof ToolError) return error.message.replaceAll(`${root}/`, '');
    throw error;
  }
}

/** Another commit to compare with: its demands, and its payloads as a side once they are gathered. */
export interface OtherCommit {
  base: BaseCommit;
  /** Demands of the commit that the current config drops or loosens. */
  contract: Contract;
  /** Policy of its config for new payloads. */
  newPolicy: NewPolicy;
  side(tools: MeasureTools): Promise<Side>;
}

/**
 * Finds the same payloads in the commit that `ref` means.
 *
 * @throws ToolError 'usage', 'git-missing', 'repository-missing', 'base-unknown', 'base-unreadable', 'interrupted'
 */
export async function otherCommit(
  ref: string,
  gate: Gate,
  options: CheckQuery,
  work: Work,
): Promise<OtherCommit> {
  const { config, asked } = gate;
  const running: GitOptions = { cwd: config.folder, env: work.env, signal: work.signal };
  const there = await checkOut(ref, gate, running, work);
  const { base, now, folder, cwd } = there;
  const { commit } = base;
  const found = await configBefore(there, options, work);
  const before = typeof found === 'string' ? null : found;
  const { units, entries } = unitsBefore(gate, before, cwd, options);
  // A file outside of the repository is not part of a commit.
  const inputOf = ({ input }: CheckEntry) => {
    const path = pathInRepository(commit.root, resolve(now, input));
    return path !== null && isAbsolute(input) ? join(base.folder, path) : path && input;
  };
  const sources = await loadEach(entriesOf(units), inputOf, folder, work, options.timeoutMs);
  const isDemanded = (entry: CheckEntry) =>
    (before?.entries ?? []).some((one) => entryName(one) === entryName(entry));
  const current = { config: { ...config, folder: now }, entries: asked, root: commit.root };
  const former = typeof found === 'string' ? found : { config: found, entries, root: base.folder };
  const files = [...new Set([...gate.sources.values()].flat().map(sourceFile))];
  const placeOf = (file: string) => pathInRepository(commit.root, realFolder(resolve(now, file)));
  const told = {
    [`rewrites changed since ${ref}`]:
      typeof former === 'string' ? [] : await changedRewrites(current, former),
    'outside of the repository, so that no commit has their content': files.filter(
      (file) => placeOf(file) === null,
    ),
  };
  for (const [text, names] of Object.entries(told))
    if (names.length > 0) work.emit({ type: 'note', text: `${text}: ${names.join(', ')}` });
  const absence = ({ unit, entry: { input } }: GateJob) =>
    absenceOf(resolve(now, input), isDemanded(unit.entry), base, running);
  return {
    base: { ref, commit: commit.id },
    contract: await contractOf(current, former),
    newPolicy: before?.new ?? 'error',
    side: (tools) =>
      sideOf(
        { ref, commit: commit.id },
        { ...gate, units, cwd: folder, sources },
        base.folder,
        absence,
        tools,
      ),
  };
}

/**
 * Writes the files of the commit into the work folder. Returns `now`, the config's folder in the checkout, `folder`,
 * the same folder in the commit, and `cwd`, the working folder in the commit.
 */
async function checkOut(
  ref: string,
  { config, units }: Gate,
  running: GitOptions,
  { cwd: here, workdir, emit }: Work,
) {
  const entries = entriesOf(units);
  if (entries.some(({ input }) => input === '-')) throw usage('--base: stdin is in no commit. Name a file');
  const commit = await findCommit(ref, running);
  const now = realpathSync(config.folder);
  const place = pathInRepository(commit.root, now);
  if (place === null) throw new ToolError('repository-missing', { detail: `${now} is outside of it` });
  const isWanted = wantedFiles(entries, config);
  const base = await writeBaseFolder(commit, join(realpathSync(workdir), 'base'), isWanted, running);
  const folder = join(base.folder, place);
  // If the working folder is outside of the repository, the config was named.
  const cwd = join(base.folder, pathInRepository(commit.root, realpathSync(here)) ?? place);
  for (const made of [folder, cwd]) mkdirSync(made, { recursive: true });
  const name = `compared with ${commit.ref}, commit ${commit.id.slice(0, 12)}`;
  const shared = base.sharesPackages ? '; modules of both use the node_modules of this checkout' : '';
  emit({ type: 'note', text: `${name}${shared}` });
  return { base, now, folder, cwd };
}

/** Ending without wildcards: the ending of a glob may be open. */
const PLAIN = /^\.\w+$/;
/** The config of the commit may have a different ending. */
const CONFIG_FILE = /(^|\/)(clone-prof\.config\.\w+|package\.json)$/;

/** Selects the files to write; null: all. A module, or a config that is code, may import any file; data does not. */
function wantedFiles(
  entries: readonly CheckEntry[],
  { file }: CheckConfig,
): ((path: string) => boolean) | null {
  if (file !== null && extname(file) !== '.json') return null;
  const extensions = new Set(['.json']);
  for (const { input, as, remedies, codec } of entries) {
    const kind = fileKindOf(input, as);
    if (kind === null || kind === 'module' || kind === 'script' || !PLAIN.test(extname(input))) return null;
    for (const file of [input, ...remedies, codec ?? input]) extensions.add(extname(file) || '.json');
  }
  return (path) => extensions.has(extname(path)) || CONFIG_FILE.test(path);
}

/**
 * Current units, each with the file that its id had before, and the units of entries that are gone. `entries`:
 * requested entries of the former config, on the requested runtimes.
 */
function unitsBefore(
  { config, units: now, runtimes }: Gate,
  before: CheckConfig | null,
  cwd: string,
  { payloads, runtimes: specs = [], shard = null }: CheckQuery,
) {
  const all = before?.entries ?? [];
  const isKnown = (entry: CheckEntry) =>
    all.includes(entry) || existsSync(resolve(before!.folder, entry.input));
  const chosen =
    payloads.length === 0 || !before ? all : chosenEntries(payloads, before, cwd).filter(isKnown);
  const names = new Set(config.entries.map(entryName));
  const gone = payloads.length === 0 ? all.filter((entry) => !names.has(entryName(entry))) : [];
  const goneUnits = unitsOf(gone, shard);
  // Any checked runtime can show that a payload is gone.
  const isHere = (spec: string) => runtimes.has(spec) && !(runtimes.get(spec) instanceof ToolError);
  const anySpec = [...runtimes.keys()].find(isHere);
  const twinOf = (entry: CheckEntry) => {
    const named = all.filter((one) => entryName(one) === entryName(entry));
    // Two globs may have the same name.
    const isMoved = ({ id, input }: CheckEntry) =>
      id !== null || now.every((one) => one.entry.input !== input);
    const same = named.find(({ input }) => input === entry.input) ?? named.find(isMoved);
    return { ...entry, ...(same && { input: same.input, export: same.export, as: same.as }) };
  };
  const twins = new Map(entriesOf(now).map((entry) => [entry, twinOf(entry)]));
  const units = [
    ...now.map((unit) => ({ ...unit, entry: twins.get(unit.entry) ?? unit.entry })),
    ...goneUnits.map((unit) => (isHere(unit.spec) ? unit : { ...unit, spec: anySpec ?? unit.spec })),
  ];
  return { units, entries: onRuntimes(chosen, specs) };
}

/** Returns why the commit does not have this file of the checkout. */
async function absenceOf(
  file: string,
  isDemanded: boolean,
  { commit, notWritten }: BaseFolder,
  running: GitOptions,
): Promise<Absence> {
  const path = pathInRepository(commit.root, file);
  if (path === null) return { kind: 'unread', reason: 'it is outside of the repository' };
  for (const [name, reason] of notWritten) {
    if (path === name || path.startsWith(`${name}/`))
      return { kind: 'unread', reason: `${name} in ${commit.ref}: ${reason}` };
  }
  const { code } = await git(['cat-file', '-e', `HEAD:${path}`], { ...running, cwd: commit.root });
  if (code === 0) return { kind: 'new' };
  const reason = 'nor in HEAD: it is generated, or not committed';
  return { kind: isDemanded ? 'lacking' : 'new', reason };
}

/**
 * Side of the commit.
 *
 * @param gate the gate with the payloads of that commit; modules run in its folders
 * @param folder temporary folder of its files. Messages show their names in the repository instead
 */
async function sideOf(
  base: BaseCommit,
  gate: Gate,
  folder: string,
  absence: Side['absence'],
  tools: MeasureTools,
): Promise<Side> {
  // Notes about the other commit would repeat the notes about the current payloads.
  const quiet: MeasureTools = { ...tools, emit: (event) => event.type === 'note' || tools.emit(event) };
  const guests = new Guests(gate, quiet);
  try {
    const { gathered, failures } = await gather(guests).catch((error: unknown) => {
      // The user cannot fix it there.
      if (!(error instanceof ToolError)) throw error;
      throw new ToolError('base-unreadable', { value: base.ref, detail: error.message });
    });
    const twins = new Map(gathered.map((one) => [runKey(one), one]));
    const recorded = gathered.flatMap(({ id, key, facts }) =>
      facts ? { id, key, facts, sample: null } : [],
    );
    return {
      base,
      facts: updatedBaseline(null, recorded),
      payloads: gathered,
      async earlier(one, was) {
        const twin = twins.get(runKey(one));
        if (twin === undefined) return { judged: unmeasured('it is not in the other commit') };
        const isSame = one.hasFacts(was) && (await isSameFile(one.recipe, twin.recipe));
        return isSame ? { judged: UNCHANGED } : { recipe: withFacts(twin) };
      },
      async absence(one) {
        const failed = failures.find(
          ({ payload, code }) => code !== 'file-missing' && comesFrom(one.id, payload),
        );
        const message = twins.get(runKey(one))?.run.error?.message ?? failed?.message;
        if (message === undefined) return absence(one);
        const shown = message.replaceAll(`${folder}/`, '').replaceAll(folder, '.');
        return { kind: 'unread', reason: `in ${base.ref}: ${shown}` };
      },
    };
  } finally {
    await guests.close();
  }
}
