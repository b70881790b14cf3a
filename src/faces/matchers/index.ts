/**
 * Matchers for vitest, jest and bun:test: `expect.extend(matchers)`. For node:test the same claims as assertions:
 * `assertFastPath(payload, { runtime: 'bun@1.4' })`.
 */

import { AssertionError } from 'node:assert';
import { heaviest } from '../../gate/compare/baseline.ts';
import { usage } from '../../model/errors.ts';
import { sizeOf } from '../../model/units.ts';
import { visible } from '../../report/text/escape.ts';
import { type Classified, type ClassifyOptions, classify, cloneBytes } from '../library/classify.ts';
import { type ExplainedFinding, explain } from '../library/explain.ts';

/** Result of a matcher for vitest, jest and bun:test. */
export interface MatcherResult {
  pass: boolean;
  /** Explains a claim that does not hold, or, for `.not`, a claim that holds. */
  message: () => string;
}

interface CloneClaim extends MatcherResult {
  actual: string;
  expected: string;
}

export type FastPathOptions = ClassifyOptions;
export interface CloneableOptions extends ClassifyOptions {
  /** true: losses on arrival, such as a class or a getter, are intended, so only values that cannot be posted fail. */
  mayLose?: boolean | undefined;
}

export interface CloneWithinOptions {
  /** Bytes: 65536 or "64 kB" (B, kB, MB, GB, KiB, MiB, GiB). */
  maxBytes: number | string;
}

const onWhat = ({ runtime, channel }: Classified) =>
  channel === 'worker' ? runtime.spec : `${runtime.spec} over ${channel}`;

const pathText = ({ verdict }: Classified) => `${verdict.path} (${verdict.class})`;

function isFast({ verdict: { path, class: cost, blockers } }: Classified): boolean {
  const isSlow = path === 'rejected' || cost === 'degraded' || (path === 'serializer' && cost !== 'moved');
  return !isSlow && blockers.length === 0;
}

function slowHeadline(classified: Classified): string {
  const { aspired, blockers, path } = classified.verdict;
  const where = onWhat(classified);
  if (path === 'rejected') return `the payload cannot be cloned on ${where}, so that it takes no fast path`;
  if (path === aspired)
    return `the payload takes the fast path of ${where} with parts that slow it down: ${pathText(classified)}`;
  if (aspired !== null || blockers.length > 0)
    return `the payload does not take the fast path of ${where} (${aspired}): it takes ${pathText(classified)}`;
  const why = explain(classified).path?.why ?? '';
  return `${where} has no fast path for this payload: it takes ${pathText(classified)}. ${why}`;
}

function slowMessage(classified: Classified): string {
  const { upgrade } = classified.verdict;
  const newer = upgrade
    ? [`${classified.runtime.name} ${upgrade.since} and later take it by ${upgrade.path} (${upgrade.class})`]
    : [];
  const blocking = explain(classified).findings.filter(({ blocks }) => blocks);
  return failureMessage(slowHeadline(classified), blocking, newer);
}

function takesFastPath(value: unknown, options: FastPathOptions = {}): CloneClaim {
  const classified = classify(value, options);
  const pass = isFast(classified);
  return {
    pass,
    message: () =>
      pass
        ? `expected the payload not to take the fast path of ${onWhat(classified)}, but it takes ${pathText(classified)}`
        : slowMessage(classified),
    actual: classified.verdict.path,
    expected: classified.verdict.aspired ?? 'a fast path',
  };
}

/**
 * postMessage does not throw a DataCloneError for the payload, and it arrives unchanged. Getters are not run: their
 * values are not checked.
 */
function isCloneable(value: unknown, { mayLose, ...options }: CloneableOptions = {}): CloneClaim {
  const classified = classify(value, options);
  const isRejected = classified.verdict.path === 'rejected';
  const isLossy = !isRejected && !mayLose && classified.findings.some(({ level }) => level === 'lossy');
  const where = onWhat(classified);
  const failure = isRejected
    ? `the payload cannot be cloned on ${where}: posting it throws a DataCloneError`
    : `the payload does not arrive on ${where} as it was sent (mayLose: true allows that)`;
  const pass = !isRejected && !isLossy;
  const causes = isRejected ? 'rejected' : 'lossy';
  return {
    pass,
    message: () =>
      pass
        ? `expected the payload not to be cloneable on ${where}, but it is: ${pathText(classified)}`
        : failureMessage(
            failure,
            explain(classified).findings.filter(({ level }) => level === causes),
          ),
    actual: isLossy ? 'lossy' : classified.verdict.path,
    expected: 'cloneable',
  };
}

/** @throws ToolError 'usage' */
function parseLimit(maxBytes: number | string): number {
  const limit = typeof maxBytes === 'string' ? sizeOf(maxBytes) : maxBytes;
  if (typeof limit === 'number' && limit >= 0) return limit;
  throw usage(`maxBytes: ${JSON.stringify(maxBytes)} is not a size. Write it like 65536 or "64 kB"`);
}

function clonesWithin(value: unknown, options: CloneWithinOptions): CloneClaim {
  const limit = parseLimit(options?.maxBytes);
  const cloneable = isCloneable(value, { mayLose: true });
  if (!cloneable.pass) return { ...cloneable, expected: `at most ${limit} bytes` };
  const classified = classify(value);
  const { copied, by } = cloneBytes(value, classified)!;
  const pass = copied <= limit;
  const size = `${by === 'shape' ? 'about ' : ''}${copied} bytes`;
  const most = heaviest(classified.shape, null);
  return {
    pass,
    message: () =>
      pass
        ? `expected a clone of the payload to take more than ${limit} bytes, but it takes ${size}`
        : failureMessage(
            `a clone of the payload takes ${size}, more than ${limit}`,
            explain(classified).findings.filter(
              ({ bytes }) => bytes !== undefined && bytes.copied > bytes.meant,
            ),
            most === null ? [] : [`most of it is at ${most}`],
          ),
    actual: size,
    expected: `at most ${limit} bytes`,
  };
}

const MAX_SHOWN = 5;

function place({ path, example, count, title, what }: ExplainedFinding): string {
  const where = count > 1 && example !== path ? `${path} (${count} values, first at ${example})` : path;
  const named = what === undefined || title.toLowerCase().includes(what.toLowerCase()) ? '' : ` (${what})`;
  return visible(`${where}: ${title}${named}`);
}

const lines = (finding: ExplainedFinding): string[] => [
  `  ${place(finding)}`,
  ...(finding.why === '' ? [] : [`    why: ${finding.why}`]),
  ...(finding.fix === null ? [] : [`    fix: ${finding.fix}`]),
];

/** `$.rows[*].geo (200 values, first at $.rows[0].geo): object inside a row`, with why and fix below. */
function failureMessage(
  headline: string,
  findings: readonly ExplainedFinding[],
  notes: readonly string[] = [],
) {
  const more = findings.length - MAX_SHOWN;
  return [
    visible(headline),
    ...findings.slice(0, MAX_SHOWN).flatMap(lines),
    ...(more > 0 ? [`  and ${more} more`] : []),
    ...notes.map((note) => `  ${visible(note)}`),
  ].join('\n');
}

const plainResult = ({ pass, message }: MatcherResult): MatcherResult => ({ pass, message });

export const matchers = {
  /** The payload takes a fast path of that runtime (default: the running one), by rules. */
  toTakeFastPath: (received: unknown, options?: FastPathOptions): MatcherResult =>
    plainResult(takesFastPath(received, options)),
  /** Posting the payload copies at most `maxBytes`. */
  toCloneWithin: (received: unknown, options: CloneWithinOptions): MatcherResult =>
    plainResult(clonesWithin(received, options)),
  /** Posting the payload throws no DataCloneError, and it arrives unchanged: nothing is lost. */
  toBeCloneable: (received: unknown, options?: CloneableOptions): MatcherResult =>
    plainResult(isCloneable(received, options)),
};

/** For `interface Matchers<T> extends CloneProfMatchers` in the types of vitest or jest. */
export interface CloneProfMatchers<R = void> {
  toTakeFastPath(options?: FastPathOptions): R;
  toCloneWithin(options: CloneWithinOptions): R;
  toBeCloneable(options?: CloneableOptions): R;
}

function hold(claim: CloneClaim, assertion: (...args: never[]) => void): void {
  if (claim.pass) return;
  const { actual, expected } = claim;
  const operator = assertion.name;
  // The stack trace begins at the caller of the assertion.
  throw new AssertionError({ message: claim.message(), actual, expected, operator, stackStartFn: assertion });
}

/** @throws AssertionError that names the causes that keep the payload off the fast path, their paths, and fixes */
export function assertFastPath(value: unknown, options?: FastPathOptions): void {
  hold(takesFastPath(value, options), assertFastPath);
}

/** @throws AssertionError that names each value that cannot be cloned, or differs on arrival */
export function assertCloneable(value: unknown, options?: CloneableOptions): void {
  hold(isCloneable(value, options), assertCloneable);
}

/** @throws AssertionError that names the paths with the most bytes */
export function assertCloneWithin(value: unknown, options: CloneWithinOptions): void {
  hold(clonesWithin(value, options), assertCloneWithin);
}
