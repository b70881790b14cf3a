/** Counts and sizes of a value. They are equal on each build, independent of how an engine stores the value. */
import type { Shape } from '../../model/documents/shape.ts';

/** Amounts by their subject: "values", "strings", "characters of strings". */
export type ValueFacts = Record<string, number>;

export function valueFacts({ nodes, depth, patterns }: Shape): ValueFacts {
  const facts: ValueFacts = { values: nodes, levels: depth };
  const add = (name: string, more: number) => {
    facts[name] = (facts[name] ?? 0) + more;
  };
  for (const { kind, count, size, bytes } of patterns) {
    add(`values of kind ${kind}`, count);
    add(`as sizes of kind ${kind}`, size?.total ?? bytes?.total ?? 0);
  }
  return facts;
}

/** First difference: "331 values, not 2"; null if all amounts are equal. */
export function otherThan(expected: ValueFacts, is: ValueFacts): string | null {
  const names = Object.keys({ ...expected, ...is });
  const differing = names.find((name) => (expected[name] ?? 0) !== (is[name] ?? 0));
  return differing === undefined
    ? null
    : `${is[differing] ?? 0} ${differing}, not ${expected[differing] ?? 0}`;
}
