import { has } from '../core/shape-facts.ts';
import type { Facts, Shape } from '../model/documents/shape.ts';
import type { Plan } from '../model/documents/trial.ts';
import type { Remedy } from '../model/rules/remedy.ts';
import { PLAIN_FORMS, type PlainFormName } from './code/plain-forms.ts';
import { remedyFromCode } from './code/remedy-from-code.ts';
import { declareFromMessage, declareToMessage } from './code/rewrite.ts';
import { anyRow, commonPath, type PatternRows, ShapeIndex } from './facts/shape-index.ts';
import { callsOf } from './facts/target-trie.ts';

interface PlainPlan extends Plan {
  forms: { path: string; form: PlainFormName }[];
}

/**
 * Bun: what keeps flat objects from being flat. Others: Map and Set, filled entry by entry through JavaScript calls. A Date
 * of each row as a number takes 0.95 of the time on Node 20, and as a column less.
 */
const WORTHWHILE: Readonly<Record<string, readonly PlainFormName[]>> = {
  jsc: ['date', 'bigint', 'regexp', 'map', 'set'],
  v8: ['map', 'set'],
  spidermonkey: ['map', 'set'],
  webkit: ['map', 'set'],
};

/** The plain form would lose properties, the class or the identity. */
const isMoreThanContent = (row: Facts) =>
  has(row, 'extra-props', 'repeated', 'cycle', 'subclass', 'class-instance');

function formAt(at: PatternRows, names: readonly PlainFormName[]): PlainFormName | null {
  const [name, ...others] = names.filter((one) => at.kinds.has(PLAIN_FORMS[one].kind));
  if (name === undefined || others.length > 0) return null;
  const { kind, as } = PLAIN_FORMS[name];
  const isClear =
    !as.some((one) => at.kinds.has(one)) && !anyRow(at, (row) => row.kind === kind && isMoreThanContent(row));
  return isClear ? name : null;
}

function plans(shape: Shape): PlainPlan[] {
  const index = ShapeIndex.of(shape);
  const names = WORTHWHILE[shape.representation.engine] ?? [];
  const forms = index.all().flatMap((at) => {
    const form = index.isRewritable(at.pattern) ? formAt(at, names) : null;
    return form === null ? [] : [{ path: at.pattern, form }];
  });
  return forms.length === 0 ? [] : [{ path: commonPath(forms.map((one) => one.path)), forms }];
}

function declarations({ forms }: PlainPlan, direction: 'to' | 'from'): string {
  const used = new Set(forms.map(({ form }) => form));
  return [...used].map((form) => PLAIN_FORMS[form][direction].source).join('\n');
}

const targets = ({ forms }: PlainPlan, direction: 'to' | 'from') =>
  forms.flatMap(({ path, form }) => callsOf(PLAIN_FORMS[form][direction].name, [path]));

/** Converts path by path, without tags in the data: no key of the payload can be mistaken for a marker. */
export const plain: Remedy = remedyFromCode<PlainPlan>({
  name: 'plain',
  title: 'send plain forms of Date, Map, Set, BigInt',
  plans,
  source: (plan) => ({
    sender: `${declarations(plan, 'to')}\n${declareToMessage(targets(plan, 'to'))}`,
    receiver: `${declarations(plan, 'from')}\n${declareFromMessage(targets(plan, 'from'))}`,
  }),
});
