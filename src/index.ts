/** clone-prof as a library: classify values in this process, or analyze payloads in real runtimes. */
import type { AnalyzeOptions } from './library/analyze.ts';
import type { Report } from './model/report/report.ts';

export type { AnalyzeOptions } from './library/analyze.ts';
export { type Classified, type ClassifyOptions, classify } from './library/classify.ts';
export { defineConfig } from './library/define-config.ts';
export { type Explainable, type ExplainedFinding, type Explanation, explain } from './library/explain.ts';
export { rules } from './library/rules.ts';
export type { Target } from './library/target.ts';
export { type ErrorCode, type ErrorFacts, ToolError } from './model/errors.ts';
export type { Config, LimitsConfig, PayloadConfig } from './model/gate/config.ts';
export type {
  Channel,
  CostClass,
  EngineName,
  Level,
  LibraryName,
  PathName,
  RuntimeId,
  RuntimeName,
} from './model/names.ts';
export {
  type Advice,
  type Machine,
  type Measurement,
  type PayloadReport,
  REPORT_SCHEMA,
  type Report,
  type Run,
  type RunError,
  type Trial,
} from './model/report/report.ts';
export type { Blocker, Classification, Finding, Rule, Unknown, Verdict } from './model/rules/rule.ts';
export type { PathView, RuleBookView, RuleView } from './model/rules/rule-view.ts';
export type { Facts, Flag, Kind, Shape } from './model/rules/shape.ts';
export type { AppEvent } from './model/run/events.ts';

/**
 * The job of `clone-prof analyze`: real payloads in real runtimes, each in processes of its own. A payload or a runtime
 * that fails is a result in the report.
 *
 * @param inputs files, globs, or "-" for JSON on stdin
 * @throws ToolError 'no-input'; 'runtime-unknown', 'runtime-missing' when no runtime is left to analyze in
 */
export async function analyze(inputs: string | string[], options: AnalyzeOptions = {}): Promise<Report> {
  // Loaded when used: classifying needs none of it, and a test suite that only classifies starts faster.
  const library = await import('./library/analyze.ts');
  return library.analyze(inputs, options);
}
