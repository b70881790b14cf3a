/** The payloads of another commit, as the side that a check compares with. */

import { existsSync, lstatSync, mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import type { MeasureTools, Tools } from '../../app/job/job.ts';
import { importedFiles } from '../../app/sources/bundle.ts';
import { toolsOf, type Work } from '../../app/world/services.ts';
import { foldersUpFrom, isInside, LOCK_FILES, projectRoot, realFolder } from '../../machine/folders.ts';
import { ToolError, usage } from '../../model/errors.ts';
import { orElse } from '../../model/or-else.ts';
import { sourceFile } from '../../model/report/recipe.ts';
import { type CheckConfig, type CheckEntry, entryName } from '../../model/run/check-config.ts';
import { updatedPayloads } from '../compare/baseline.ts';
import { comesFrom } from '../compare/check-report.ts';
import type { Gone } from '../compare/demands.ts';
import { unmeasured } from '../compare/limits.ts';
import {
  type BaseFolder,
  findCommit,
  type GitOptions,
  git,
  pathInRepository,
  writeBaseFolder,
} from '../repository/commit.ts';
import {
  type Asked,
  type CheckQuery,
  configIn,
  entriesBefore,
  entriesOf,
  type Formers,
  type Gate,
  loadEach,
} from './gate-request.ts';
import { isSameContent, isSameFile } from './payload-files.ts';
import {
  type GateJob,
  Guests,
  gather,
  type OtherSide,
  recordedOf,
  runKey,
  type Side,
  UNCHANGED,
  withFacts,
} from './sides.ts';

/** Reads what the commit demands; `open` gathers facts of its payloads. @throws ToolError 'usage', or as `findCommit` */
export async function commitSide(
  ref: string,
  found: Asked,
  query: CheckQuery,
  work: Work,
): Promise<OtherSide> {
  const { config } = found;
  const running: GitOptions = { cwd: config.folder, env: work.env, signal: work.signal };
  const there = await checkOut(ref, found, query, running, work);
  const { base, now, folder, before, entries } = there;
  const { id: commit, root } = base.commit;
  const told = { ref, commit };
  // A commit without a config demands what the command names.
  const { new: added, undecided } = before?.file ? before : config;
  const unread = { payload: config.file ?? 'config', runtime: '', channel: '' };
  return {
    base: told,
    demanded: before && { new: added, undecided, entries },
    gone: [
      ...(before ? [] : [{ ...unread, reason: `, and not readable there: ${there.unreadable}` }]),
      ...(await packagesGone(there, running)),
      ...baselineGone(found, there),
    ],
    async open(gate, formers) {
      noteOutside(gate, now, root, work);
      await noteChanged(ref, there, work);
      const units = unitsBefore(gate, formers);
      // A file outside of the repository is not part of a commit.
      const inputOf = ({ input }: CheckEntry) => {
        const path = pathInRepository(root, resolve(now, input));
        return path !== null && isAbsolute(input) ? join(base.folder, path) : path && input;
      };
      const sources = await loadEach(entriesOf(units), inputOf, folder, work, query.timeoutMs);
      const files = [...sources.values()].flat().map(sourceFile);
      await noteShared(base, folder, [...files, ...codeOf(there), there.config], work);
      const names = new Set(entries.map(entryName));
      const absence = ({ unit: { entry }, entry: { input } }: GateJob) =>
        absenceOf(resolve(now, input), names.has(entryName(entry)), base, running);
      const earlier = { ...gate, units, cwd: folder, sources, moved: { from: root, to: base.folder } };
      const facts = await gathered(ref, earlier, base.folder, absence, toolsOf(work));
      return { base: told, version: commit, ...facts };
    },
  };
}

/** The baseline of the commit, if this checkout lacks one: a check without --base would compare with nothing. */
function baselineGone({ baselinePath }: Asked, { base, before }: CheckedOut) {
  const old = before === null ? '' : resolve(before.folder, before.baseline);
  if (!existsSync(old) || existsSync(baselinePath)) return [];
  const file = relative(base.folder, old).replaceAll('\\', '/');
  return [{ payload: file, runtime: '', channel: '', reason: ', and gone', removed: file }];
}

const codeOf = ({ entries }: CheckedOut): string[] =>
  entries.flatMap(({ remedies, codec = [] }) => [...remedies, codec].flat());

async function noteChanged(ref: string, there: CheckedOut, { emit }: Work): Promise<void> {
  const { now, folder } = there;
  const files = [...new Set(codeOf(there))].filter(
    (file) => existsSync(join(now, file)) && existsSync(join(folder, file)),
  );
  const isLink = (file: string) => lstatSync(file).isSymbolicLink();
  const areSame = await Promise.all(files.map((file) => isSameContent(join(now, file), join(folder, file))));
  const isOther = (file: string, at: number) =>
    !areSame[at] || (isLink(join(now, file)) && !isLink(join(folder, file)));
  const changed = files.filter(isOther);
  if (changed.length > 0)
    emit({ type: 'note', text: `rewrites changed since ${ref}: ${changed.join(', ')}` });
}

function noteOutside({ sources }: Gate, now: string, root: string, { emit }: Work): void {
  const files = [...new Set([...sources.values()].flat().map(sourceFile))];
  const outside = files.filter((file) => pathInRepository(root, realFolder(resolve(now, file))) === null);
  const text = `outside of the repository, so that no commit has their content: ${outside.join(', ')}`;
  if (outside.length > 0) emit({ type: 'note', text });
}

/** @param folder temporary folder of the commit's files. Messages show their names in the repository instead */
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
      facts: updatedPayloads(
        {},
        payloads.flatMap((one) => (one.facts ? recordedOf(one, one.facts) : [])),
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
        return unread(`in ${ref}: ${shown}`);
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

type CheckedOut = Awaited<ReturnType<typeof checkOut>>;

async function checkOut(
  ref: string,
  { config, asked }: Asked,
  query: CheckQuery,
  running: GitOptions,
  work: Work,
) {
  if (asked.some(({ input }) => input === '-')) throw usage('--base: stdin is in no commit. Name a file');
  const commit = await findCommit(ref, running);
  /** Folder of the config; `folder` is the same folder in the commit. */
  const now = realpathSync(config.folder);
  const place = pathInRepository(commit.root, now);
  if (place === null) throw new ToolError('repository-missing', { detail: `${now} is outside of it` });
  const target = join(realpathSync(work.workdir), 'base');
  const folder = join(target, place);
  // If the working folder is outside of the repository, the config was named.
  const cwd = join(target, pathInRepository(commit.root, realpathSync(work.cwd)) ?? place);
  const base = await writeBaseFolder(commit, target, running);
  // Code that looks for the top of a repository finds it.
  for (const made of [folder, cwd, join(target, '.git')]) mkdirSync(made, { recursive: true });
  work.emit({ type: 'note', text: `compared with ${ref}, commit ${commit.id.slice(0, 12)}` });
  const there = { base, now, folder };
  try {
    const before = await configBefore({ base, folder, cwd }, query, work);
    return {
      ...{ ...there, before, unreadable: '' },
      config: before.file ? join(before.folder, basename(before.file)) : '',
      /** Requested entries, their paths from `folder`. */
      entries: entriesBefore(before, query, { cwd, root: folder, top: target }),
    };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    const unreadable = error.message.replaceAll(`${target}/`, '');
    return { ...there, before: null, config: '', unreadable, entries: [] };
  }
}

/** Reads the config by its current name, or the nearest config: a change may have renamed or moved it. */
function configBefore(
  { base, folder, cwd }: { base: BaseFolder; folder: string; cwd: string },
  { config: named = null, timeoutMs }: Pick<CheckQuery, 'config' | 'timeoutMs'>,
  work: Work,
): Promise<CheckConfig> {
  const { commit, folder: target } = base;
  // This folder stands for the project of the working folder: configs above it are not searched.
  const project = pathInRepository(commit.root, realpathSync(projectRoot(work.cwd)));
  const root = project === null ? target : join(target, project);
  const there = named === null ? null : join(folder, basename(named));
  const file = there && existsSync(there) ? there : null;
  return configIn(work, cwd, { file, root }, timeoutMs, { from: commit.root, to: target });
}

function unitsBefore({ units }: Gate, formers: Formers) {
  const twinOf = (entry: CheckEntry): CheckEntry => {
    const { input, export: only, as, transfer } = formers.get(entry) ?? entry;
    return { ...entry, input, export: only, as, transfer };
  };
  const twins = new Map(entriesOf(units).map((entry) => [entry, twinOf(entry)]));
  return units.map((unit) => ({ ...unit, entry: twins.get(unit.entry) ?? unit.entry }));
}

/** A payload that the commit has or may have, but that cannot be read there, is not new: no policy lets it pass. */
const unread = (reason: string) => ({ level: 'error', outcome: 'not-measured', reason }) as const;

/** Tells why the commit does not have this file of the checkout. A payload that it does not demand may be new. */
async function absenceOf(
  file: string,
  isDemanded: boolean,
  { commit, notWritten }: BaseFolder,
  running: GitOptions,
): ReturnType<Side['absence']> {
  const path = pathInRepository(commit.root, file);
  if (path === null) return unread('it is outside of the repository');
  for (const [name, reason] of notWritten)
    if (path === name || path.startsWith(`${name}/`)) return unread(`${name} in ${commit.ref}: ${reason}`);
  if (await isInHead(path, commit.root, running)) return { level: 'warn' };
  const reason = `not in ${commit.ref}, nor in HEAD: it is generated, or not committed`;
  return isDemanded ? { reason } : { level: 'warn', reason };
}

// Packages of this checkout that modules of the other commit import, which a change may have replaced.

const isCode = (file: string): boolean => /\.[cm]?[jt]s$/.test(file);

/** Folder with packages, a package in it as lock files of npm name it, and its name. */
const PACKAGE = /^(.*?)(node_modules\/(?:.*\/node_modules\/)?((?:@[^/]+\/)?[^/]+))(?=\/|$)/;

/** Packages and files of this checkout that a module of the commit imports; null if it cannot be compiled. */
async function takenBy(
  file: string,
  { commit: { root }, folder: top }: BaseFolder,
  signal: AbortSignal | undefined,
): Promise<string[] | null> {
  const files = await importedFiles(file, top, { signal }).catch(() => null);
  const taken = files?.filter((one) => !isInside(one, top));
  const paths = taken?.map((one) => relative(root, one).replaceAll('\\', '/'));
  return paths ? [...new Set(paths.map((path) => PACKAGE.exec(path)?.[0] ?? path))] : null;
}

/** Notes the packages, and lock files at the root that differ. @param files modules and data, from `folder` */
async function noteShared(
  base: BaseFolder,
  folder: string,
  files: readonly string[],
  { emit, signal }: Work,
): Promise<void> {
  const { commit, folder: top } = base;
  const modules = [...new Set(files.filter(isCode).map((file) => resolve(folder, file)))];
  const taken = await Promise.all(modules.map((file) => takenBy(file, base, signal)));
  const names = [...new Set(taken.flatMap((paths) => paths ?? []).map(nameOfPackage))].sort();
  if (names.length === 0) return;
  const locks = await otherLocks(top, top, commit.root);
  const other = locks.map((name) => `; ${name} is not that of ${commit.ref}`);
  const text = `packages of this checkout, on both sides: ${names.join(', ')}${other.join('')}`;
  emit({ type: 'note', text });
}

const nameOfPackage = (path: string) => PACKAGE.exec(path)?.[3] ?? path;

/** Lock files of a folder of the commit and of those above that differ from the checkout's. */
async function otherLocks(folder: string, top: string, root: string): Promise<string[]> {
  const folders = foldersUpFrom(folder).filter((one) => isInside(one, top));
  const names = folders.flatMap((one) =>
    Object.keys(LOCK_FILES).map((name) => join(relative(top, one), name)),
  );
  const differ = await Promise.all(
    names.map(async (name) => {
      const both = [join(top, name), join(root, name)] as const;
      return both.some((file) => existsSync(file)) && !(await isSameContent(...both)) ? name : [];
    }),
  );
  return differ.flat();
}

/**
 * Imports of the commit's config that may not be the commit's: the change may have written its limits. If lock files
 * differ, these are all that it imports, unless npm tells what it has installed.
 */
async function packagesGone({ base, before, config }: CheckedOut, running: GitOptions): Promise<Gone[]> {
  if (!isCode(config)) return [];
  const { folder: top } = base;
  const { root, ref } = base.commit;
  const isOtherLock = (await otherLocks(dirname(config), top, root)).length > 0;
  const taken = await takenBy(config, base, running.signal);
  const names = taken === null && isOtherLock ? ['its imports'] : [];
  for (const path of taken ?? []) {
    const [, place = '', key = ''] = PACKAGE.exec(path) ?? [];
    // A link to a folder that the change makes, or packages that it commits.
    const isOfChange = key === '' || (await isInHead(`${place}node_modules`, root, running));
    const [now, was] = [installedIn(join(root, place)), lockedIn(join(top, place))];
    const isOther = now && was ? now[key] === undefined || now[key] !== was[key] : isOtherLock;
    if (isOther || (isOfChange && !path.startsWith('../'))) names.push(nameOfPackage(path));
  }
  const reason = `, and takes ${names.join(', ')} from this checkout, which has another version. Its limits may be those of the change: install the packages of ${ref} for the check, or write the config as JSON`;
  return names.length === 0 ? [] : [{ payload: before!.file!, runtime: '', channel: '', reason }];
}

/** True for a file or a folder. */
const isInHead = async (path: string, root: string, running: GitOptions): Promise<boolean> =>
  (await git(['cat-file', '-e', `HEAD:${path}`], { ...running, cwd: root })).code === 0;

/** The packages that npm has installed in a folder, and the packages of its lock file; null without npm. */
const installedIn = (folder: string) => versionsIn(join(folder, 'node_modules/.package-lock.json'));
const lockedIn = (folder: string) =>
  versionsIn(join(folder, 'npm-shrinkwrap.json')) ?? versionsIn(join(folder, 'package-lock.json'));

function versionsIn(file: string): Record<string, string> | null {
  return orElse(() => {
    const { packages } = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, Locked> };
    const texts = Object.entries(packages).map(([key, { version, resolved, integrity }]) => [
      key,
      [version, resolved, integrity].join(' '),
    ]);
    return Object.fromEntries(texts);
  }, null);
}

type Locked = Partial<Record<'version' | 'resolved' | 'integrity', string>>;
