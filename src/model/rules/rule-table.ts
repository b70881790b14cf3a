import type { Rule } from './rule.ts';

/** A rule without its id. What all rules of its table have in common may be absent. */
type RuleRow<Common> = Omit<Rule, 'id' | keyof Common> & Partial<Omit<Rule, 'id'>>;

/**
 * Rules by their ids, in this order. A loop: `map` in Bun gives later arrays its storage, and guests load this.
 *
 * @param common parts of all rules of the table; a rule may replace them
 */
export function ruleTable<Common extends Partial<Rule>>(
  common: Common,
  rows: Readonly<Record<string, RuleRow<Common>>>,
): readonly Rule[] {
  const rules: Rule[] = [];
  for (const [id, row] of Object.entries(rows)) rules.push({ id, ...common, ...row } as Rule);
  return rules;
}
