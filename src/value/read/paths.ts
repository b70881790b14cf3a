/**
 * Paths into a payload. A concrete path names one value (`$.items[3].geo`), a pattern many (`$.items[*].geo`).
 *
 * Grammar: `$` is the root; `.name` or `["any key"]` (a JSON string) a property; `[3]` one index, `[*]` any index;
 * `{key:3}`, `{value:3}` or `{member:3}` an entry of a Map or Set by insertion order, and without the number any entry;
 * `.*` any key; `..` everything deeper; `…` in a concrete path a middle that was cut out.
 */
import { orElse } from '../../model/or-else.ts';
import { map } from './lists.ts';

export type EntryPart = 'key' | 'value' | 'member';

export type PathStep =
  | { type: 'key'; key: string }
  /** An `index` of null means any index. */
  | { type: 'index'; index: number | null }
  | { type: 'entry'; part: EntryPart; index: number | null }
  | { type: 'any-key' }
  | { type: 'deeper' }
  | { type: 'cut' };

/** One step of a walk: string = key, number = index, object = entry. Keys and indices need no allocation. */
export type TrailStep = string | number | { part: EntryPart; index: number };

export const pathStep = (step: TrailStep): PathStep => {
  if (typeof step === 'string') return { type: 'key', key: step };
  return typeof step === 'number' ? { type: 'index', index: step } : { type: 'entry', ...step };
};

const NAME = /^[A-Za-z_$][\w$]*$/;

export const keyText = (key: string): string => (NAME.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`);

/** Maximum UTF-16 units of one step and of a whole concrete path; longer texts are cut in the middle. */
const MAX_STEP_LENGTH = 120;
const MAX_PATH_LENGTH = 320;

const cutText = (text: string): string =>
  text.length <= MAX_STEP_LENGTH
    ? text
    : `${text.slice(0, MAX_STEP_LENGTH / 2)}…${text.slice(-MAX_STEP_LENGTH / 2)}`;

const trailText = (step: TrailStep): string =>
  stepText(pathStep(typeof step === 'string' ? cutText(step) : step));

/** Returns the concrete path of `trail[1..depth]`, cut in the middle if long. Index 0 is the root and is not read. */
export function pathOfTrail(trail: readonly TrailStep[], depth: number): string {
  let head = '$';
  let at = 1;
  while (at <= depth && head.length < MAX_PATH_LENGTH / 2) head += trailText(trail[at++]!);
  if (at > depth) return head;
  let tail = '';
  let end = depth;
  while (end >= at && tail.length < MAX_PATH_LENGTH / 2) tail = trailText(trail[end--]!) + tail;
  return end < at ? head + tail : `${head}…${tail}`;
}

const SIGNS = { 'any-key': '.*', deeper: '..', cut: '…' };

function stepText(step: PathStep): string {
  if (step.type === 'key') return keyText(step.key);
  if (step.type === 'index') return `[${step.index ?? '*'}]`;
  if (step.type !== 'entry') return SIGNS[step.type];
  return step.index === null ? `{${step.part}}` : `{${step.part}:${step.index}}`;
}

export const formatPath = (steps: readonly PathStep[]): string => `$${map(steps, stepText).join('')}`;

const TOKEN =
  /\.\.|\.\*|…|\.([A-Za-z_$][\w$]*)|\[(\*|\d+)\]|\[("(?:[^"\\]|\\.)*")\]|\{(key|value|member)(?::(\d+))?\}/uy;

function stepOf(token: RegExpExecArray): PathStep | null {
  const [text, name, index, quoted, part, entry] = token;
  if (name !== undefined) return { type: 'key', key: name };
  if (quoted !== undefined) {
    const key = orElse(() => JSON.parse(quoted) as string, null);
    return key === null ? null : { type: 'key', key };
  }
  if (index !== undefined) return { type: 'index', index: index === '*' ? null : Number(index) };
  if (part !== undefined)
    return { type: 'entry', part: part as EntryPart, index: entry === undefined ? null : Number(entry) };
  if (text === '.*') return { type: 'any-key' };
  return text === '..' ? { type: 'deeper' } : { type: 'cut' };
}

export function parsePath(path: string): PathStep[] | null {
  if (!path.startsWith('$')) return null;
  const steps: PathStep[] = [];
  let at = 1;
  while (at < path.length) {
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(path);
    if (token === null) return null;
    const step = stepOf(token);
    if (step === null) return null;
    steps.push(step);
    at = TOKEN.lastIndex;
  }
  return steps;
}

function stepFits(pattern: PathStep, step: PathStep): boolean {
  if (pattern.type === 'any-key') return step.type === 'key' || step.type === 'any-key';
  if (pattern.type === 'index') return step.type === 'index' && (pattern.index ?? step.index) === step.index;
  if (pattern.type === 'entry')
    return (
      step.type === 'entry' && step.part === pattern.part && (pattern.index ?? step.index) === step.index
    );
  return pattern.type === 'key' && step.type === 'key' && pattern.key === step.key;
}

/** True if `pattern` matches `path`, which is concrete or a pattern. A path that was cut does not match any pattern. */
export function pathFits(pattern: string, path: string): boolean {
  const wanted = parsePath(pattern);
  const steps = parsePath(path);
  if (wanted === null || steps === null || steps.some((s) => s.type === 'cut')) return false;
  const deeper = wanted.at(-1)?.type === 'deeper';
  const fixed = deeper ? wanted.slice(0, -1) : wanted;
  if (deeper ? steps.length <= fixed.length : steps.length !== fixed.length) return false;
  return fixed.every((step, i) => stepFits(step, steps[i]!));
}

/** True if `path` is `root` or below it: `$.task` is not below `$.tas`. */
export const isAtOrBelow = (path: string, root: string): boolean =>
  path.startsWith(root) && /^($|[.[{])/.test(path.slice(root.length));

export function patternOf(path: string): string | null {
  const steps = parsePath(path);
  if (steps === null) return null;
  return formatPath(map(steps, (step) => ('index' in step ? { ...step, index: null } : step)));
}
