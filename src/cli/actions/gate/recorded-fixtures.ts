/** Files that `baseline` writes for the sites of recordings: modules that make values like the messages. */
import { lstatSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { maskedShape } from '../../../core/masking.ts';
import { channelOf } from '../../../core/recording/sites/channel-of.ts';
import { fileNames, type GateSite } from '../../../core/recording/sites/gate-entry.ts';
import { placeOfSite, siteNames } from '../../../core/recording/sites/site-names.ts';
import { startOf } from '../../../machine/given-file.ts';
import type { RecordedMessages, Recording } from '../../../model/documents/recorded/recording.ts';
import { ToolError } from '../../../model/errors.ts';
import type { CheckConfig } from '../../../model/gate/limits.ts';
import type { SiteChoice } from '../../../model/recording/recording.ts';
import { visibleLine } from '../../../reporters/text/escape.ts';
import { counted } from '../../../reporters/text/numbers.ts';
import { chosenSites } from '../../../sources/recording.ts';
import { type SiteModule, siteModule } from '../../../sources/site-module.ts';
import { readRecording } from '../../../store/recording-file.ts';
import { openOutputFile } from '../../session/output-file.ts';
import type { Session } from '../../session/session.ts';

export interface FixtureSite extends GateSite {
  posted: RecordedMessages;
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
export async function writeFixtures(
  files: readonly string[],
  config: CheckConfig,
  choice: SiteChoice & { timeoutMs: number },
  { world, progress, signal }: Session,
): Promise<{ sites: FixtureSite[]; failed: string[] }> {
  const cwd = world.cwd();
  const failed: string[] = [];
  const waiting = { timeoutMs: choice.timeoutMs, signal };
  const recordings = await Promise.all(files.map((file) => readRecording(resolve(cwd, file), file, waiting)));
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
    channel: channelOf(one),
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

const countText = ({ count }: RecordedMessages): string => counted(count, 'message');

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
  if (there === undefined || (there.isFile() && startOf(path, MARKER.length) === MARKER)) return;
  const detail = `it is there, and clone-prof did not write it: its first line does not start with "${MARKER}"`;
  throw new ToolError('output-unwritable', { file, detail });
}
