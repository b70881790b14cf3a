/** clone-prof as a library: classify values in this process, or do in a program what the command does. */

import { type Explainable, type Explanation, explain as explainClassified } from './faces/library/explain.ts';
import type * as runs from './faces/library/runs.ts';
import type { Config } from './model/documents/config.ts';
import { ToolError } from './model/errors.ts';
import type { Meaning } from './model/rules/rule.ts';

export type { Target } from './faces/library/classify.ts';
export { type Classified, type ClassifyOptions, classify } from './faces/library/classify.ts';
export { type Explainable, type ExplainedFinding, type Explanation, rules } from './faces/library/explain.ts';
export type {
  AnalyzeOptions,
  CheckOptions,
  FormatsOf,
  ReadOptions,
  Rendered,
  RunOptions,
  SweepOptions,
} from './faces/library/runs.ts';
export type { CheckReport, LimitResult } from './model/documents/check.ts';
export type { Blocker, Finding, Unknown, Verdict } from './model/documents/classification.ts';
export type { ReportComparison } from './model/documents/comparison.ts';
export type { Config, LimitsConfig, PayloadConfig } from './model/documents/config.ts';
export type { Measurement } from './model/documents/measurement.ts';
export type { RuntimeId } from './model/documents/names.ts';
export type { RecordedMessages, Recording } from './model/documents/recorded/recording.ts';
export type { Machine, PayloadReport, Report, Run, RunError } from './model/documents/report.ts';
export type { Facts, Shape } from './model/documents/shape.ts';
export type { SweepPoint, SweepReport } from './model/documents/sweep.ts';
export type { Advice, Trial } from './model/documents/trial.ts';
export { type ErrorCode, type ErrorFacts, ToolError } from './model/errors.ts';
export type {
  Channel,
  CostClass,
  EngineName,
  Level,
  LibraryName,
  PathName,
  RuntimeName,
} from './model/names.ts';
export { CHECK_SCHEMA, COMPARISON_SCHEMA, REPORT_SCHEMA, SWEEP_SCHEMA } from './model/names.ts';
export type { RenderOptions } from './model/report/formats.ts';
export type { Classification, Meaning, PathView, Rule, RuleBookView, RuleView } from './model/rules/rule.ts';
export type { AppEvent } from './model/run/events.ts';
export type { Flag, Kind } from './model/vocabulary/shape.ts';

/** Texts of a classification. A rule that only a different version of this tool knows does not have texts. */
export function explain(classified: Explainable): Explanation;
/**
 * The job of `clone-prof explain`: the meanings of the printed words.
 *
 * @param word a rule, path, class, rewrite, limit or error code
 * @throws ToolError 'usage' for a word that the tool does not print
 */
export function explain(word: string): Promise<Meaning[]>;
export function explain(given: Explainable | string): Explanation | Promise<Meaning[]> {
  if (typeof given !== 'string') return explainClassified(given);
  return own(import('./faces/library/runs.ts').then((loaded) => loaded.explain(given)));
}

/** Its module is loaded on the first call: a test suite that only classifies does not need it, and starts faster. */
function onFirstUse<Given extends unknown[], Result>(
  of: (loaded: typeof runs) => (...given: Given) => Promise<Result>,
): (...given: Given) => Promise<Result> {
  return async (...given) => own(of(await import('./faces/library/runs.ts'))(...given));
}

/**
 * The job of `clone-prof analyze`: real payloads in real runtimes, in separate processes. A payload or a runtime that
 * fails is a result in the report.
 *
 * @param payload files, globs, or "-" for JSON on stdin; else the payload itself, as `analyze({ rows })`, or a function
 * that makes it: `analyze(() => rows())`. A list of texts is a list of files: `analyze(() => texts)`
 * @throws ToolError 'no-input'; 'usage' for a value that cannot leave this process; 'runtime-unknown',
 * 'runtime-missing' when no runtime is left
 */
export const analyze: typeof runs.analyze = onFirstUse(({ analyze }) => analyze);

/**
 * The job of `clone-prof sweep`: cost against size for each strategy, and the sizes that make them equally fast.
 *
 * @param subject a file, or the name of a published benchmark
 * @throws ToolError for a payload that is unreadable, or has nothing to scale; 'runtime-unknown', 'runtime-missing'
 */
export const sweep: typeof runs.sweep = onFirstUse(({ sweep }) => sweep);

/**
 * The job of `clone-prof check`: `passed` is true if the gate is open.
 *
 * @param payloads names or files; if empty, all of the config
 * @throws ToolError 'config-bad', 'baseline-missing', 'base-unknown', ...; 'interrupted' when it is aborted
 */
export const check: typeof runs.check = onFirstUse(({ check }) => check);

/**
 * Reads a recording of `clone-prof record`: the program, and its messages by site and class.
 *
 * @throws ToolError 'file-missing', 'file-unreadable', 'document-bad'
 */
export const readRecording: typeof runs.readRecording = onFirstUse(({ readRecording }) => readRecording);

/**
 * Reads a report of `analyze` or `sweep`, from JSON or a page. Several are joined or compared.
 *
 * @throws ToolError 'file-missing', 'document-bad'; 'usage' for files with nothing in common
 */
export const readReport: typeof runs.readReport = onFirstUse(({ readReport }) => readReport);

/**
 * A report, comparison, sweep or check, as `-f` prints it.
 *
 * @throws ToolError 'usage' for a format that such a document does not have
 */
export const render: typeof runs.render = onFirstUse(({ render }) => render);

/** For `require`, the code of `import` does the work: its errors become ToolErrors of the required module. */
const own = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    const { name, code, facts } = error as ToolError;
    const isForeign = name === 'ToolError' && !(error instanceof ToolError);
    throw isForeign ? ToolError.again(code, facts, { cause: error }) : error;
  });

/** Returns the config unchanged. It gives an editor the types to complete and check the call. */
export const defineConfig = (config: Config): Config => config;
