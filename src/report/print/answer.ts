/** The answer for one payload: losses, the cost of a message and its reason, the advice and its certainty. */

import { RULES } from '../../engines/rule-book/rule-book.ts';
import type { PayloadReport, Run, Step } from '../../model/documents/report.ts';
import { type Channel, channelRow } from '../../model/names.ts';
import { fixOf } from '../../model/rules/rule.ts';
import { stepsOf } from '../../stats/advise/steps.ts';
import { lackText } from '../../stats/evidence.ts';
import type { Node } from '../doc.ts';
import { alert, type Body, block, facts, heading, nodesOf, text } from '../nodes.ts';
import { groupedBy } from '../text/groups.ts';
import { bytes, count, medianText, percent, time } from '../text/numbers.ts';
import { code, firstSentence, muted, sentence, sentenceCase, separated, type Words } from '../words.ts';
import { adviceNodes, savedNs, unsureSentence } from './advice.ts';
import {
  CLASS_TEXTS,
  causeTitle,
  errorText,
  largestParts,
  runsTable,
  runtimeName,
  runtimeNames,
  titleOf,
} from './texts.ts';
import { alarmSentence } from './verdict.ts';

export function answerNodes(payload: PayloadReport, isEmitted = false): Node[] {
  const { runs, error, steps = stepsOf(payload) } = payload;
  return nodesOf([
    heading(titleOf(payload), headFacts(payload), 2),
    block(lossNodes(steps, runs)),
    runs.length === 0 &&
      block(error === null ? text('No runtime ran this payload.') : alert(errorText(error))),
    runs.length === 1 && singleNodes(payload, runs[0]!, isEmitted),
    runs.length > 1 && severalNodes(payload, isEmitted),
  ]);
}

function headFacts({ runs, stands = 1 }: PayloadReport): Words {
  const shape = runs.find((run) => run.shape !== null)?.shape;
  const size = shape?.jsonBytes ?? runs.find((run) => run.bytes)?.bytes?.copied;
  const [channel, ...channels] = new Set(runs.map((run) => run.channel));
  const [run, ...others] = runs;
  return [
    size !== undefined && bytes(size),
    stands > 1 && `one of ${count(stands)} messages`,
    channel !== undefined && channels.length === 0 && channelRow(channel).words,
    run !== undefined && others.length === 0 && runtimeName(run),
  ];
}

const MAX_LOSSES = 2;

function lossNodes(steps: readonly Step[], runs: readonly Run[]): Body {
  const all = steps.filter(({ kind }) => kind === 'rejected' || kind === 'lost');
  // Several rules may fire at one place: the first of a runtime is the most specific.
  const lost = all.filter(({ path, runtimes }, at) =>
    runtimes.some(
      (one) => !all.slice(0, at).some((other) => other.path === path && other.runtimes.includes(one)),
    ),
  );
  const shown = lost.slice(0, MAX_LOSSES).map((step) => {
    const there = runs.filter(({ runtime }) => step.runtimes.includes(`${runtime.name}@${runtime.version}`));
    const where = there.length < runs.length && ` (${runtimeNames(there, runs)})`;
    const tone = step.kind === 'lost' ? 'fair' : 'bad';
    return { said: alert([lossText(step), where], tone), help: helpWords(step.rule, runs[0]!.channel) };
  });
  const others = lost.length - shown.length;
  return [
    groupedBy(shown, ({ help }) => help).map(([help, group]) => [
      group.map(({ said }) => said),
      text(help, { by: 1 }),
    ]),
    others > 0 && text(muted(`and ${count(others)} more: --details lists them`), { by: 1 }),
  ];
}

function helpWords(rule: string | undefined, channel: Channel): Words {
  if (rule === undefined) return [];
  const row = RULES[rule];
  const fix = row && fixOf(row, channel);
  const explained = code(`npx clone-prof explain ${rule.slice(rule.indexOf('/') + 1)}`);
  return fix == null ? [explained] : [`${fix.replace(/\.$/, '')}: `, explained];
}

export function lossText({ kind, path = '$', rule, what }: Step) {
  const named = kind === 'rejected' ? 'cannot be posted' : 'arrives changed';
  if (rule === undefined) return sentence`${code(path)} ${named}${what === undefined ? '' : `: ${what}`}`;
  const first = (RULES[rule]?.why ?? '').split(/\.(?=\s|$)/)[0]!;
  const isAbout = kind === 'lost' && first.startsWith('It ');
  if (!isAbout) return sentence`${code(path)} ${named}: ${causeTitle(rule, what)}`;
  return sentence`${code(path)} ${first.slice('It '.length)}${what === undefined ? '' : ` (${what})`}`;
}

function singleNodes(payload: PayloadReport, run: Run, isEmitted: boolean): Body {
  if (run.status === 'failed') return block(alert(failureText(run)));
  return [
    block([costNode(run), causeSentences(run).map((one) => text(one))]),
    adviceNodes(payload, run, { isEmitted }),
  ];
}

const failureText = ({ error }: Run): string => (error === null ? 'It failed.' : errorText(error));

/** "493 µs a message · blocks sender 77.0 µs, receiver 133 µs · empty 17.0 µs", and what it means if that cannot be. */
function costNode({ measurement }: Run): Body {
  if (measurement === null) return null;
  const { roundTrip, send, receive, floor } = measurement;
  const lack = lackText(roundTrip, 'size');
  const most = lack === null ? roundTrip.ci[1] : roundTrip.median;
  const sides = [send && `sender ${medianText(send)}`, receive && `receiver ${medianText(receive)}`];
  return facts([
    { text: `${medianText(roundTrip)} a message`, strong: true },
    (send ?? receive) !== null && `blocks ${sides.filter(Boolean).join(', ')}`,
    muted(`empty ${time(floor.roundTrip)}`),
    lack !== null && muted(lack),
    // Nothing of a message can make it faster than an empty one: something else ran meanwhile.
    floor.roundTrip > most && muted('the machine was busy'),
  ]);
}

const VARYING = 'Each build of it gives another value: the verdict is that of one build.';

function causeSentences(run: Run): Words[] {
  const isVarying = run.verdict?.unknowns.some(({ what }) => what === 'value-varies');
  return [...reasons(run), ...(isVarying ? [muted(VARYING)] : [])];
}

const MAX_CAUSES = 2;
/** Minimum share of the bytes for naming a part. */
const MOST = 0.5;

function reasons(run: Run): Words[] {
  const { verdict, findings } = run;
  const alarm = alarmSentence(run);
  if (alarm !== null)
    return [alarm.map((span) => (typeof span === 'string' ? { text: span, tone: 'bad' } : span))];
  if (verdict === null || verdict.class === 'rejected') return [];
  const normal = `${sentenceCase(CLASS_TEXTS[verdict.class])}.`;
  const shown = verdict.blockers.slice(0, MAX_CAUSES);
  if (shown.length === 0) {
    const [part] = largestParts(run)?.parts ?? [];
    const isMoved = (run.bytes?.moved ?? 0) > (run.bytes?.copied ?? 0);
    const isMost = part !== undefined && part.share >= MOST && !isMoved;
    const how = part?.isBuffer && verdict.class === 'serialized' ? ', copied as blocks' : '';
    const most = isMost && sentence` Most of it is ${part.name} (${percent(part.share)} of the bytes${how}).`;
    return [[normal, most]];
  }
  const causes = groupedBy(shown, ({ rule, path }) => ({
    rule,
    title: causeTitle(rule, findings.find((one) => one.rule === rule && one.path === path)?.what),
  }));
  // A proven rewrite is told instead.
  const isOpen = verdict.class === 'degraded' && run.advice?.action !== 'apply';
  const more = verdict.blockers.slice(MAX_CAUSES).reduce((sum, { count: places }) => sum + places, 0);
  return causes.map(([{ rule, title }, own], at) => {
    const places = own.map(({ path, count: seen }) => [code(path), seen > 1 && ` (${count(seen)}×)`]);
    const row = RULES[rule];
    const isSaid = causes.slice(0, at).some(([cause]) => cause.rule === rule);
    return [
      at === 0 && verdict.class === 'degraded' && `${normal} `,
      ...[separated(places, ' and '), `: ${title}.`],
      !isSaid && ` ${firstSentence(row?.why ?? '')}`,
      !isSaid && isOpen && row && ` ${fixOf(row, run.channel) ?? ''}`,
      at === causes.length - 1 && more > 0 && ` And ${count(more)} more such places.`,
    ];
  });
}

// A table of the runtimes, then sentences about their differences.

function severalNodes(payload: PayloadReport, isEmitted: boolean): Body {
  const { id, runs } = payload;
  const on = (group: readonly Run[]) => `${runtimeNames(group, runs)}: `;
  const failed = runs.filter(({ status }) => status === 'failed');
  const unsure = runs.filter(({ advice }) => advice?.action === 'unsure');
  const untimed = runs.filter(({ status, error }) => status === 'classified' && error !== null);
  return [
    runsTable(`${id} by runtime`, [payload]),
    block([
      groupedBy(failed, failureText).map(([said, group]) => alert(`${on(group)}${said}`)),
      groupedBy(runs, causeSentences).map(([causes, group]) =>
        causes.map((one) => text([group.length < runs.length && on(group), one])),
      ),
      groupedBy(untimed, ({ error }) => error!.message).map(([reason, group]) =>
        text(muted(`${on(group)}not measured: ${reason}.`)),
      ),
    ]),
    bestNodes(payload, isEmitted),
    block(unsure.map((run) => text([on([run]), unsureSentence(run, run.advice!)], { tone: 'muted' }))),
  ];
}

function bestNodes(payload: PayloadReport, isEmitted: boolean): Body {
  const saves = (run: Run) => savedNs(run) ?? 0;
  const [best] = payload.runs
    .filter(({ advice }) => advice?.action === 'apply')
    .sort((a, b) => saves(b) - saves(a));
  return best && adviceNodes(payload, best, { isOneOfSeveral: true, isEmitted });
}
