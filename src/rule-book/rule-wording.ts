/** Texts of the rule tables, by id. */
import { ENGINES, STANDARD } from '../engines/index.ts';
import type { EngineName } from '../model/names.ts';
import type { PathWording, RuleWording, Wording } from '../model/report/wording.ts';
import type { Engine, Rule } from '../model/rules/rule.ts';

const ruleWording = ({ title, why, fix, fixIn, source, level, remedies }: Rule): RuleWording => ({
  title,
  why,
  ...(fix === undefined ? {} : { fix }),
  ...(fixIn === undefined ? {} : { fixIn }),
  source,
  level,
  ...(remedies === undefined ? {} : { remedies }),
});

const pathWording = (engine: Engine): Record<string, PathWording> =>
  Object.fromEntries(engine.paths.map(({ path, title, why }) => [path, { title, why }]));

const engines = Object.values(ENGINES);
const rules: readonly Rule[] = [...STANDARD.rules, ...engines.flatMap((engine) => engine.rules)];

export const RULE_WORDS: Wording['rules'] = Object.fromEntries(
  rules.map((rule) => [rule.id, ruleWording(rule)]),
);

export const PATH_WORDS = Object.fromEntries(
  engines.map((engine) => [engine.name, pathWording(engine)]),
) as Record<EngineName, Record<string, PathWording>>;
