/** The payloads of another commit, as the side that a check compares with. */

import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import { basename, extname, isAbsolute, join, resolve } from 'node:path';
import type { MeasureTools, Tools } from '../../app/job/tools.ts';
import { updatedBaseline } from '../../core/gate/baseline.ts';
import { comesFrom } from '../../core/gate/check-report.ts';
import { unmeasured } from '../../core/gate/limits.ts';
import { projectRoot, realFolder } from '../../machine/folders.ts';
import { ToolError, usage } from '../../model/errors.ts';
import { sourceFile } from '../../model/report/recipe.ts';
import type { CheckConfig, CheckEntry } from '../../model/run/check-config.ts';
import {
  type BaseFolder,
  findCommit,
  type GitOptions,
  git,
  pathInRepository,
  writeBaseFolder,
} from '../../repository/commit.ts';
import { fileKindOf } from '../../sources/find.ts';
import { toolsOf, type Work } from '../services.ts';
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
import {
  type Absence,
  type GateJob,
  Guests,
  gather,
  runKey,
  type Side,
  UNCHANGED,
  withFacts,
} from './sides.ts';

/**
 * Finds the same payloads in the commit that `ref` means. The returned function gathers their facts.
 *
 * @throws ToolError 'usage', 'git-missing', 'repository-missing', 'base-unknown', 'base-unreadable', 'interrupted'
 */
export async function commitSide(
  ref: string,
  gate: Gate,
  query: CheckQuery,
  work: Work,
): Promise<() => Promise<Side>> {
  const { config, asked } = gate;
  const running: GitOptions = { cwd: config.folder, env: work.env, signal: work.signal };
  const there = await checkOut(ref, gate, running, work);
  const { base, now, folder, cwd } = there;
  const { id: commit, root } = base.commit;
  const found = await configBefore(there, query, work);
  const before = typeof found === 'string' ? null : found;
  const { units, entries } = unitsBefore(gate, before, cwd, query);
  // A file outside of the repository is not part of a commit.
  const inputOf = ({ input }: CheckEntry) => {
    const path = pathInRepository(root, resolve(now, input));
    return path !== null && isAbsolute(input) ? join(base.folder, path) : path && input;
  };
  const sources = await loadEach(entriesOf(units), inputOf, folder, work, query.timeoutMs);
  const files = [...new Set([...gate.sources.values()].flat().map(sourceFile))];
  const current = { config: { ...config, folder: now }, entries: asked, root };
  const former = before && { config: before, entries, root: base.folder };
  const told = {
    [`rewrites changed since ${ref}`]: former === null ? [] : await changedRewrites(current, former),
    'outside of the repository, so that no commit has their content': files.filter(
      (file) => pathInRepository(root, realFolder(resolve(now, file))) === null,
    ),
  };
  for (const [text, names] of Object.entries(told))
    if (names.length > 0) work.emit({ type: 'note', text: `${text}: ${names.join(', ')}` });
  const unreadable = { what: 'config', from: `unreadable (${found})`, to: 'readable' };
  const contract =
    former === null
      ? [{ payload: config.file ?? 'config', ...unreadable }]
      : await contractOf(current, former);
  const demanded = new Set(before?.entries.map(entryName));
  const absence = ({ unit: { entry }, entry: { input } }: GateJob) =>
    absenceOf(resolve(now, input), demanded.has(entryName(entry)), base, running);
  return async () => ({
    ...{ base: { ref, commit }, version: commit, contract, newPolicy: before?.new ?? 'error' },
    ...(await gathered(ref, { ...gate, units, cwd: folder, sources }, base.folder, absence, toolsOf(work))),
  });
}

/**
 * Gathers the payloads of the commit.
 *
 * @param gate the gate with the payloads of that commit; modules run in its folders
 * @param folder temporary folder of its files. Messages show their names in the repository instead
 */
async function gathered(
  ref: string,
  gate: Gate,
  folder: string,
  absence: Side['absence'],
  tools: Tools,
): Promise<Pick<Side, 'facts' | 'payloads' | 'earlier' | 'absence'>> {
  // Notes about the other commit would repeat the notes about the current payloads.
  const quiet: MeasureTools = { ...tools, emit: (event) => event.type === 'note' || tools.emit(event) };
  const guests = new Guests(gate, quiet);
  try {
    const { gathered: payloads, failures } = await gather(guests);
    const twins = new Map(payloads.map((one) => [runKey(one), one]));
    return {
      facts: updatedBaseline(
        null,
        payloads.flatMap(({ id, key, facts }) => (facts ? { id, key, facts, sample: null } : [])),
      ),
      payloads,
      async earlier(one, was) {
        const twin = twins.get(runKey(one));
        if (twin === undefined) return unmeasured('it is not in the other commit');
        const isSame = one.hasFacts(was) && (await isSameFile(one.recipe, twin.recipe));
        return isSame ? UNCHANGED : withFacts(twin);
      },
      async absence(one) {
        const failed = failures.find(
          ({ payload, code }) => code !== 'file-missing' && comesFrom(one.id, payload),
        );
        const message = twins.get(runKey(one))?.run.error?.message ?? failed?.message;
        if (message === undefined) return absence(one);
        const shown = message.replaceAll(`${folder}/`, '').replaceAll(folder, '.');
        return { kind: 'unread', reason: `in ${ref}: ${shown}` };
      },
    };
  } catch (error) {
    // The user cannot fix it there.
    if (!(error instanceof ToolError)) throw error;
    throw new ToolError('base-unreadable', { value: ref, detail: error.message });
  } finally {
    await guests.close();
  }
}

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
    return await configIn(work, cwd, { file, root }, timeoutMs, true);
  } catch (error) {
    if (error instanceof ToolError) return error.message.replaceAll(`${root}/`, '');
    throw error;
  }
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
