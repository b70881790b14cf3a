import { ENGINES, SPEC } from '../engines/index.ts';
import type { PathWords, RemedyWords, RuleWords, Words } from '../model/look.ts';
import type { Engine, Rule } from '../model/rule.ts';
import type { EngineName } from '../model/words.ts';
import { REMEDIES } from '../remedies/index.ts';

const ruleWords = ({ title, why, fix, source, level, remedies }: Rule): RuleWords => ({
  title,
  why,
  ...(fix === undefined ? {} : { fix }),
  source,
  level,
  ...(remedies === undefined ? {} : { remedies }),
});

const pathWords = (engine: Engine): Record<string, PathWords> =>
  Object.fromEntries(engine.paths.map(({ path, title, why }) => [path, { title, why }]));

/** The words of the rule tables and remedies, gathered for the reporters, which know ids only. */
export function wordsOf(): Words {
  const engines = Object.values(ENGINES);
  const rules = [...SPEC.rules, ...engines.flatMap((engine) => engine.rules)];
  return {
    rules: Object.fromEntries(rules.map((rule) => [rule.id, ruleWords(rule)])),
    paths: Object.fromEntries(engines.map((engine) => [engine.name, pathWords(engine)])) as Record<
      EngineName,
      Record<string, PathWords>
    >,
    remedies: Object.fromEntries(
      Object.values(REMEDIES).map(({ name, title, loses }): [string, RemedyWords] => [
        name,
        { title, loses },
      ]),
    ),
  };
}
