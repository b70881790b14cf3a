/** A report as a printed document: rankings of recordings, then a section for each payload. */

import type { Traffic, TrafficFinding, TrafficValues } from '../../model/documents/recorded/traffic.ts';
import type { PayloadReport, Report, Step } from '../../model/documents/report.ts';
import { isToProcess } from '../../model/recording/recording.ts';
import type { RenderOptions } from '../../model/report/formats.ts';
import { TRAFFIC_WORDS } from '../../model/vocabulary/traffic.ts';
import { stepsOf } from '../../stats/advise/steps.ts';
import { carries } from '../../stats/evidence.ts';
import type { Node, Printed } from '../doc.ts';
import { type Body, block, fold, item, nodesOf, section, text } from '../nodes.ts';
import { atMost, groupedBy } from '../text/groups.ts';
import { bytes, bytesInterval, count, counted, gainFactor, medianText, time } from '../text/numbers.ts';
import { code, listed, muted, sentenceCase, type Words } from '../words.ts';
import { answerNodes } from './answer.ts';
import { detailNodes } from './details.ts';
import { findingText, lineWords, recordingNodes, recordingRows, threadText, totalText } from './recording.ts';
import { anchorOf, contentsOf, isOpen, runsTable, runtimeNames } from './texts.ts';

type Payloads = readonly PayloadReport[];

/** "3 of 4 payloads get 2.0x to 33x faster, 1 arrives changed"; "The payload gets 2.0x faster" if there is only one */
export function headline({ payloads }: Report): string {
  const { length: all } = payloads;
  if (all === 0) return 'No payloads';
  const isRecorded = payloads.every(({ traffic }) => traffic !== undefined);
  const sites = isRecorded ? sitesText(payloads) : null;
  const counts: [some: number, one: string, more: string][] = [
    ...(isRecorded ? [] : fasterCounts(payloads)),
    [withStep(payloads, 'lost'), 'arrives changed', 'arrive changed'],
    [withStep(payloads, 'rejected'), 'cannot be posted', 'cannot be posted'],
    [payloads.filter(isFailed).length, 'failed', 'failed'],
  ];
  // The number of all payloads is named once.
  const texts = counts
    .filter(([some]) => some > 0)
    .map(([some, one, more], at) => {
      const word = some === 1 ? one : more;
      if (at > 0 || sites !== null) return all === 1 ? word : `${count(some)} ${word}`;
      return all === 1 ? `the payload ${word}` : `${count(some)} of ${counted(all, 'payload')} ${word}`;
    });
  if (sites !== null) texts.unshift(sites);
  if (texts.length > 0) return sentenceCase(listed(texts));
  const whole = all === 1 ? 'the payload' : `${count(all)} payloads`;
  if (payloads.some(({ runs }) => runs.some(isOpen)))
    return `Not decided whether anything makes ${whole} faster`;
  return isMeasured(payloads) ? `Nothing found that makes ${whole} faster` : `What engines do with ${whole}`;
}

const isMeasured = (payloads: Payloads): boolean =>
  payloads.some(({ runs }) => runs.some(({ measurement }) => measurement !== null));

const isFailed = ({ error, runs }: PayloadReport): boolean =>
  error !== null || (runs.length > 0 && runs.every(({ status }) => status === 'failed'));

const stepsIn = (payload: PayloadReport): readonly Step[] => payload.steps ?? stepsOf(payload);

const withStep = (payloads: Payloads, wanted: Step['kind']): number =>
  payloads.filter((payload) => stepsIn(payload).some(({ kind }) => kind === wanted)).length;

function fasterCounts(payloads: Payloads): [some: number, one: string, more: string][] {
  const gains = payloads.flatMap(({ runs }) => {
    const own = runs.flatMap(({ advice }) =>
      advice?.action === 'apply' && carries(advice.gain, 'size') ? advice.gain : [],
    );
    return own.sort((a, b) => a.ratio - b.ratio).slice(0, 1);
  });
  const [least, ...others] = gains.sort((a, b) => b.ratio - a.ratio).map(gainFactor);
  const most = others.at(-1);
  if (least === undefined) return [];
  const range = most === undefined || most === least ? least : `${least} to ${most}`;
  return [[gains.length, `gets ${range} faster`, `get ${range} faster`]];
}

/** "about 204 ms can be saved at 3 of 5 sites"; null if there is nothing to do */
function sitesText(payloads: Payloads): string | null {
  const firsts = payloads.flatMap(
    (payload) => stepsIn(payload).find(({ kind }) => kind === 'rewrite' || kind === 'traffic') ?? [],
  );
  const savedMs = firsts.reduce((sum, { savesMs }) => sum + (savesMs ?? 0), 0);
  if (firsts.length === 0) return null;
  const saved = savedMs > 0 ? `about ${time(savedMs * 1e6)} can be saved` : 'something to do';
  return `${saved} at ${count(firsts.length)} of ${counted(payloads.length, 'site')}`;
}

const NO_PAYLOADS = 'No payloads.';

/** @param order the input's order, or the most expensive payload first, like in the list of contents */
export function reportDocument(
  report: Report,
  { isEmitted }: Pick<RenderOptions, 'isEmitted'> = {},
  order: 'given' | 'cost' = 'given',
): Printed {
  const { payloads } = report;
  const contents = contentsOf(report);
  const places = order === 'given' ? [] : (contents?.places ?? []);
  const sites = payloads.filter(({ traffic }) => traffic !== undefined).length;
  return {
    ...reportFrame(report),
    contents: contents?.table,
    body: nodesOf([
      recordingNodes(report),
      [...new Set([...places, ...payloads.keys()])].map((place) => {
        const payload = payloads[place]!;
        const own = section(payloadNodes(payload, isEmitted), anchorOf(place));
        // If there are several sites, the ranking already shows their steps.
        return payload.traffic !== undefined && sites > 1 ? fold(payload.id, 'in full', own) : own;
      }),
      payloads.length === 0 && text(NO_PAYLOADS),
    ]),
  };
}

export function reportFrame(report: Report): Printed {
  const { payloads, date } = report;
  return {
    title: payloads.map(({ id }) => id).join(', ') || 'no payloads',
    heading: [headline(report)],
    date,
    body: [],
    facts: machineFacts(report),
    ...(isMeasured(payloads) ? { hint: ABOUT_DETAILS } : {}),
  };
}

const ABOUT_DETAILS = '--details: memory, distribution, every rewrite, where the bytes are';

export const payloadNodes = (payload: PayloadReport, isEmitted?: boolean): Node[] =>
  nodesOf([answerNodes(payload, isEmitted), trafficFold(payload), detailNodes(payload)]);

export const machineFacts = ({
  machine,
  tool,
  seed,
}: Pick<Report, 'machine' | 'tool' | 'seed'>): string[] => [
  `${machine.os} ${machine.arch}`,
  machine.cpu,
  counted(machine.cores, 'core'),
  bytes(machine.memoryBytes),
  `seed ${seed}`,
  `clone-prof ${tool.version}`,
];

export function answersOnly(report: Report): Node[] {
  const { payloads } = report;
  const own = payloads.filter(({ traffic }) => traffic === undefined);
  return nodesOf([
    recordingRows(report),
    runsTable('Answers', own, true),
    payloads.length === 0 && text(NO_PAYLOADS),
  ]);
}

// Details of a site: the way its messages were posted, and faults of its traffic.

export function trafficFold(payload: PayloadReport): Body {
  const { id, traffic } = payload;
  if (traffic === undefined) return null;
  const { api, serialization, lint, values } = traffic;
  const mode = isToProcess(api) && `Serialization: ${serialization ?? 'not known, taken as json'}.`;
  const posted = [placeWordsOf(traffic), countText(traffic), mode];
  return fold(
    id,
    'how it was posted',
    block([
      item('posted', posted),
      item('size', sizeTexts(traffic)),
      lint.map(findingItem),
      item('library', [envelopeText(payload, traffic)]),
      values && item('values', [valuesText(values, traffic)]),
    ]),
  );
}

function placeWordsOf({ site, api, from, to }: Traffic): Words {
  const { user, library } = site;
  const frame = user ?? library?.frame;
  const by = library && `${library.name}${library.version === null ? '' : ` ${library.version}`}`;
  return [
    code(api),
    frame && [' at ', lineWords(frame)],
    by !== null && `, ${user === null ? 'by' : 'through'} ${by}`,
    ...[', from ', code(threadText(from))],
    to !== null && [' to ', code(threadText(to))],
    '.',
  ];
}

function countText({ count: sent, received, threads, estimated, queue }: Traffic): string {
  const by = threads > 1 ? ` by ${counted(threads, 'thread')}` : '';
  const arrived = received === null ? '' : `, ${received === sent ? 'all' : count(received)} received`;
  const waited = queue ? `; at most ${count(queue.max)} waiting, ${count(queue.last)} at the end` : '';
  const least = estimated ? ' The counts may be too low: a process ended between two writes.' : '';
  return `${counted(sent, 'message')}${by}${arrived}${waited}.${least}`;
}

const sizeTexts = ({ bytes: size, send, looked, count: sent }: Traffic): Words[] => [
  size &&
    `${totalText(size)}${size.ci[0] === size.ci[1] ? '' : ` (95 % interval ${bytesInterval(size.ci)})`} in all, at most ${bytes(size.max)} a message.`,
  send && `A call took ${medianText(send)} (median of ${count(send.timed)}), at most ${time(send.max)}.`,
  looked < sent && `${count(looked)} of ${count(sent)} messages were looked at.`,
];

function envelopeText({ runs }: PayloadReport, { envelope }: Traffic): Words {
  if (envelope === null) return null;
  const others = runs.filter(({ bare, verdict }) => bare && verdict && bare.class !== verdict.class);
  const effects = groupedBy(others, ({ bare }) => `${bare?.class} (${bare?.path})`);
  const alone = effects.map(
    ([effect, group]) => ` The value alone would be ${effect} on ${runtimeNames(group)}.`,
  );
  return [`The message is a ${envelope.direction} of ${envelope.library}.`, alone];
}

const VALUES: Record<TrafficValues['from'], string> = {
  'made-up': '; its texts, numbers and keys that are data are made up',
  sample: '',
  'masked-sample': '; its texts are masked',
};

const MAX_DIFFERENCES = 3;

function valuesText({ from, differences }: TrafficValues, { transfer: { listed } }: Traffic): Words {
  const told = atMost(MAX_DIFFERENCES, differences, (others) => `${others} more, in --format json`);
  return [
    `A message as it was recorded${VALUES[from]}.`,
    told.length > 0 && ` What differs: ${told.join('; ')}.`,
    listed > 0 && ' Posted with a transfer list: classified with it, and not measured.',
  ];
}

function findingItem(finding: TrafficFinding): Body {
  const row = TRAFFIC_WORDS[finding.rule];
  const text = sentenceCase(findingText(finding));
  const isSlow = row.level !== 'note';
  const why = muted(`${row.why} ${row.fix}`);
  return item(isSlow ? 'fix' : 'see', [isSlow ? { text, tone: 'poor' } : text, why]);
}
