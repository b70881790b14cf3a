/** Turns the sites of a recording into payloads: each gets a generated module that makes values like its messages. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Waiting } from '../../machine/given-file.ts';
import { cutName } from '../../model/cut.ts';
import type { RecordedMessages, Recording } from '../../model/documents/recorded/recording.ts';
import type { AnalyzedRecording, Traffic, TrafficValues } from '../../model/documents/recorded/traffic.ts';
import { ToolError, usage } from '../../model/errors.ts';
import type { LibraryName } from '../../model/names.ts';
import type { SiteChoice } from '../../model/recording/recording.ts';
import { type Recipe, type Recorded, type Source, stemOf } from '../../model/report/recipe.ts';
import { sumOf } from '../../model/sums.ts';
import { isAtOrBelow, patternOf } from '../../value/read/paths.ts';
import { inside, valuePath } from '../envelopes/envelopes.ts';
import { moduleOf } from '../module/module-of.ts';

import * as sites from '../sites/sites.ts';
import { joinedTimes } from '../threads/group-facts.ts';
import { readRecording } from './recording-files.ts';

export interface RecordingChoice extends SiteChoice {
  seed: number;
  overNamedChannels: boolean;
}

export const ALL_SITES: RecordingChoice = { top: null, site: null, seed: 1, overNamedChannels: false };

interface RecordingInput extends Waiting {
  path: string;
  shown: string;
  prefix: string;
  folder: string;
}

/** The costliest site is first. @throws ToolError 'recording-empty', 'usage' (unknown site), or of reading it */
export async function recordingSources(place: RecordingInput, choice: RecordingChoice): Promise<Source[]> {
  const recording = await readRecording(place.path, place.shown, place);
  const { messages, header } = recording;
  if (messages.length === 0) {
    const missed = header.gaps.map(({ what }) => what);
    const detail = [...(header.thrown ?? []).map(sites.thrownText), ...missed].join('; ');
    throw new ToolError('recording-empty', { file: place.shown, detail });
  }
  const names = sites.siteNames(messages);
  const ranked = chosenSites(recording, choice, place.shown);
  const allNs = sumOf(messages, (one) => sites.sendNs(one) ?? 0);
  const analyzed = analyzedOf(recording, place.shown);
  mkdirSync(place.folder, { recursive: true });
  const sourceAt = (index: number): Source => {
    const one = messages[index]!;
    const { sample: _, ...facts } = one;
    const traffic: Traffic = { ...facts, cost: null, lint: [], values: null };
    const channel = choice.overNamedChannels ? null : sites.channelOf(one);
    const recorded: Recorded = { recording: analyzed, allNs, traffic, channel };
    const id = cutName(place.prefix + names[index]!);
    const file = join(place.folder, `site-${index}.mjs`);
    return siteSource(one, recorded, { id, file, shown: place.shown, seed: choice.seed });
  };
  return ranked.map((index) =>
    withSamples(sourceAt(index), sites.groupsOfSite(messages, index).map(sourceAt)),
  );
}

/** Adds the other groups of the site with the same envelope as samples: all pass through one codec. */
function withSamples(source: Source, groups: readonly Source[]): Source {
  if (source.kind === 'failed' || source.recorded === undefined) return source;
  const { via } = source.recipe;
  const samples = groups.flatMap((one) =>
    one.kind !== 'failed' && one.recipe.via === via ? one.recipe : [],
  );
  return { ...source, recorded: { ...source.recorded, samples } };
}

/** Indices of sites, the heaviest first. @param most if neither option gives a number @throws ToolError 'usage' */
export function chosenSites(recording: Recording, choice: SiteChoice, file: string, most?: number): number[] {
  const { top, site } = choice;
  const asked = askedFor(recording, site, file);
  const weights = sites.sendWeights(recording.messages);
  const own = asked.map((index) => weights[index]!);
  return sites.heaviest(own, top, most).map((at) => asked[at]!);
}

function askedFor({ messages }: Recording, site: string | null, file: string): number[] {
  if (site === null) return [...messages.keys()];
  // Names in a report of several recordings begin with that of the file.
  const prefix = `${stemOf(file)}/`;
  const own = site.startsWith(prefix) ? site.slice(prefix.length) : site;
  const asked =
    [site, own].map((one) => sites.sitesNamed(messages, one)).find((some) => some.length > 0) ?? [];
  if (asked.length > 0) return asked;
  const places = [...new Set(messages.map(sites.placeOfSite))];
  const some = places.slice(0, 5).map(cutName).join(', ');
  const known = places.length === 0 ? 'It has no messages' : `Some of its sites: ${some}`;
  throw usage(`--site: no site of ${file} contains '${site}'. ${known}`);
}

function analyzedOf({ header, messages }: Recording, file: string): AnalyzedRecording {
  const all = sumOf(messages, ({ count }) => count);
  const sized = sumOf(messages, ({ bytes, count }) => (bytes === null ? 0 : count));
  const times = joinedTimes(messages.map((one) => one.times));
  const left = { groups: messages.length, messages: all, share: 1 };
  return { ...header, file, messages: all, bytes: sites.sumBytes(messages), sized, times, left };
}

function sequenceOf(one: RecordedMessages, via: LibraryName | null): Pick<Recipe, 'sequence'> {
  const states = sites.statesOf(one);
  const inside = via === null ? '$' : (patternOf(valuePath(via)) ?? '$');
  const paths = (states?.paths ?? []).filter((path) => isAtOrBelow(path, inside));
  if (states === null || paths.length === 0) return {};
  return { sequence: { equal: states.equal, paths: paths.map((path) => `$${path.slice(inside.length)}`) } };
}

type SitePlace = Record<'id' | 'file' | 'shown', string> & Pick<RecordingChoice, 'seed'>;

/** Source of a site. A site that cannot be made again is still reported, with its counts and the reason. */
function siteSource(one: RecordedMessages, recorded: Recorded, { id, file, shown, seed }: SitePlace): Source {
  try {
    const made = siteModule(one, recorded.recording, seed);
    if (made === null) throw new ToolError('shape-unknown', { file: shown });
    const { text, via, values } = made;
    writeFileSync(file, text);
    const recipe: Recipe = {
      id,
      source: { file: shown, export: null },
      build: { form: 'module', file, original: shown, export: 'default', generated: true },
      via,
      ...(sites.areNew(one) && { isNewEachTime: true }),
      ...(one.transfer.listed === 0 && sites.keepsBuffers(one) && { keepsBuffers: true }),
      ...sequenceOf(one, via),
    };
    return { kind: 'ready', recipe, recorded: { ...recorded, traffic: { ...recorded.traffic, values } } };
  } catch (thrown) {
    if (!(thrown instanceof ToolError)) throw thrown;
    const error = ToolError.again(thrown.code, { ...thrown.facts, file: shown }, { cause: thrown });
    return { kind: 'failed', id, file: shown, error, recorded };
  }
}

export type SiteModule = NonNullable<ReturnType<typeof siteModule>>;

const FROM = { none: 'made-up', masked: 'masked-sample', kept: 'sample' } as const;

/**
 * Module of a site; null if nothing is known of the messages. It makes the value of a library's request, since `--via`
 * puts the envelope around it, so that rewrites are of the value and their code calls the library. It makes the whole
 * message for replies, and if values were kept. @throws ToolError for a message that cannot be made again
 */
export function siteModule(
  { envelope, sample }: Pick<RecordedMessages, 'envelope' | 'sample'>,
  { values }: Pick<AnalyzedRecording, 'values'>,
  seed: number,
) {
  if (sample === null) return null;
  const library = values === 'none' && envelope?.direction === 'request' ? envelope.library : null;
  const value = library === null ? undefined : inside(sample, library);
  const head = values === 'kept' ? 'kept' : 'masked';
  const { text, differences } = moduleOf(value === undefined ? sample : value, head, seed);
  const via = value === undefined ? null : library;
  return { text, via, values: { from: FROM[values], seed, differences } satisfies TrafficValues };
}
