import { PATHS, RULES, ruleBook } from '../../engines/rule-book/rule-book.ts';
import type { Finding, Verdict } from '../../model/documents/classification.ts';
import type { RuntimeId } from '../../model/documents/names.ts';
import type { Channel } from '../../model/names.ts';
import { fixOf, type PathWording, type RuleBookView } from '../../model/rules/rule.ts';
import { targetOf } from './classify.ts';

/** A finding with its texts. */
export interface ExplainedFinding extends Finding {
  /** "object inside an object" */
  title: string;
  /** Effect on the engine, in one or two sentences. */
  why: string;
  /** Advice against it; null if nothing can be done. */
  fix: string | null;
  /** Source code or test that shows it. */
  source: string;
  /** True if it blocks a better path, or makes the payload slower than that path. */
  blocks: boolean;
}

export interface Explanation {
  /** Texts of the path that the payload takes; null for a payload that is rejected. */
  path: PathWording | null;
  /** Findings, worst first. */
  findings: ExplainedFinding[];
}

/** Result of `classify`, or a run of a Report. */
export interface Explainable {
  verdict: Verdict | null;
  findings: readonly Finding[];
  runtime: Pick<RuntimeId, 'engine'>;
  channel?: Channel;
}

export function explain({ verdict, findings, runtime, channel = 'worker' }: Explainable): Explanation {
  const blocking = new Set(verdict?.blockers.map(({ rule, path }) => `${rule} ${path}`));
  return {
    path: verdict === null ? null : (PATHS[runtime.engine][verdict.path] ?? null),
    findings: findings.map((finding) => {
      const words = RULES[finding.rule];
      return {
        ...finding,
        title: words?.title ?? finding.rule,
        why: words?.why ?? '',
        fix: words === undefined ? null : fixOf(words, channel),
        source: words?.source ?? '',
        blocks: blocking.has(`${finding.rule} ${finding.path}`),
      };
    }),
  };
}

/**
 * The rule book of a runtime: its paths in the order that the engine tries them, and its rules. "bun" means all
 * versions, "bun@1.4" the newest of that line, undefined the running version.
 *
 * @throws ToolError 'usage'
 */
export function rules(runtime?: string): RuleBookView {
  const { name, version } = targetOf(runtime);
  const everyVersion = runtime !== undefined && !runtime.includes('@');
  return ruleBook(name, everyVersion ? null : version);
}
