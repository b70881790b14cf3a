import { existsSync } from 'node:fs';
import { basename, relative, resolve } from 'node:path';
import { moveBaseline, standingOf } from '../../../app/gate/baseline.ts';
import { hasSamples } from '../../../core/gate/baseline.ts';
import { gateEntry, loosened } from '../../../core/recording/sites/gate-entry.ts';
import { sizeDifference } from '../../../core/recording/sites/made-size.ts';
import { HAND_WRITTEN_BYTES, textOf, type Waiting } from '../../../machine/given-file.ts';
import type { Baseline } from '../../../model/documents/baseline.ts';
import { ToolError } from '../../../model/errors.ts';
import type { SiteChoice } from '../../../model/recording/recording.ts';
import { baselineChanges } from '../../../reporters/check/terminal.ts';
import { refuseWithoutRecording } from '../../../services/analysis.ts';
import { demandsNow } from '../../../services/gate/demands.ts';
import {
  configHere,
  type GateInputs,
  type GateQuery,
  gateInputs,
  gateTools,
} from '../../../services/gate/gate-request.ts';
import type { Services } from '../../../services/services.ts';
import { fileKindOf } from '../../../sources/find.ts';
import { baselineText, readBaseline } from '../../../store/baseline-file.ts';
import { withLimits, withPayloads } from '../../../store/config/add-payloads.ts';
import type { BaselineSettings, CheckSettings } from '../../options/check.ts';
import { CommandFiles, sourceFile } from '../../session/command-files.ts';
import { EXIT, isUsageCode, sayReasons } from '../../session/exit.ts';
import { printResult, write } from '../../session/output.ts';
import { openOutputFile } from '../../session/output-file.ts';
import { type Session, withSession } from '../../session/session.ts';
import type { World } from '../../session/world.ts';
import { checkQuery, failureReason, gateQuery } from './check.ts';
import { type FixtureSite, writeFixtures } from './recorded-fixtures.ts';

/** Samples of the payloads that the baseline holds; null: none. */
type KeptSamples = 'plain' | 'masked' | null;

export interface BaselineQuery extends GateQuery, SiteChoice {
  samples: KeptSamples;
}

const keptSamples = ({ samples, mask }: Pick<BaselineSettings, 'samples' | 'mask'>): KeptSamples =>
  samples ? (mask ? 'masked' : 'plain') : null;

/** `clone-prof baseline` */
export const runBaseline = (
  settings: BaselineSettings,
  world: World,
  services: Services,
): Promise<number> => {
  const { top, site } = settings;
  return written({ ...gateQuery(settings), top, site, samples: keptSamples(settings) }, world, services);
};

/** `clone-prof check --accept` */
export const runAccept = (settings: CheckSettings, world: World, services: Services): Promise<number> => {
  const sites = { top: null, site: null };
  return written({ ...checkQuery(settings), ...sites, samples: keptSamples(settings) }, world, services);
};

/** Writes the current facts and prints changes. */
const written = (options: BaselineQuery, world: World, services: Services): Promise<number> =>
  withSession(services, world, async (session) => {
    const hasRecording = options.payloads.some(isRecording);
    refuseWithoutRecording(options, hasRecording);
    if (!hasRecording) return writeBaseline(session, options);
    const { payloads, hasFailed } = await fromRecordings(session, options);
    const exit = payloads === null ? EXIT.ok : await writeBaseline(session, { ...options, payloads });
    return exit === EXIT.ok && hasFailed ? EXIT.failure : exit;
  });

async function writeBaseline(session: Session, options: BaselineQuery): Promise<number> {
  const { progress, signal, world } = session;
  const inputs = await gateInputs(session, options);
  const { request, baselinePath, baselineFile } = inputs;
  const sources = [...request.sources.values()].flat();
  new CommandFiles(request.cwd, sources.map(sourceFile)).writes(baselinePath, 'baseline');
  const output = openOutputFile(baselinePath, world.cwd());
  const old = await readableBaseline(inputs, session);
  const demands = demandsNow(inputs.config, inputs.asked, old?.demands);
  const asked = { ...request, samples: options.samples, demands };
  const { baseline, changes, failures } = await moveBaseline(old, asked, gateTools(session));
  progress.stop();
  if (signal.aborted) throw new ToolError('interrupted');
  await sayReasons(failures.map(failureReason), world);
  const isPrivate = hasSamples(baseline);
  if (isPrivate) progress.listen({ type: 'warning', text: privacyWarning(baselineFile, options.samples) });
  if (changes.length > 0) await output.write(baselineText(baseline), isPrivate ? OWNER_ONLY : undefined);
  await printResult((renderOptions) => baselineChanges(baselineFile, changes, renderOptions), world);
  if (failures.length === 0) return EXIT.ok;
  return failures.some(({ code }) => isUsageCode(code)) ? EXIT.usage : EXIT.failure;
}

/** A file with values of the user: nobody else reads it. */
const OWNER_ONLY = 0o600;

const privacyWarning = (file: string, samples: KeptSamples) =>
  samples === 'masked'
    ? `${file} holds numbers and keys of the payloads; texts are masked. Commit it only where these may be public`
    : `${file} holds copies of payloads. Commit it only where all their values may be public; --mask hides texts`;

/** null also for a baseline that cannot be read (after a merge conflict, say): it is written anew. */
async function readableBaseline(
  { baselinePath, baselineFile, waiting }: GateInputs,
  { progress }: Session,
): Promise<Baseline | null> {
  try {
    return await readBaseline(baselinePath, baselineFile, waiting);
  } catch (error) {
    if (!(error instanceof ToolError) || error.code !== 'document-bad') throw error;
    progress.listen({ type: 'warning', text: error.message });
    return null;
  }
}

const isRecording = (file: string): boolean => fileKindOf(file, null) === 'recording';

const NEW_CONFIG = 'clone-prof.config.json';

/**
 * `clone-prof baseline app.cprof`: payloads like the messages, and their place in the config. `payloads`: those of the
 * baseline; null where the config is code, to which its author adds them.
 */
async function fromRecordings(
  session: Session,
  options: BaselineQuery,
): Promise<{ payloads: string[] | null; hasFailed: boolean }> {
  const { world, progress } = session;
  const cwd = world.cwd();
  const recordings = options.payloads.filter(isRecording);
  const config = await configHere(session, options.config, options.timeoutMs);
  const { sites, failed } = await writeFixtures(recordings, config, options, session);
  await sayReasons(failed, world);
  const hasFailed = failed.length > 0;
  const entries = sites.map((site) => gateEntry(site, config.common));
  if (entries.length === 0) throw new ToolError('no-input');
  const file = config.file ?? NEW_CONFIG;
  if (!file.endsWith('.json')) {
    const lines = entries.map((entry) => `    ${JSON.stringify(entry)},`);
    const text = `Add to ${file}, then run clone-prof baseline:\n\n  payloads: [\n${lines.join('\n')}\n  ],\n`;
    await write(world.stdout, text);
    return { payloads: null, hasFailed };
  }
  const change = configWriter(file, cwd, { timeoutMs: options.timeoutMs, signal: session.signal });
  await change((document) => withPayloads(document, entries));
  progress.listen({ type: 'note', text: `${file} has ${entries.length} payloads of the recording` });
  const added = entries.map(({ input }) => relative(cwd, resolve(config.folder, input)));
  const payloads = [...options.payloads.filter((file) => !isRecording(file)), ...added];
  await loosen(session, { ...options, payloads }, sites, change);
  return { payloads, hasFailed };
}

type Change = (edit: (document: Parameters<typeof withPayloads>[0]) => string) => Promise<void>;

/**
 * Messages may break limits that hold for all payloads: those are off for them, which is told. All are off for a value that is
 * larger or smaller than its messages were.
 */
async function loosen(
  session: Session,
  options: BaselineQuery,
  sites: readonly FixtureSite[],
  change: Change,
): Promise<void> {
  const { request } = await gateInputs(session, options);
  const { unmet, copied } = await standingOf(request, gateTools(session));
  if (session.signal.aborted) throw new ToolError('interrupted');
  for (const { input, posted } of sites) {
    const bytes = copied.get(input);
    const difference = bytes === undefined ? null : sizeDifference(bytes, posted);
    if (difference === null) continue;
    await change((document) => withLimits(document, input, { class: 'off', maxBytes: 'off' }));
    session.progress.listen({ type: 'warning', text: `${input}: ${difference} Its limits are off` });
  }
  for (const input of new Set(unmet.flatMap(({ file }) => file ?? []))) {
    const limits = loosened(unmet.filter(({ file }) => file === input));
    await change((document) => withLimits(document, input, limits));
    const names = Object.entries(limits).map(([name, limit]) => `${name} ${limit}`);
    const text = `${input} breaks limits as it is: its own are ${names.join(', ')}`;
    session.progress.listen({ type: 'warning', text });
  }
}

/** Changes a config that is JSON; a new one where there is none. Code is changed by its author only. */
function configWriter(file: string, cwd: string, waiting: Waiting): Change {
  const path = resolve(cwd, file);
  const output = openOutputFile(file, cwd);
  const at = basename(path) === 'package.json' ? ['clone-prof'] : [];
  return async (edit) => {
    const text = existsSync(path)
      ? await textOf(path, HAND_WRITTEN_BYTES, waiting)
      : '{\n  "extends": "recommended"\n}\n';
    const next = edit({ text, at });
    if (next !== text) await output.write(next);
  };
}
