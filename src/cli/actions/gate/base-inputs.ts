/** The payloads of another commit, for `check --base`. */
import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import { basename, extname, isAbsolute, join, resolve } from 'node:path';
import type { BaseRequest } from '../../../app/gate/base.ts';
import type { CheckUnit, GateRequest } from '../../../app/gate/gather.ts';
import { unitsOf } from '../../../app/gate/shards.ts';
import { projectRoot } from '../../../machine/folders.ts';
import { ToolError } from '../../../model/errors.ts';
import type { CheckConfig, CheckEntry } from '../../../model/gate/check.ts';
import type { Source } from '../../../model/report/recipe.ts';
import { type BaseFolder, writeBaseFolder } from '../../../repository/base-folder.ts';
import { findCommit, pathInRepository } from '../../../repository/commit.ts';
import type { GitOptions } from '../../../repository/git.ts';
import { fileKindOf } from '../../../sources/find.ts';
import type { Fetching } from '../../options/values.ts';
import { fetchOptions, type Session } from '../../session/session.ts';
import { contractOf } from './base-contract.ts';
import { absenceOf, isSameFile } from './base-files.ts';
import { configBefore, entryName, goneEntries, type UnitsOfNow, unitsBefore } from './base-units.ts';
import { chosenEntries, findEach } from './gate-inputs.ts';

export interface BaseInputs extends UnitsOfNow {
  ref: string;
  fetching: Fetching;
  /** Entries of now that were asked for, and what was asked. */
  asked: readonly CheckEntry[];
  payloads: readonly string[];
  runtimes: string[] | null;
  /** The config's name, where the user named it. */
  named: string | null;
  acceptConfig: string | null;
}

/**
 * Writes the files of the commit that `ref` means into the work folder, and finds the same payloads in them.
 *
 * @throws ToolError 'usage', 'git-missing', 'repository-missing', 'base-unknown', 'base-unreadable', 'interrupted'
 */
export async function baseRequest(inputs: BaseInputs, session: Session): Promise<BaseRequest> {
  const { config, request, ref } = inputs;
  const entries = [...new Set(request.units.map(({ entry }) => entry))];
  refuseStdin(entries);
  const options: GitOptions = { cwd: config.folder, env: session.world.env, signal: session.signal };
  const commit = await findCommit(ref, options);
  const now = realpathSync(config.folder);
  const place = placeIn(commit.root, now);
  const isWanted = wantedFiles(entries, config);
  const base = await writeBaseFolder(commit, join(realpathSync(session.workdir), 'base'), isWanted, options);
  const folder = join(base.folder, place);
  // From outside of the repository only a named config can be meant.
  const cwd = join(base.folder, pathInRepository(commit.root, realpathSync(session.world.cwd())) ?? place);
  for (const made of [folder, cwd]) mkdirSync(made, { recursive: true });
  session.progress.listen({ type: 'note', text: noteOn(base) });
  const named = inputs.named === null ? null : join(folder, basename(inputs.named));
  const found = await configBefore({ cwd, root: rootIn(base, session), named }, session);
  const before = typeof found === 'string' ? [] : found.entries;
  const gone = unitsOf(goneEntries(inputs, before), inputs.shard);
  const runtimes = await runtimesFor(gone, inputs, session);
  const units = [...unitsBefore(request.units, before), ...gone.map((unit) => onFound(unit, runtimes))];
  const sources = await loadBefore(
    [...new Set(units.map(({ entry }) => entry))],
    { now, folder, base },
    session,
  );
  return {
    ref,
    commit: commit.id,
    folder: base.folder,
    request: { ...request, units, runtimes, cwd: folder, sourcesOf: (entry) => sources.get(entry) ?? [] },
    contract: await contractOf(
      { config: { ...config, folder: now }, entries: inputs.asked, root: commit.root },
      typeof found === 'string'
        ? found
        : { config: found, entries: askedBefore(inputs, found, cwd), root: base.folder },
      inputs.acceptConfig,
    ),
    isDemanded: (entry) => before.some((one) => entryName(one) === entryName(entry)),
    newPolicy: typeof found === 'string' ? 'error' : found.new,
    absence: (file) => absenceOf(resolve(now, file), base, options),
    isSameFile,
  };
}

/** What stands for the project of the working folder, above which no config is looked for. */
function rootIn({ commit, folder }: BaseFolder, { world }: Session): string {
  const root = pathInRepository(commit.root, realpathSync(projectRoot(world.cwd())));
  return root === null ? folder : join(folder, root);
}

/** The folder's place in the repository. @throws ToolError 'repository-missing' */
function placeIn(root: string, folder: string): string {
  const place = pathInRepository(root, realpathSync(folder));
  if (place !== null) return place;
  throw new ToolError('repository-missing', { detail: `${folder} is outside of it` });
}

/** What was asked for, as the other commit has it; on the runtimes that were asked for. */
function askedBefore({ payloads, runtimes }: BaseInputs, before: CheckConfig, cwd: string): CheckEntry[] {
  const all = payloads.length === 0 ? before.entries : chosenEntries(payloads, before, cwd);
  const known = all.filter(
    (entry) => before.entries.includes(entry) || existsSync(resolve(before.folder, entry.input)),
  );
  return known.map((entry) => (runtimes === null ? entry : { ...entry, runtimes }));
}

function refuseStdin(entries: readonly CheckEntry[]): void {
  if (!entries.some(({ input }) => input === '-')) return;
  throw new ToolError('usage', { detail: '--base: stdin is in no commit. Name a file' });
}

type Runtimes = GateRequest['runtimes'];

/** Those of now, and those of entries that are gone. */
async function runtimesFor(
  gone: readonly CheckUnit[],
  { request, fetching }: BaseInputs,
  session: Session,
): Promise<Runtimes> {
  const specs = new Set(gone.map(({ spec }) => spec).filter((spec) => !request.runtimes.has(spec)));
  const more = await findEach([...specs], session, fetchOptions(session, fetching));
  return new Map([...request.runtimes, ...more]);
}

/** That a payload is gone is seen on any runtime. */
function onFound(unit: CheckUnit, runtimes: Runtimes): CheckUnit {
  const isHere = (spec: string) => runtimes.has(spec) && !(runtimes.get(spec) instanceof ToolError);
  return isHere(unit.spec) ? unit : { ...unit, spec: [...runtimes.keys()].find(isHere) ?? unit.spec };
}

function noteOn({ commit, sharesPackages }: BaseFolder): string {
  const name = `compared with ${commit.ref}, commit ${commit.id.slice(0, SHORT_ID)}`;
  return sharesPackages ? `${name}; modules of both use the node_modules of this checkout` : name;
}

const SHORT_ID = 12;

/** A glob may leave the ending open. */
const PLAIN = /^\.\w+$/;

/** Data is read by itself; a module may import any other file. null: all of them. */
function wantedFiles(
  entries: readonly CheckEntry[],
  { file }: CheckConfig,
): ((path: string) => boolean) | null {
  const extensions = new Set<string>();
  if (file !== null) extensions.add(extname(file));
  for (const { input, as } of entries) {
    const kind = fileKindOf(input, as);
    if (kind === null || kind === 'module' || kind === 'script' || !PLAIN.test(extname(input))) return null;
    extensions.add(extname(input));
  }
  return (path) => extensions.has(extname(path)) || CONFIG_FILE.test(path);
}

/** Of the commit: it may have another ending. */
const CONFIG_FILE = /(^|\/)(clone-prof\.config\.\w+|package\.json)$/;

interface Places {
  /** The config's folder, in the checkout and in the commit. */
  now: string;
  folder: string;
  base: BaseFolder;
}

/** What an entry names outside of the repository is in no commit. */
async function loadBefore(
  entries: readonly CheckEntry[],
  { now, folder, base }: Places,
  { services, workdir }: Session,
): Promise<Map<CheckEntry, Source[]>> {
  const loaded = entries.map(async (entry): Promise<[CheckEntry, Source[]]> => {
    const path = pathInRepository(base.commit.root, resolve(now, entry.input));
    if (path === null) return [entry, []];
    const input = isAbsolute(entry.input) ? join(base.folder, path) : entry.input;
    return [entry, await services.loadSources([input], { as: entry.as, workdir, cwd: folder })];
  });
  return new Map(await Promise.all(loaded));
}
