import type { Plan, Remedy } from '../model/remedy.ts';
import type { Facts, Shape } from '../model/shape.ts';
import { PLAIN_FORMS, type PlainFormName } from './code/plain-forms.ts';
import { remedyFromCode } from './code/remedy-from-code.ts';
import { declareFromMessage, declareToMessage } from './code/rewrite.ts';
import { anyRow, commonPath, has, type PatternRows, ShapeIndex } from './facts/shape-index.ts';

interface PlainPlan extends Plan {
  forms: { path: string; form: PlainFormName }[];
}

/** Bun: what keeps flat objects from being flat. V8: Map and Set, refilled entry by entry through JavaScript calls. */
const WORTH: Readonly<Record<string, readonly PlainFormName[]>> = {
  jsc: ['date', 'bigint', 'regexp', 'map', 'set'],
  v8: ['map', 'set'],
  spidermonkey: ['map', 'set'],
  webkit: ['map', 'set'],
};

/** Each entry of a subclass or of an object met twice has more to it than its content. */
const isWhole = (row: Facts) => has(row, 'extra-props', 'repeated', 'cycle', 'subclass', 'class-instance');

function formAt(spot: PatternRows, names: readonly PlainFormName[]): PlainFormName | null {
  const found = names.filter((name) => spot.kinds.has(PLAIN_FORMS[name].kind));
  const name = found[0];
  if (found.length !== 1 || name === undefined) return null;
  const { kind, as } = PLAIN_FORMS[name];
  const isClear = !spot.kinds.has(as) && !anyRow(spot, (row) => row.kind === kind && isWhole(row));
  return isClear ? name : null;
}

function wanted(shape: Shape): Plan[] {
  const spots = new ShapeIndex(shape);
  const names = WORTH[shape.representation.engine] ?? [];
  const forms = spots.all().flatMap((spot) => {
    const form = spots.isRewritable(spot.pattern) ? formAt(spot, names) : null;
    return form === null ? [] : [{ path: spot.pattern, form }];
  });
  return forms.length === 0 ? [] : [{ path: commonPath(forms.map((one) => one.path)), forms }];
}

function declarations(plan: PlainPlan, way: 'to' | 'from'): string {
  const used = new Set(plan.forms.map(({ form }) => form));
  return [...used].map((form) => PLAIN_FORMS[form][way].source).join('\n');
}

function targets(plan: PlainPlan, way: 'to' | 'from') {
  return plan.forms.map(({ path, form }) => ({
    path,
    rewrite: (value: string) => `${PLAIN_FORMS[form][way].name}(${value})`,
  }));
}

/** Path by path, without tags in the data: keys of the payload can never be taken for a marker. */
export const plain: Remedy = remedyFromCode({
  name: 'plain',
  title: 'send plain forms of Date, Map, Set, BigInt',
  loses: [],
  wanted,
  source(plan) {
    const forms = plan as PlainPlan;
    return {
      sender: `${declarations(forms, 'to')}\n${declareToMessage(targets(forms, 'to'))}`,
      receiver: `${declarations(forms, 'from')}\n${declareFromMessage(targets(forms, 'from'))}`,
    };
  },
});
