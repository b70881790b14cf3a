/** Texts and names that several parts share. Those of rules, paths and remedies come from the tables of the rule book. */

import { remedyNamed } from '../../codec/remedies/index.ts';
import { RULES } from '../../engines/rule-book/rule-book.ts';
import type { Finding } from '../../model/documents/classification.ts';
import type { Run, RunError } from '../../model/documents/report.ts';
import type { AdviceAction } from '../../model/documents/trial.ts';
import { type CostClass, type Level, runtimeWord } from '../../model/names.ts';
import { formatPath, parsePath } from '../../value/read/paths.ts';
import { bytesByPlace } from '../../value/shape/wire-estimate.ts';
import { item } from '../nodes.ts';
import { atMost, groupedBy } from '../text/groups.ts';
import { count } from '../text/numbers.ts';
import { foldedPath } from '../text/paths.ts';
import {
  code,
  listed,
  muted,
  type Sentence,
  type StyledText,
  sentence,
  type Tone,
  type Words,
} from '../words.ts';

export const CLASS_TEXTS = {
  shared: 'nothing is copied: both sides have the same memory',
  moved: 'nothing is copied: the receiver gets the memory, and the sender loses it',
  'in-memory': 'fast already: it is copied in memory, without the serializer',
  bulk: 'fast already: its bytes are copied as one block',
  serialized: 'normal for such data: it is written out and read back, value by value',
  degraded: 'slower than such data must be',
  rejected: 'cannot be cloned',
} as const satisfies Record<CostClass, string>;

export const CLASS_TONES = {
  ...{ shared: 'good', moved: 'good', 'in-memory': 'good', bulk: 'good' },
  ...{ serialized: 'fair', degraded: 'poor', rejected: 'bad' },
} as const satisfies Record<CostClass, Tone>;

export const CONTRADICTED = 'contradicted by the engine';

/** Prefixes of findings that are not blockers. */
const LEVEL_TEXTS = {
  rejected: 'cannot be cloned: ',
  slow: 'slower: ',
  lossy: 'changed on arrival: ',
  note: '',
} as const satisfies Record<Level, string>;

/** Advice in few words, for tables; a table shows the name of the rewrite for `apply`. */
export const SHORT_ADVICE = {
  apply: 'a rewrite',
  nothing: 'no rewrite',
  'not-the-clone': 'fewer, larger messages',
  'not-tried': 'not tried',
  unsure: 'unsure',
} as const satisfies Record<AdviceAction, string>;

/** "node 24.21.0" */
export const runtimeText = (runtime: Parameters<typeof runtimeWord>[0] & { version: string }): string =>
  `${runtimeWord(runtime)} ${runtime.version}`;

export const runtimeName = ({ runtime }: Run): string => runtimeText(runtime);

/** Distinct names of a payload's runs: "chromium 143.0.0", or "chromium 143.0.0, window" for several channels. */
export function runNames(runs: readonly Run[]): (run: Run) => string {
  const severalChannels = new Set(runs.map(({ channel }) => channel)).size > 1;
  return (run) => (severalChannels ? `${runtimeName(run)}, ${run.channel}` : runtimeName(run));
}

/** " on node 24.21.0"; "" for the only run of a payload. */
export const onRun = (run: Run, runs: readonly Run[]): string =>
  runs.length === 1 ? '' : ` on ${runNames(runs)(run)}`;

/** "node 20.20.2, 24.21.0 and bun 1.4.5"; "bun", without versions, if all its runs in `all` are meant. */
export function runtimeNames(runs: readonly Run[], all: readonly Run[] = []): string {
  const names = groupedBy(runs, ({ runtime }) => runtimeWord(runtime)).map(([name, own]) => {
    const known = all.filter(({ runtime }) => runtimeWord(runtime) === name).length;
    if (known > 1 && known === own.length) return name;
    return `${name} ${[...new Set(own.map(({ runtime }) => runtime.version))].join(', ')}`;
  });
  return listed(names);
}

/** "serialized", "failed", "in-memory, contradicted by the engine". The ordinary case is not highlighted. */
export function statusText({ verdict }: Run): StyledText {
  if (verdict === null) return { text: 'failed', tone: 'bad', marked: true };
  if (verdict.confirmed === false)
    return { text: `${verdict.class}, ${CONTRADICTED}`, tone: 'bad', marked: true };
  if (verdict.class === 'serialized') return { text: verdict.class };
  return { text: verdict.class, tone: CLASS_TONES[verdict.class], marked: true };
}

const STACK_ENDED = /call stack size exceeded|too much recursion/i;
const DEPTH_RULE = /deep/;

type Cause = Pick<Finding, 'rule' | 'path' | 'count'>;

/** Findings that explain why the run failed; null if it did not fail, or if no cause is known. */
export function failureCauses({ status, error, verdict, findings }: Run): readonly Cause[] | null {
  if (status !== 'failed' || verdict === null || !STACK_ENDED.test(error?.message ?? '')) return null;
  const deep = findings.filter(({ rule }) => DEPTH_RULE.test(rule));
  return deep.length > 0 ? deep : [{ rule: 'spec/stack-overflow', path: '$', count: 1 }];
}

const NEXT_STEPS: Readonly<Record<string, string>> = {
  'guest-timeout': 'raise --timeout',
  'proofs-budget': 'raise -b',
  'proofs-timeout': 'raise --timeout',
  'total-spent': 'raise --total',
  'channel-unsupported': 'another channel',
  'module-unsupported': 'another runtime',
  interrupted: 'run it again',
};

/** "raise --timeout", for tables; "" if the run did not fail. */
export function failureStep(run: Run): string {
  if (run.status !== 'failed') return '';
  return failureCauses(run) ? 'fix the cause' : (NEXT_STEPS[run.error?.code ?? ''] ?? 'see its error');
}

/** Error message with its path folded; the path comes first if the message does not contain it. */
export function errorText({ path, message }: RunError): string {
  if (path === undefined) return message;
  const shown = foldedPath(path);
  return message.includes(path) ? message.replaceAll(path, () => shown) : `${shown}: ${message}`;
}

/** "class instance (class User)": title of the rule, and the subject that it fired for, if the title lacks it. */
export function causeTitle(rule: string, what?: string): string {
  const title = RULES[rule]?.title ?? rule;
  return what === undefined || title.includes(what) ? title : `${title} (${what})`;
}

export const remedyTitle = (remedy: string): string => remedyNamed(remedy)?.title ?? remedy;

/** " 1,200×"; "" for a single value. */
export const timesText = (seen: number): string => (seen > 1 ? ` ${count(seen)}×` : '');

/** Longer lists end in "and 3 more": --format json prints all. */
export const MAX_SHOWN = 8;

export const omittedText = (others: number, what: string): StyledText =>
  muted(`and ${others} more ${what}: --format json lists all`);

/** Sentences about places: "$[*].geo object inside an object 1,200×". */
export function placeWords(all: readonly Place[]): Words[] {
  const places = all.map(({ path, text, count: seen }) => [code(path), ` ${text}${timesText(seen)}`]);
  return atMost<Words, Words>(MAX_SHOWN, places, (others) => omittedText(others, 'places'));
}

type Place = Pick<Finding, 'path' | 'count'> & { text: string };
type Found = Pick<Finding, 'rule' | 'level' | 'path' | 'count' | 'what'>;

/** "slower: class instance (class User)" */
export const foundText = ({ rule, level, what }: Found): string =>
  `${LEVEL_TEXTS[level]}${causeTitle(rule, what)}`;

export const foundItem = (label: string, found: readonly Found[]) =>
  item(label, placeWords(found.map((one) => ({ ...one, text: foundText(one) }))));

/** Minimum size of a message: smaller messages cost about the same, independent of their contents. */
const MIN_BYTES = 1000;
const MIN_SHARE = 0.05;
const MAX_PARTS = 3;

/** Name of a part. Patterns that are too deep or too many share a final step, which means all below it. */
function partName(pattern: string): Sentence {
  const steps = parsePath(pattern) ?? [];
  if (steps.at(-1)?.type !== 'deeper') return [code(pattern)];
  return sentence`everything in ${code(formatPath(steps.slice(0, -1)))}`;
}

/** Parts with most bytes; `parts` is empty if they are spread. Null for a small message or a single value. */
export function largestParts({ shape }: Run) {
  const byPath = bytesByPlace(shape?.patterns ?? []);
  const whole = [...byPath.values()].reduce((sum, own) => sum + own, 0);
  const isOneValue = byPath.size === 1 && byPath.has('$');
  if (!(whole >= MIN_BYTES) || isOneValue) return null;
  const parts = [...byPath]
    .map(([pattern, own]) => ({ pattern, share: own / whole }))
    .filter(({ share }) => share >= MIN_SHARE)
    .sort((a, b) => b.share - a.share)
    .slice(0, MAX_PARTS)
    .map(({ pattern, share }) => ({ name: partName(pattern), share }));
  return { parts, paths: byPath.size };
}
