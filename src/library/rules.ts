import type { RuleBookView } from '../model/rules/rule-view.ts';
import { ruleBook } from '../rule-book/rule-book.ts';
import { targetOf } from './target.ts';

/**
 * The rule book of a runtime: its paths in the order in which the engine decides, and its rules. "bun": of all
 * versions; "bun@1.4": of the newest of that line. undefined: the running version.
 *
 * @throws ToolError 'usage'
 */
export function rules(runtime?: string): RuleBookView {
  const { name, version } = targetOf(runtime);
  const everyVersion = runtime !== undefined && !runtime.includes('@');
  return ruleBook(name, everyVersion ? null : version);
}
