/** Texts of the rule tables, by id. */
import { ENGINES, STANDARD } from '../engines/index.ts';
import type { EngineName } from '../model/names.ts';
import type { PathWording, Wording } from '../model/report/wording.ts';
import type { Rule } from '../model/rules/rule.ts';

const engines = Object.values(ENGINES);
const rules: readonly Rule[] = [...STANDARD.rules, ...engines.flatMap((engine) => engine.rules)];

export const RULE_WORDS: Wording['rules'] = Object.fromEntries(rules.map((rule) => [rule.id, rule]));

export const PATH_WORDS = Object.fromEntries(
  engines.map(({ name, paths }): [string, Record<string, PathWording>] => [
    name,
    Object.fromEntries(paths.map((row) => [row.path, row])),
  ]),
) as Record<EngineName, Record<string, PathWording>>;
