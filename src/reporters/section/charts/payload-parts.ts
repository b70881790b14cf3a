/** The parts of a payload with their estimated bytes, from the rows of its shape. */
import { formatPath, type PathStep, parsePath } from '../../../core/paths.ts';
import { estimatedRowBytes } from '../../../core/wire-estimate.ts';
import type { Run } from '../../../model/documents/report.ts';
import type { Facts } from '../../../model/documents/shape.ts';
import { COST_CLASSES, type CostClass } from '../../../model/names.ts';
import type { Wording } from '../../../model/report/wording.ts';

export interface PayloadPart {
  name: string;
  path: string | null;
  kinds: Set<string>;
  count: number;
  /** Bytes of the message, with all that is in it. */
  bytes: number;
  class: CostClass | null;
  /** Titles of rules. */
  blockers: Set<string>;
  children: Map<string, PayloadPart>;
}

/** Levels below the root; what is deeper belongs to the last of them. */
const MAX_DEPTH = 7;

type RowClass = Pick<PayloadPart, 'blockers'> & { class: CostClass };

const BUFFERS: ReadonlySet<string> = new Set(['arraybuffer', 'typedarray', 'dataview']);

/** The class of the values of one row by the findings that name them, else by that of the whole payload. */
function rowClassifier({ verdict, findings }: Run, words: Wording): (row: Facts) => RowClass {
  const worst = verdict?.class ?? 'serialized';
  const usual = worst === 'degraded' || worst === 'rejected' ? 'serialized' : worst;
  const titles = new Map<string, Set<string>>();
  for (const { path, rule } of verdict?.blockers ?? [])
    titles.set(path, (titles.get(path) ?? new Set()).add(words.rules[rule]?.title ?? rule));
  const levels = new Map<string, Set<string>>();
  for (const { path, level } of findings) levels.set(path, (levels.get(path) ?? new Set()).add(level));
  return ({ pattern, example, kind, flags }) => {
    const blockers = new Set([...(titles.get(pattern) ?? []), ...(titles.get(example) ?? [])]);
    const has = (level: string) => [pattern, example].some((path) => levels.get(path)?.has(level));
    const of = (name: CostClass) => ({ class: name, blockers });
    if (has('rejected')) return of('rejected');
    if (blockers.size > 0) return of(worst);
    if (has('slow')) return of('degraded');
    if (kind === 'sharedarraybuffer' || flags.includes('shared-backing')) return of('shared');
    return of(BUFFERS.has(kind) && usual === 'serialized' ? 'bulk' : usual);
  };
}

/** The whole payload. Rows with a path that cannot be read are left out. */
export function payloadParts(run: Run, words: Wording): PayloadPart {
  const classify = rowClassifier(run, words);
  const root = newPart({ name: '$', path: '$' });
  for (const row of run.shape?.patterns ?? []) {
    const steps = parsePath(row.pattern);
    if (steps === null) continue;
    const size = Math.max(0, estimatedRowBytes(row)) || 0;
    let part = root;
    part.bytes += size;
    steps.slice(0, MAX_DEPTH).forEach((step, index) => {
      part = findChild(part, step, steps.slice(0, index + 1));
      part.bytes += size;
    });
    addRow(part, row, classify(row), steps.length <= MAX_DEPTH);
  }
  return root;
}

export const newPart = (named: Pick<PayloadPart, 'name' | 'path'>): PayloadPart => ({
  ...named,
  ...{ kinds: new Set(), count: 0, bytes: 0, class: null, blockers: new Set(), children: new Map() },
});

function findChild({ children }: PayloadPart, step: PathStep, steps: readonly PathStep[]): PayloadPart {
  const text = formatPath([step]).slice(1);
  const known = children.get(text);
  if (known) return known;
  const name = step.type === 'key' ? step.key : text;
  const child = newPart({ name, path: formatPath(steps) });
  children.set(text, child);
  return child;
}

/** Parts that are too deep to be drawn are known by their blockers only. */
function addRow(part: PayloadPart, row: Facts, found: RowClass, isOwn: boolean): void {
  for (const title of found.blockers) part.blockers.add(title);
  if (!isOwn) return;
  part.kinds.add(row.kind);
  part.count += row.count;
  if (part.class === null || COST_CLASSES.indexOf(found.class) > COST_CLASSES.indexOf(part.class))
    part.class = found.class;
}
