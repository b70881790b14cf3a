/** Items about a run: verdict, causes, largest parts, unknown facts, and conditions of the measurement. */

import { PATHS, RULES } from '../../engines/rule-book/rule-book.ts';
import type { ChannelChange, Finding, Verdict } from '../../model/documents/classification.ts';
import type { Answers, Measurement, RatioEstimate } from '../../model/documents/measurement.ts';
import type { OtherChannel, Run } from '../../model/documents/report.ts';
import { type Channel, type CostClass, channelRow, LEVELS, type Level } from '../../model/names.ts';
import { fixOf, type Rule } from '../../model/rules/rule.ts';
import { carries } from '../../stats/evidence.ts';
import { oneWayNs } from '../../stats/race/judge.ts';
import { type Body, item } from '../nodes.ts';
import { counted, gainInterval, speedWithInterval, time } from '../text/numbers.ts';
import { code, muted, sentence, sentenceCase, separated, type Tone, type Words } from '../words.ts';
import { CLASS_TEXTS, causeTitle, foundItem, largestParts, placeWords, runtimeName } from './texts.ts';

/** Warning that the engine contradicts the verdict, so that the reader does not act on it. */
export function alarmSentence(run: Run) {
  const { verdict } = run;
  if (verdict?.confirmed !== false) return null;
  return sentence`Contradicted by the engine: the rule book is wrong about ${code(verdict.path)} on ${runtimeName(run)}. Please report it to clone-prof with the output of --format json for this payload. Do not rely on the verdict and the causes below; the measured times hold.`;
}

export const verdictItems = (run: Run): Body => [
  run.verdict && item('verdict', [verdictWords(run.verdict, run)]),
  blockerItem(run),
  bytesItem(run),
  upgradeItem(run),
  findingItem(run),
  unknownItem(run),
];

const classText = (cost: CostClass, channel: Channel): string =>
  cost === 'rejected'
    ? `Cannot be cloned: ${channelRow(channel).thrower ?? 'postMessage'} throws`
    : sentenceCase(CLASS_TEXTS[cost]);

function verdictWords(verdict: Verdict, { channel, runtime }: Run): Words {
  const { refusal, aspired, path, blockers } = verdict;
  const causes = blockers.length === 1 ? 'cause' : 'causes';
  const isBlocked = aspired !== null && aspired !== path;
  return [
    `${classText(verdict.class, channel)}.`,
    refusal !== undefined && ` The engine says: ${refusal.split('\n')[0]!.replace(/\.$/, '')}.`,
    pathWords(verdict, runtime),
    isBlocked && sentence` Without the ${causes} below: ${code(aspired)}.`,
  ];
}

function pathWords({ path, confirmed }: Verdict, { engine }: Run['runtime']): Words {
  if (path === 'rejected') return null;
  const title = PATHS[engine][path]?.title ?? path;
  return [
    ...[' Path: ', code(path), title !== path && ` (${title})`],
    ...[confirmed === true && ', confirmed by the engine', '.'],
  ];
}

type Fired = Record<'rule' | 'path', string>;

const isSame = (a: Fired) => (b: Fired) => a.rule === b.rule && a.path === b.path;

const STACK_ENDED = /call stack size exceeded|too much recursion/i;

/** Findings that explain why the stack has overflowed, or why a fast path is missing. */
function causesOf({ status, error, verdict, findings }: Run): readonly (Fired & { count: number })[] {
  // Without a verdict, there was no payload yet: code of the user has overflowed it.
  if (verdict === null) return [];
  if (status !== 'failed' || !STACK_ENDED.test(error?.message ?? '')) return verdict.blockers;
  const deep = findings.filter(({ rule }) => rule.includes('deep'));
  return deep.length > 0 ? deep : [{ rule: 'spec/stack-overflow', path: '$', count: 1 }];
}

const MAX_EXPLAINED = 3;

function blockerItem(run: Run): Body {
  const blockers = causesOf(run);
  const places = blockers.map((blocker) => {
    const what = run.findings.find(isSame(blocker))?.what;
    return { ...blocker, text: causeTitle(blocker.rule, what) };
  });
  const explanations = [...new Set(blockers.map(({ rule }) => rule))].flatMap((rule) => {
    const row = RULES[rule];
    return row === undefined ? [] : muted([row.why, ruleHint(row, run)].filter(Boolean).join(' '));
  });
  return item('because', [...placeWords(places), ...explanations.slice(0, MAX_EXPLAINED)]);
}

/** Advice of a rule, unless rewrites for it were tried: their outcomes are told elsewhere. */
export function ruleHint(rule: Rule, { advice, channel, trials, via }: Run): string | null {
  const { remedies = [], level } = rule;
  const isByHand = level !== 'slow' && level !== 'note';
  const isCopied = !channelRow(channel).moves || via?.transfers === false;
  const isFutile = remedies[0] === 'transfer' && isCopied;
  const isTried = advice !== null && !isByHand && trials.some(({ remedy }) => remedies.includes(remedy));
  return isFutile || isTried ? null : fixOf(rule, channel, via?.library);
}

/** Shows shares only: engines write the same value in different sizes, and a shape lacks the length of all keys. */
export function bytesItem(run: Run): Body {
  const largest = largestParts(run);
  if (largest === null) return null;
  const { parts, paths } = largest;
  const shown = parts.map(({ name, share }) => [name, ` ${Math.round(100 * share)} %`]);
  const spread = `spread over ${counted(paths, 'path')}, each under 5 %`;
  return item('bytes', [[shown.length === 0 ? spread : separated(shown, ', '), ', by estimate.']]);
}

function upgradeItem({ verdict, advice, runtime }: Run): Body {
  const upgrade = verdict?.upgrade ?? advice?.upgrade ?? null;
  if (upgrade === null) return null;
  const cost = verdict?.upgrade ? ` (${CLASS_TEXTS[verdict.upgrade.class]})` : '';
  const newer = `${runtime.name} ${upgrade.since} and newer`;
  return item('upgrade', [sentence`${newer} take the ${code(upgrade.path)} path here${cost}.`]);
}

function findingItem(run: Run): Body {
  const blockers = causesOf(run);
  const others = run.findings.filter(
    (finding) => !blockers.some(isSame(finding)) && !isSaidByEmptied(finding, run.findings),
  );
  const rank = (level: Level) => LEVELS.indexOf(level);
  const sorted = others.sort((a, b) => rank(a.level) - rank(b.level));
  return foundItem('also', sorted);
}

/** An object that arrives empty does not have its class either. */
const isSaidByEmptied = ({ rule, path, what }: Finding, findings: readonly Finding[]): boolean =>
  rule === 'spec/class-instance' &&
  findings.some((one) => one.rule.endsWith('-emptied') && one.path === path && one.what === what);

const UNKNOWN_TEXTS: Readonly<Record<string, string>> = {
  'share-or-copy': 'whether the string is shared or copied',
  'delete-history': 'whether a property was ever deleted from it, which costs the fast path',
  'getter-result': 'what the getter returns or throws: it is not run here',
  'array-storage': 'how the engine stores the array, which decides its path',
  'elements-kind': 'how the engine stores the array (packed or with holes)',
  'element-storage': 'how the engine stores the elements',
  'property-storage': 'how the engine stores the properties',
  'string-width': 'whether the string takes one or two bytes a character',
  'value-varies':
    'what the engine does with it: each build gives another value, and the engine was shown a later one',
  'storage-varies':
    'what the engine does with it: it stores builds in several ways, and was shown one that it stores otherwise',
  'patterns-left-out': 'values of too many kinds at one place: some were counted with similar ones',
};

/** An id without a text (of a later version) is shown unchanged. */
const unknownItem = ({ verdict }: Run): Body =>
  item(
    'unknown',
    placeWords(
      (verdict?.unknowns ?? []).map((one) => ({ ...one, text: UNKNOWN_TEXTS[one.what] ?? one.what })),
    ),
  );

/** Items of each run. If several runs share a heading, each item begins with the name of its runtime. */
export const conditionItems = (runs: readonly Run[]): Body =>
  runs.map((run) => {
    const of = runs.length > 1 && `${runtimeName(run)}: `;
    const say = (label: string, [first, ...more]: readonly Words[], tone?: Tone): Body =>
      first ? item(label, [[of, first], ...more], tone) : null;
    const { otherChannel: other, builtLater, measurement } = run;
    const isBetter = other?.outcome === 'faster' && other.lost.length === 0;
    const notes = [
      measurement && channelRow(run.channel).trip,
      readBackText(run),
      ...(measurement ? [...pageTexts(measurement), blockedText(measurement)] : []),
    ];
    return [
      other && say('channel', otherChannelWords(other), isBetter ? 'good' : 'muted'),
      builtLater && say('later', builtLaterWords(builtLater), 'muted'),
      notes.map((note) => say('note', [note])),
    ];
  });

const EXCEEDED = {
  frame: 'longer than a frame at 60 Hz (16 ms)',
  'long-task': 'a long task (over 50 ms): everything else on that thread waits',
} as const;

const blockedText = ({ blocked }: Measurement): Words =>
  blocked?.exceeds &&
  `The longest message blocked its thread for ${time(blocked.longestNs)}, ${EXCEEDED[blocked.exceeds]}.`;

const NOT_ITS_OWN =
  'Memory is not known: clone-prof did not start this browser and cannot look into its process.';
const SAME_PROCESS =
  'Over a network the page is only reloaded between samples, mostly in one process of the browser: earlier measurements may influence these times.';

const ANSWERS: Record<Answers['with'], string> = {
  handed: 'it answers with copies of one that the page handed over.',
  empty: 'answers are empty, so that the round trip has the payload in one direction.',
};

function pageTexts({ page, link, send, answers }: Measurement): Words[] {
  const unknown = send === null ? 'send, receive and memory' : 'receive and memory';
  return [
    page && !page.sharesMemory
      ? `This page is not isolated: its threads share no memory, and its clock has steps of ${time(page.clockStepNs)}, so ${unknown} are not known.`
      : link && NOT_ITS_OWN,
    link === 'network' && SAME_PROCESS,
    answers && `The receiver cannot build the payload (${answers.why}): ${ANSWERS[answers.with]}`,
  ];
}

/** Reading back is a cost that no rewrite of the message can save. */
function readBackText({ readBackNs, measurement, channel }: Run): Words {
  if (readBackNs === undefined || !measurement) return null;
  const postNs = channel === 'structured-clone' ? measurement.roundTrip.median : oneWayNs(measurement);
  if (!carries(measurement.roundTrip, 'size') || readBackNs < postNs) return null;
  return `Reading the canvas back takes ${time(readBackNs)} for each payload, posting it ${time(postNs)}. If the receiver only draws it, post an ImageBitmap of the canvas, in the transfer list; if it needs the pixels, getContext('2d', { willReadFrequently: true }) keeps them readable.`;
}

function otherChannelWords({ outcome, kept, lost, ratio, channel }: OtherChannel): Words[] {
  const option = code(`serialization: '${channel === 'ipc-json' ? 'json' : 'advanced'}'`);
  if (outcome === 'refused') return [sentence`${option} would refuse this message.`];
  const compared = ratio === null ? 'not timed' : comparedText(outcome, ratio);
  return [
    sentence`With ${option}, for all messages of the child: ${compared}.`,
    outcome === 'faster' && changes('Arrives there unchanged, and not here:', kept),
    changes('Lost there:', lost),
  ];
}

function changes(what: string, all: readonly ChannelChange[]): Words {
  const places = placeWords(all.map((one) => ({ ...one, text: causeTitle(one.rule) })));
  return all.length > 0 && [what, ' ', separated(places, ', '), '.'];
}

const comparedText = (outcome: OtherChannel['outcome'], ratio: RatioEstimate): string =>
  outcome === 'unsure' ? `no difference is proven (${gainInterval(ratio)})` : speedWithInterval(ratio);

/** V8 stores a value differently if its thread has received such a message before. */
const builtLaterWords = ({ path, ratio, outcome }: NonNullable<Run['builtLater']>): Words[] => [
  sentence`A thread that has received such a message stores values that it builds later differently, at ${code(path)}. Verdict, times and rewrites are of one that was built before.`,
  ratio != null && `Posting it then: ${comparedText(outcome ?? 'unsure', ratio)}.`,
];
