import { existsSync, lstatSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { standingOf } from '../../../app/gate/baseline.ts';
import { maskedShape } from '../../../core/masking.ts';
import { fileNames, type GateSite, gateEntry, loosened } from '../../../core/recording/sites/gate-entry.ts';
import { sizeDifference } from '../../../core/recording/sites/made-size.ts';
import { placeOfSite, siteNames } from '../../../core/recording/sites/site-names.ts';
import { startOf, textOf } from '../../../machine/given-file.ts';
import type { RecordedMessages, Recording } from '../../../model/documents/recording.ts';
import { ToolError } from '../../../model/errors.ts';
import type { CheckConfig } from '../../../model/gate/limits.ts';
import type { SiteChoice } from '../../../model/recording/recording.ts';
import { visibleLine } from '../../../reporters/text/escape.ts';
import { CHANNEL_OF, chosenSites } from '../../../sources/recording.ts';
import { type SiteModule, siteModule } from '../../../sources/site-module.ts';
import { withLimits, withPayloads } from '../../../store/config/add-payloads.ts';
import { MOST_CONFIG_BYTES } from '../../../store/config/find-config.ts';
import { readRecording } from '../../../store/recording-file.ts';
import type { GateOptions } from '../../options/check.ts';
import { write } from '../../session/output.ts';
import { openOutputFile } from '../../session/output-file.ts';
import { sayReasons } from '../../session/reasons.ts';
import type { Session } from '../../session/session.ts';
import { configHere, gateInputs, gateTools } from './gate-request.ts';

const NEW_CONFIG = 'clone-prof.config.json';
const RECORDING = /\.cprof$/i;

/**
 * `clone-prof baseline app.cprof`: payloads like the messages, and their place in the config. `payloads`: those of the
 * baseline; null where the config is code, to which its author adds them.
 */
export async function fromRecordings(
  session: Session,
  options: GateOptions,
): Promise<{ payloads: string[] | null; hasFailed: boolean }> {
  const { world, progress } = session;
  const cwd = world.cwd();
  const recordings = options.payloads.filter((file) => RECORDING.test(file));
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
  const change = configWriter(file, cwd);
  await change((document) => withPayloads(document, entries));
  progress.listen({ type: 'note', text: `${file} has ${entries.length} payloads of the recording` });
  const added = entries.map(({ input }) => relative(cwd, resolve(config.folder, input)));
  const payloads = [...options.payloads.filter((one) => !RECORDING.test(one)), ...added];
  await loosen(session, { ...options, payloads }, sites, change);
  return { payloads, hasFailed };
}

interface FixtureSite extends GateSite {
  posted: RecordedMessages;
}

type Change = (edit: (document: Parameters<typeof withPayloads>[0]) => Promise<string>) => Promise<void>;

/**
 * Messages may break limits that hold for all payloads: those are off for them, which is told. All are off for a value that is
 * larger or smaller than its messages were.
 */
async function loosen(
  session: Session,
  options: GateOptions,
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
function configWriter(file: string, cwd: string): Change {
  const path = resolve(cwd, file);
  const output = openOutputFile(file, cwd);
  const at = basename(path) === 'package.json' ? ['clone-prof'] : [];
  return async (edit) => {
    const text = existsSync(path)
      ? await textOf(path, MOST_CONFIG_BYTES)
      : '{\n  "extends": "recommended"\n}\n';
    const next = await edit({ text, at });
    if (next !== text) await output.write(next);
  };
}

/** The first words of every file that this writes, and that it may write over. */
const MARKER = '// Made by clone-prof';
/** The sites that make 95 % of the cost, and no more than this. */
const MAX_FIXTURES = 20;
/** Told in the file. */
const MAX_DIFFERENCES = 5;
/** The same values on every machine. */
const SEED = 1;

/**
 * A file for each site that matters, with values that are made up: none of the program's is in it. `failed`: a sentence for
 * each site of which no payload could be made.
 *
 * @throws ToolError of reading a recording; 'usage' for a site that is in none; 'output-unwritable' for a file that is somebody else's, before one is written
 */
async function writeFixtures(
  files: readonly string[],
  config: CheckConfig,
  choice: SiteChoice,
  { world, progress }: Session,
): Promise<{ sites: FixtureSite[]; failed: string[] }> {
  const cwd = world.cwd();
  const failed: string[] = [];
  const recordings = await Promise.all(files.map((file) => readRecording(resolve(cwd, file), file)));
  const made = recordings.flatMap((recording, at) =>
    sitesIn(recording, choice, files[at]!).flatMap((site) => {
      try {
        return [{ ...site, module: moduleOf(site.one, recording) }];
      } catch (error) {
        if (!(error instanceof ToolError)) throw error;
        failed.push(`${files[at]}: ${site.name}: ${error.message}`);
        return [];
      }
    }),
  );
  const names = fileNames(made.map(({ name }) => name));
  const open = made.map((_, i) => {
    const shown = relative(cwd, join(config.folder, config.fixtures, `${names[i]}.mjs`));
    refuseForeign(resolve(cwd, shown), shown);
    return { shown, output: openOutputFile(shown, cwd) };
  });
  for (const [i, { one, module }] of made.entries()) {
    const { shown, output } = open[i]!;
    await output.write(fileText(one, module));
    progress.listen({ type: 'note', text: `wrote ${shown}: ${countText(one)} of ${placeOfSite(one)}` });
  }
  const sites = made.map(({ one, module, runtime }, i) => ({
    id: names[i]!,
    input: relative(config.folder, resolve(cwd, open[i]!.shown)).replaceAll('\\', '/'),
    via: module.via,
    channel: CHANNEL_OF[one.api],
    runtime,
    posted: one,
  }));
  return { sites, failed };
}

function sitesIn(recording: Recording, choice: SiteChoice, file: string) {
  const { header, messages } = recording;
  const names = siteNames(messages);
  return chosenSites(recording, choice, file, MAX_FIXTURES).map((index) => {
    const one = messages[index]!;
    return { name: names[index]!, one, runtime: (one.runtime ?? header.runtime)?.name ?? null };
  });
}

/** From the shape without keys that are data, also where messages were kept: the file is committed. */
function moduleOf(one: RecordedMessages, { header }: Recording): SiteModule {
  const shape = one.shape && maskedShape(one.shape);
  const module = siteModule({ ...one, shape, sample: null }, header, SEED);
  if (module === null) throw new ToolError('shape-unknown', { file: 'the recording' });
  return module;
}

const countText = ({ count }: RecordedMessages): string => (count === 1 ? '1 message' : `${count} messages`);

function fileText(one: RecordedMessages, { text, values }: SiteModule): string {
  const end = text.indexOf('\n');
  const said = [
    `Posted by ${placeOfSite(one)} with ${one.api}: ${countText(one)}.`,
    ...values.differences
      .slice(0, MAX_DIFFERENCES)
      .map((difference) => `Other than the messages: ${difference}.`),
  ];
  // Names and patterns are the program's: one line each, whatever is in them.
  const comments = said.map((line) => `// ${visibleLine(line)}`);
  return [text.slice(0, end), ...comments, text.slice(end + 1)].join('\n');
}

/** A file that somebody wrote by hand is not lost, and a link leads nowhere. */
function refuseForeign(path: string, file: string): void {
  const there = lstatSync(path, { throwIfNoEntry: false });
  if (there === undefined || (there.isFile() && startOf(path)?.startsWith(MARKER))) return;
  const detail = `it is there, and clone-prof did not write it: its first line does not start with "${MARKER}"`;
  throw new ToolError('output-unwritable', { file, detail });
}
