/** The facts of recordings that a reader must find in every format. */
import type {
  AnalyzedRecording,
  Traffic,
  TrafficCost,
  TrafficFinding,
} from '../../../src/model/documents/recorded/traffic.ts';
import { bytes, count, percent, time } from '../../../src/reporters/text/numbers.ts';
import { FROZEN_WORDS as WORDS } from '../frozen/words.ts';

/** One text, or texts that stand on one line. */
export type Fact = string | string[];

export function recordingFacts(recording: AnalyzedRecording): Fact[] {
  const { file, command, messages, processes, threads, exit, gaps, left } = recording;
  return [
    ...[file, command.join(' '), `${count(messages)} messages`, `${count(recording.sized)} of them`],
    ...[`${threads} threads in ${processes} process`, `ended by ${exit?.signal}`],
    ...gaps.map(({ what, count: times }) => [what, `${times}×`]),
    [`${left.groups} more sites`, percent(left.share)],
    recording.values === 'none' ? '' : 'has values of the program',
  ];
}

export function trafficFacts(id: string, traffic: Traffic): Fact[] {
  const { site, api, from, to, count: sent, received, cost, bytes: size, send, queue } = traffic;
  const { user, library } = site;
  return [
    ...[api, from, to ?? '', `${count(sent)} messages`],
    ...(user === null ? [] : [`${user.file}:${user.line}:${user.column}`, user.name ?? '']),
    ...(library === null ? [] : [`${library.name} ${library.version}`]),
    ...(received === sent ? ['all received'] : []),
    ...(cost === null ? [] : [costFact(id, sent, cost), time(cost.perMessageNs)]),
    ...(size === null ? [] : [bytes(size.total), bytes(size.max)]),
    ...(send === null ? [] : [time(send.median), time(send.max)]),
    ...(queue === null ? [] : [`${count(queue.max)} waiting, ${count(queue.last)} at the end`]),
    ...(traffic.estimated ? ['may be too low'] : []),
    ...traffic.lint.flatMap(lintFacts),
    ...(traffic.envelope === null ? [] : [`${traffic.envelope.direction} of ${traffic.envelope.library}`]),
    ...(traffic.values?.from === 'shape' ? [`seed ${traffic.values.seed}`] : []),
    ...(traffic.values?.from === 'masked-sample' ? ['its texts masked'] : []),
    ...(traffic.values?.differences ?? []),
  ];
}

/** The table beside it has what was measured: the time of calls alone is in the section of the site. */
const costFact = (id: string, sent: number, { of, totalMs }: TrafficCost): Fact =>
  of === 'measured' ? [id, count(sent), time(totalMs * 1e6)] : `${time(totalMs * 1e6)}, ${count(sent)} ×`;

function lintFacts({ rule, count: found, of, bytes: size, savesMs }: TrafficFinding): Fact[] {
  const row = WORDS.traffic[rule];
  return [
    row?.title.replace('{count}', count(found)).replace('{of}', `${of && count(of)}`) ?? rule,
    ...(row === undefined ? [`${count(found)} of ${count(of ?? found)}`] : [row.why, row.fix]),
    ...(size === null ? [] : [`about ${bytes(size)}`]),
    ...(savesMs === null ? [] : [`save about ${time(savesMs * 1e6)}`]),
  ];
}
