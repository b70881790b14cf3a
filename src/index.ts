/** clone-prof as a library: classify values in this process, or analyze payloads in real runtimes. */
import type { AnalyzeOptions } from './library/analyze.ts';
import type { Report } from './model/documents/report.ts';

export type { AnalyzeOptions } from './library/analyze.ts';
export type { Target } from './library/classify.ts';
export { type Classified, type ClassifyOptions, classify } from './library/classify.ts';
export { defineConfig } from './library/define-config.ts';
export {
  type Explainable,
  type ExplainedFinding,
  type Explanation,
  explain,
  rules,
} from './library/explain.ts';
export { REPORT_SCHEMA } from './model/document-ids.ts';
export type { Blocker, Finding, Unknown, Verdict } from './model/documents/classification.ts';
export type { Measurement } from './model/documents/measurement.ts';
export type { RuntimeId } from './model/documents/names.ts';
export type { Machine, PayloadReport, Report, Run, RunError } from './model/documents/report.ts';
export type { Facts, Shape } from './model/documents/shape.ts';
export type { Advice, Trial } from './model/documents/trial.ts';
export { type ErrorCode, type ErrorFacts, ToolError } from './model/errors.ts';
export type { Config, LimitsConfig, PayloadConfig } from './model/gate/config.ts';
export type {
  Channel,
  CostClass,
  EngineName,
  Level,
  LibraryName,
  PathName,
  RuntimeName,
} from './model/names.ts';
export type { Classification, Rule } from './model/rules/rule.ts';
export type { PathView, RuleBookView, RuleView } from './model/rules/rule-view.ts';
export type { AppEvent } from './model/run/events.ts';
export type { Flag, Kind } from './model/vocabulary/shape.ts';

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
