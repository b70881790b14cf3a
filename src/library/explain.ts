import type { Finding, Verdict } from '../model/documents/classification.ts';
import type { RuntimeId } from '../model/documents/names.ts';
import type { PathWording } from '../model/report/wording.ts';
import type { RuleBookView } from '../model/rules/rule-view.ts';
import { ruleBook } from '../rule-book/rule-book.ts';
import { PATH_WORDS, RULE_WORDS } from '../rule-book/rule-wording.ts';
import { targetOf } from './classify.ts';

/** A finding with its texts. */
export interface ExplainedFinding extends Finding {
  /** "object inside an object" */
  title: string;
  /** One or two sentences: what the engine does with it. */
  why: string;
  /** What to do instead; null where nothing can be done. */
  fix: string | null;
  /** Where it was read or seen. */
  source: string;
  /** It blocks a better path, or makes the payload slower than that path. */
  blocks: boolean;
}

export interface Explanation {
  /** Texts of the path that the payload takes; null for a payload that is rejected. */
  path: PathWording | null;
  /** Worst first. */
  findings: ExplainedFinding[];
}

/** What `classify` gives; a run of a Report is one too. */
export interface Explainable {
  verdict: Verdict | null;
  findings: readonly Finding[];
  runtime: Pick<RuntimeId, 'engine'>;
}

/** The texts of a classification. A rule that only another version of this tool knows has none. */
export function explain({ verdict, findings, runtime }: Explainable): Explanation {
  const blocking = new Set(verdict?.blockers.map(({ rule, path }) => `${rule} ${path}`));
  return {
    path: verdict === null ? null : (PATH_WORDS[runtime.engine][verdict.path] ?? null),
    findings: findings.map((finding) => {
      const words = RULE_WORDS[finding.rule];
      return {
        ...finding,
        title: words?.title ?? finding.rule,
        why: words?.why ?? '',
        fix: words?.fix ?? null,
        source: words?.source ?? '',
        blocks: blocking.has(`${finding.rule} ${finding.path}`),
      };
    }),
  };
}

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
