import type { RuntimeId } from '../model/names.ts';
import type { Finding, Verdict } from '../model/rule.ts';
import type { PathWording } from '../model/wording.ts';
import { PATH_WORDS, RULE_WORDS } from '../rule-book/rule-wording.ts';

/** A finding with its words. */
export interface ExplainedFinding extends Finding {
  /** "object inside an object" */
  title: string;
  /** One or two sentences: what the engine does with it. */
  why: string;
  /** What to do instead; null where nothing is to be done. */
  fix: string | null;
  /** Where it was read or seen. */
  source: string;
  /** It keeps the payload off a better path, or makes it dearer than that path. */
  blocks: boolean;
}

export interface Explanation {
  /** Words of the path that the payload takes; null for a payload that is rejected. */
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

/** The words behind a classification. A rule of another version of this tool, which is not known here, has no words. */
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
