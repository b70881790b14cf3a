/**
 * The answer for one payload, in this order: losses, the cost of a message and the threads that it blocks, the reason
 * for the cost, the advice, and its certainty. Everything else is a detail.
 */

import { stepsOf } from '../../core/steps.ts';
import type { PayloadReport, Run } from '../../model/documents/report.ts';
import type { Step } from '../../model/documents/step.ts';
import { type CostClass, channelRow, runtimeWord } from '../../model/names.ts';
import type { Wording } from '../../model/report/wording.ts';
import { alert, block, factsNode, heading, type Node, text } from '../doc.ts';
import { errorText, failureStep } from '../section/model/failure.ts';
import { largestParts } from '../section/model/largest-parts.ts';
import { runtimeName, runtimeNames } from '../section/model/run-groups.ts';
import { code, firstSentence, listed, muted, type Sentence, sentence } from '../section/model/sentence.ts';
import { groupedBy } from '../text/grouped.ts';
import { bytes, count, factor, percent, time } from '../text/numbers.ts';
import { titleOf } from './answer-rows.ts';
import { rowsOf, runColumns } from './run-columns.ts';
import { adviceNodes, savedNs } from './to-do.ts';
import { alarmSentence, causeTitle } from './verdict.ts';

const NORMAL: Readonly<Record<Exclude<CostClass, 'degraded' | 'rejected'>, string>> = {
  shared: 'Nothing is copied: both sides have the same memory.',
  moved: 'Nothing is copied: the receiver gets the memory, and the sender loses it.',
  'in-memory': 'Fast already: it is copied in memory, without the serializer.',
  bulk: 'Fast already: its bytes are copied as one block.',
  serialized: 'Normal for such data: it is written out and read back, value by value.',
};

const MAX_CAUSES = 2;

/** @param runs runs with the same verdict */
function causeSentences(runs: readonly Run[], words: Wording): Sentence[] {
  const isVarying = runs[0]?.verdict?.unknowns.some(({ what }) => what === 'value-varies');
  return [...reasons(runs, words), ...(isVarying ? [[muted(VARYING)]] : [])];
}

const VARYING = 'Each build of it gives another value: the verdict is that of one build.';

function reasons(runs: readonly Run[], words: Wording): Sentence[] {
  const [run] = runs as [Run];
  const { verdict } = run;
  const alarm = alarmSentence(run);
  if (alarm !== null)
    return [alarm.map((span) => (typeof span === 'string' ? { text: span, tone: 'bad' } : span))];
  if (verdict === null || verdict.class === 'rejected') return [];
  const shown = verdict.blockers.slice(0, MAX_CAUSES);
  const titleOf = ({ rule, path }: (typeof shown)[number]) =>
    causeTitle(rule, run.findings.find((one) => one.rule === rule && one.path === path)?.what, words);
  const causes = [...groupedBy(shown, (one) => JSON.stringify([one.rule, titleOf(one)])).values()].map(
    (own, at, all): Sentence => {
      const [first] = own as [(typeof shown)[number]];
      const places = own.flatMap(({ path, count: seen }, place): Sentence => {
        const times = seen > 1 ? ` (${count(seen)}×)` : '';
        return [place === 0 ? '' : ' and ', code(path), times];
      });
      const isSaid = all.slice(0, at).some(([one]) => one!.rule === first.rule);
      const why = isSaid ? '' : ` ${firstSentence(words.rules[first.rule]?.why ?? '')}`;
      return sentence`${places}: ${titleOf(first)}.${why}`;
    },
  );
  const more = verdict.blockers.length - shown.length;
  const rest = more > 0 ? [` And ${count(more)} more such places.`] : [];
  if (causes.length > 0) {
    const lead = verdict.class === 'degraded' ? 'Slower than such data must be. ' : '';
    return causes.map((one, at) => [at === 0 ? lead : '', ...one, ...(at === causes.length - 1 ? rest : [])]);
  }
  const [part] = largestParts(run)?.parts ?? [];
  const most =
    part !== undefined && part.share >= MOST
      ? sentence` Most of it is ${part.name} (${percent(part.share)} of the bytes).`
      : [];
  return [[verdict.class === 'degraded' ? 'Slower than such data must be.' : NORMAL[verdict.class], ...most]];
}

/** Minimum share of the bytes for naming a part. */
const MOST = 0.5;

export function answerNodes(payload: PayloadReport, words: Wording): Node[] {
  const { runs } = payload;
  const steps = payload.steps ?? stepsOf(payload);
  const [only, ...others] = runs;
  const head = heading([titleOf(payload)], headFacts(payload), 2);
  const lost = block(lossNodes(steps, runs, words));
  const failure = payload.error === null ? [] : block([alert([errorText(payload.error)])]);
  if (only === undefined) {
    const none = payload.error === null ? block([text(['No runtime ran this payload.'])]) : [];
    return [head, ...lost, ...failure, ...none];
  }
  const answer = others.length === 0 ? singleNodes(payload, only, words) : severalNodes(payload, words);
  return [head, ...lost, ...answer];
}

function headFacts({ runs }: PayloadReport): string[] {
  const shape = runs.find((run) => run.shape !== null)?.shape;
  const size = shape?.jsonBytes ?? runs.find((run) => run.bytes)?.bytes?.copied;
  const channels = new Set(runs.map(({ channel }) => channel));
  const [channel] = channels;
  const [only, ...others] = runs;
  return [
    ...(size === undefined ? [] : [bytes(size)]),
    ...(channel === undefined || channels.size > 1 ? [] : [channelRow(channel).words]),
    ...(only === undefined || others.length > 0 ? [] : [runtimeName(only)]),
  ];
}

const MAX_LOSSES = 2;

/** Alerts for values that cannot be posted, or that arrive changed. */
function lossNodes(steps: readonly Step[], runs: readonly Run[], words: Wording): Node[] {
  const all = steps.filter(({ kind }) => kind === 'rejected' || kind === 'lost');
  // Several rules may fire at one place: the first is the most specific.
  const lost = [...groupedBy(all, ({ path = '$' }) => path).values()].flatMap(([first]) => first ?? []);
  const shown = lost.slice(0, MAX_LOSSES).map((step): Node => {
    const there = runs.filter(({ runtime }) => step.runtimes.includes(`${runtime.name}@${runtime.version}`));
    const where = there.length === runs.length ? '' : ` (${placesText(there, runs)})`;
    return alert([...lossText(step, words), where], step.kind === 'lost' ? 'fair' : 'bad');
  });
  const more = lost.length - shown.length;
  const rules = [...new Set(lost.flatMap(({ rule }) => rule ?? []))];
  const [rule] = rules;
  const fix = rule === undefined ? null : (words.rules[rule]?.fix ?? null);
  const explain = rule === undefined ? [] : [code(`clone-prof explain ${shortRule(rule)}`)];
  const helped = fix === null ? explain : [`${fix.replace(/\.$/, '')}: `, ...explain];
  return [
    ...shown,
    ...(more > 0 ? [text([muted(`and ${count(more)} more: --details lists them`)], { by: 1 })] : []),
    ...(helped.length > 0 ? [text(helped, { by: 1 })] : []),
  ];
}

/** "bun and deno 2.9.6": versions are omitted if all runs of a runtime are meant. */
function placesText(some: readonly Run[], all: readonly Run[]): string {
  const names = [...groupedBy(some, ({ runtime }) => runtimeWord(runtime))].map(([name, own]) => {
    const known = all.filter(({ runtime }) => runtimeWord(runtime) === name);
    return own.length === known.length && known.length > 1 ? name : runtimeNames(own);
  });
  return listed(names);
}

const shortRule = (rule: string): string => rule.slice(rule.indexOf('/') + 1);

/** "$.customer arrives without its class", "$.run cannot be posted: a function" */
export function lossText({ kind, path = '$', rule, what }: Step, words: Wording): Sentence {
  const named = kind === 'rejected' ? 'cannot be posted' : 'arrives changed';
  if (rule === undefined) return sentence`${code(path)} ${named}${what === undefined ? '' : `: ${what}`}`;
  const row = words.rules[rule];
  const title = row?.title ?? rule;
  const first = (row?.why ?? '').split(/\.(?=\s|$)/)[0]!;
  const isAbout = kind === 'lost' && first.startsWith('It ');
  if (!isAbout)
    return sentence`${code(path)} ${named}: ${what === undefined || title.includes(what) ? title : `${title} (${what})`}`;
  return sentence`${code(path)} ${first.slice('It '.length)}${what === undefined ? '' : ` (${what})`}`;
}

/** "493 µs a message · blocks sender 77.0 µs, receiver 133 µs · empty 17.0 µs" */
function costNodes({ measurement }: Run): Node[] {
  if (measurement === null) return [];
  const { roundTrip, send, receive, floor } = measurement;
  const sides = [
    ...(send === null ? [] : [`sender ${time(send.median)}`]),
    ...(receive === null ? [] : [`receiver ${time(receive.median)}`]),
  ];
  const told = [
    { text: `${time(roundTrip.median)} a message`, strong: true } as const,
    ...(sides.length === 0 ? [] : [`blocks ${sides.join(', ')}`]),
    muted(`empty ${time(floor.roundTrip)}`),
  ];
  return [factsNode(told)];
}

function singleNodes(payload: PayloadReport, run: Run, words: Wording): Node[] {
  if (run.status === 'failed') return block([alert([failureText(run)])]);
  return [
    ...block([...costNodes(run), ...causeSentences([run], words).map((one) => text(one))]),
    ...adviceNodes(payload, run, words),
  ];
}

function failureText(run: Run): string {
  const step = failureStep(run);
  const shown = run.error === null ? 'It failed.' : errorText(run.error);
  return step === '' || step === 'see its error' ? shown : `${shown} (${step})`;
}

/** A table of the runtimes, then sentences about their differences. */
function severalNodes(payload: PayloadReport, words: Wording): Node[] {
  const { runs } = payload;
  const causes = [...groupedBy(runs, (run) => JSON.stringify(causeSentences([run], words))).values()].flatMap(
    (group) =>
      causeSentences(group, words).map((one) =>
        text(group.length === runs.length ? one : sentence`${placesText(group, runs)}: ${one}`),
      ),
  );
  const broken = runs.filter(({ status }) => status === 'failed');
  const failed = [...groupedBy(broken, failureText)].map(([said, group]) =>
    alert([`${placesText(group, runs)}: ${said}`]),
  );
  const untimed = runs.filter(({ status, error }) => status === 'classified' && error !== null);
  const reasons = [...groupedBy(untimed, ({ error }) => error!.message)].map(([reason, group]) =>
    text([muted(`${placesText(group, runs)}: not measured: ${reason}.`)]),
  );
  return [
    { type: 'table', title: `${payload.id} by runtime`, columns: runColumns(rowsOf([payload])) },
    ...block([...failed, ...channelNodes(runs), ...causes, ...reasons]),
    ...bestNodes(payload, words),
  ];
}

/** Minimum factor that is mentioned; the table shows smaller differences. */
const TOLD_FACTOR = 2;

/** Channels of a runtime that take several times as long as its fastest channel. */
function channelNodes(runs: readonly Run[]): Node[] {
  const timed = runs.flatMap((run) =>
    run.measurement === null ? [] : { ...run, ns: run.measurement.roundTrip.median },
  );
  return [...groupedBy(timed, runtimeName)].flatMap(([name, group]) => {
    const [fast, ...others] = group.sort((a, b) => a.ns - b.ns);
    const slow = others.filter(
      ({ ns, channel }) => channel !== fast!.channel && ns >= TOLD_FACTOR * fast!.ns,
    );
    return slow.map(({ ns, channel }) => {
      const times = factor(ns / fast!.ns);
      return text(sentence`${name}: ${code(channel)} takes ${times}x as long as ${code(fast!.channel)}.`);
    });
  });
}

/** Code for the run with the largest saving. */
function bestNodes(payload: PayloadReport, words: Wording): Node[] {
  const saves = (run: Run) => savedNs(run) ?? 0;
  const [best] = payload.runs
    .filter(({ advice }) => advice?.action === 'apply')
    .sort((a, b) => saves(b) - saves(a));
  return best === undefined ? [] : adviceNodes(payload, best, words, { isOneOfSeveral: true });
}
