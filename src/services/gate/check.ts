/**
 * Runs `check` and makes its request: the payloads, the side that they are compared with, and the rewrites that the
 * config names.
 */

import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import { basename, extname, isAbsolute, join, resolve } from 'node:path';
import { schemaJson } from '../../app/codec.ts';
import { checkPayloads } from '../../app/gate/check.ts';
import type { Absence, CheckRequest, CodecFiles, RewrittenCodec } from '../../app/gate/gather.ts';
import { factsOnly } from '../../core/gate/baseline.ts';
import { projectRoot, realFolder } from '../../machine/folders.ts';
import { textOf } from '../../machine/given-file.ts';
import type { CheckReport } from '../../model/documents/check.ts';
import { ToolError, usage } from '../../model/errors.ts';
import { sourceFile } from '../../model/report/recipe.ts';
import type { CheckConfig, CheckEntry } from '../../model/run/check-config.ts';
import { type BaseFolder, writeBaseFolder } from '../../repository/base-folder.ts';
import { findCommit, type GitOptions, git, pathInRepository } from '../../repository/git.ts';
import { fileKindOf } from '../../sources/find.ts';
import { lineOfValue } from '../../sources/line.ts';
import { baselineText, editedIn, readBaseline } from '../../store/baseline-file.ts';
import { codecSchemaOf } from '../../store/documents.ts';
import { emitFileOf } from '../codec-names.ts';
import { toolsOf, type Work } from '../services.ts';
import {
  type CheckQuery,
  changedRewrites,
  chosenEntries,
  configIn,
  contractOf,
  contractWithBaseline,
  entriesOf,
  entryName,
  type GateInputs,
  gateInputs,
  hashOf,
  isSameFile,
  loadEach,
  onRuntimes,
  unitsOf,
} from './gate-request.ts';

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

/**
 * Finds the same payloads in the commit that `ref` means.
 *
 * @throws ToolError 'usage', 'git-missing', 'repository-missing', 'base-unknown', 'base-unreadable', 'interrupted'
 */
async function commitOf(
  ref: string,
  gate: GateInputs,
  options: CheckQuery,
  work: Work,
): Promise<Pick<CheckRequest, 'base' | 'contract' | 'newPolicy'>> {
  const { request, asked } = gate;
  const { config } = request;
  const running: GitOptions = { cwd: config.folder, env: work.env, signal: work.signal };
  const there = await checkOut(ref, gate, running, work);
  const { base, now, folder, cwd } = there;
  const found = await configBefore(there, options, work);
  const before = typeof found === 'string' ? null : found;
  const { units, entries } = unitsBefore(gate, before, cwd, options);
  // A file outside of the repository is not part of a commit.
  const inputOf = ({ input }: CheckEntry) => {
    const path = pathInRepository(base.commit.root, resolve(now, input));
    return path !== null && isAbsolute(input) ? join(base.folder, path) : path && input;
  };
  const sources = await loadEach(entriesOf(units), inputOf, folder, work, options.timeoutMs);
  const isDemanded = (entry: CheckEntry) =>
    (before?.entries ?? []).some((one) => entryName(one) === entryName(entry));
  const current = { config: { ...config, folder: now }, entries: asked, root: base.commit.root };
  const former = typeof found === 'string' ? found : { config: found, entries, root: base.folder };
  const files = [...new Set([...request.sources.values()].flat().map(sourceFile))];
  const placeOf = (file: string) => pathInRepository(base.commit.root, realFolder(resolve(now, file)));
  const told = {
    [`rewrites changed since ${ref}`]:
      typeof former === 'string' ? [] : await changedRewrites(current, former),
    'outside of the repository, so that no commit has their content': files.filter(
      (file) => placeOf(file) === null,
    ),
  };
  for (const [text, names] of Object.entries(told))
    if (names.length > 0) work.emit({ type: 'note', text: `${text}: ${names.join(', ')}` });
  return {
    base: {
      ...{ ref, commit: base.commit.id, folder: base.folder, isSameFile },
      request: { ...request, units, cwd: folder, sources },
      absence: (entry, file) => absenceOf(resolve(now, file), isDemanded(entry), base, running),
    },
    contract: await contractOf(current, former),
    newPolicy: before?.new ?? 'error',
  };
}

/**
 * Writes the files of the commit into the work folder. Returns `now`, the config's folder in the checkout, `folder`,
 * the same folder in the commit, and `cwd`, the working folder in the commit.
 */
async function checkOut(
  ref: string,
  { request: { config, units } }: GateInputs,
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
  { request: { config, units: now, runtimes } }: GateInputs,
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
 * Runs `check`, for the command and for the library.
 *
 * @param writer given with --fix-codec
 * @throws ToolError 'interrupted', or an error of the config, the baseline or the other commit
 */
export async function checkIn(
  work: Work,
  query: CheckQuery,
  writer: CodecWriter | null = null,
): Promise<{ report: CheckReport; folder: string }> {
  const request = await checkRequest(work, query, writer);
  const report = await checkPayloads(request, toolsOf(work));
  if (work.signal.aborted) throw new ToolError('interrupted');
  return { report, folder: request.cwd };
}

async function checkRequest(
  work: Work,
  options: CheckQuery,
  writer: CodecWriter | null,
): Promise<CheckRequest> {
  const gate = await gateInputs(work, options);
  const { request, configHash } = gate;
  const { config } = request;
  const { base = null, runtimes = [], budgetMs, totalMs = null, seed } = options;
  const { keys = false, shard = null, allowRemoved = false } = options;
  const against = base === null ? null : await commitOf(base, gate, options, work);
  const tries = await triesOf(gate, work);
  const codecs = codecFiles(gate, writer, work);
  const baseline = against ? null : await baselineOf(gate, work);
  return {
    ...{ ...request, baseline, tries, codecs },
    terms: { budgetMs, totalMs, seed, keys, shard, allowRemoved },
    ...(against ?? {
      ...{ base: null, newPolicy: config.new },
      contract: baseline && contractWithBaseline(config, gate.asked, baseline, runtimes),
    }),
    inputs: {
      config: configHash,
      baseline: against?.base?.commit ?? (baseline && hashOf(baselineText(factsOnly(baseline)))),
      baselineFile: config.baseline,
    },
    lineOf: (recipe, steps) => lineOfValue(recipe, steps, config.folder),
  };
}

async function baselineOf({ baselinePath, baselineFile, request }: GateInputs, { emit }: Work) {
  const baseline = await readBaseline(baselinePath, baselineFile, request);
  const edited = baseline === null ? [] : editedIn(baseline);
  if (edited.length > 0) {
    const text = `${baselineFile} is not as clone-prof baseline wrote it: ${edited.join(', ')}`;
    emit({ type: 'warning', text });
  }
  if (baseline !== null || !request.config.needsBaseline) return baseline;
  throw new ToolError('baseline-missing', { file: baselineFile });
}

/** Loads the rewrites that the config names. @throws ToolError of the first rewrite that is missing */
async function triesOf(
  { request: { units, cwd, timeoutMs, signal } }: GateInputs,
  { services, workdir }: Work,
): Promise<CheckRequest['tries']> {
  const words = [...new Set(units.flatMap(({ entry }) => entry.remedies))];
  const load = (word: string) => services.loadTries([word], { workdir, cwd, timeoutMs, signal });
  return new Map(await Promise.all(words.map(async (word) => [word, await load(word)] as const)));
}

/**
 * Opens the file of a codec. Returns a function that writes it again if it does not fit its payloads.
 *
 * @param folder folder of the config
 * @throws ToolError if the file cannot be written, before anything is checked
 */
export type CodecWriter = (
  path: string,
  folder: string,
  type: string | undefined,
) => (made: RewrittenCodec) => Promise<void>;

/**
 * Codecs that the config names, to be loaded by `check`.
 *
 * @throws ToolError if a codec is missing, before anything is checked
 */
function codecFiles(
  { request: { units, config, timeoutMs, signal } }: GateInputs,
  writer: CodecWriter | null,
  { services, workdir }: Work,
): CodecFiles {
  const codecs: CodecFiles = new Map();
  const { folder } = config;
  const waiting = { timeoutMs, signal };
  for (const { codec: file, type } of entriesOf(units)) {
    if (file === undefined) continue;
    emitFileOf(file, `${config.file ?? 'the config'}: codec`);
    const path = resolve(folder, file);
    if (!writer && !existsSync(path)) throw new ToolError('codec-missing', { file });
    codecs.set(file, {
      rewrite: writer?.(path, folder, type) ?? null,
      async load() {
        if (!existsSync(path)) return null;
        const [tried] = await services.loadTries([path], { workdir, cwd: folder, ...waiting });
        const json = schemaJson(await textOf(path, MOST_BYTES, waiting));
        const madeOf = json === null ? null : (codecSchemaOf(json) ?? 'unreadable');
        return { tried: { ...tried!, name: file, isCodec: true }, madeOf };
      },
    });
  }
  return codecs;
}

/** Maximum bytes of a codec file. */
const MOST_BYTES = 64 * 2 ** 20;
