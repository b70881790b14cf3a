/** Formats that CI systems read. */
import type { CheckReport, LimitResult } from '../model/documents/check.ts';
import { CHECKED, LIMIT_ROWS } from '../model/gate/limits.ts';
import type { Reporter } from '../model/report/render-options.ts';
import {
  factText,
  pendingTexts,
  placeOf,
  problemsOf,
  resultText,
  severityOf,
  summaryText,
} from './print/limits.ts';
import { inFolder, sarifDocument } from './sarif.ts';
import { reference, visible } from './text/escape.ts';
import { groupedBy } from './text/groups.ts';

/** Escaped like the message of a workflow command in @actions/core. */
const data = (text: string) =>
  visible(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

const property = (text: string) => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

type SourceLine = Partial<Pick<LimitResult, 'file' | 'line'>>;

function command(
  severity: 'error' | 'warning' | 'notice',
  { file, line }: SourceLine,
  title: string,
  text: string,
): string {
  const at = file == null ? '' : `file=${property(file)},${line == null ? '' : `line=${line},`}`;
  return `::${severity} ${at}title=${property(`clone-prof: ${title}`)}::${data(text)}`;
}

/** Annotations: one workflow command a line, then the summary. A runner shows the first ten of each kind. */
export const checkGithub: Reporter<CheckReport> = (report, { folder }) => {
  const failures = report.failures.map(({ payload, file, message }) =>
    command('error', { file: inFolder(file, folder) }, payload, message),
  );
  const problems = problemsOf(report.results).map((result) => {
    const at = { file: inFolder(result.file, folder), line: result.line };
    return command(severityOf(result) ?? 'warning', at, placeOf(result), resultText(result));
  });
  const changes = pendingTexts(report).join('; ');
  const pending = changes === '' ? [] : [command('notice', {}, 'the config changes limits', changes)];
  const sum = `clone-prof: ${data(summaryText(report))}`;
  return `${[...failures, ...problems, ...pending, sum].join('\n')}\n`;
};

/** XML 1.0 excludes U+FFFE and U+FFFF; `visible` escapes the other excluded characters. */
const xml = (text: string) =>
  visible(text)
    .replace(/[\ufffe\uffff]/g, '\ufffd')
    .replace(/[&<>"']/g, reference);

const attributes = (of: Record<string, string | number | null>) =>
  Object.entries(of)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => ` ${name}="${xml(String(value))}"`)
    .join('');

type CaseKind = 'passed' | 'failure' | 'error' | 'skipped' | 'warning';

/** A warning does not count as a failure; an unknown result does not count as passed. */
function kindOf(result: LimitResult): CaseKind {
  const severity = severityOf(result);
  if (severity === null) return 'passed';
  if (result.outcome === 'failed' || result.outcome === 'unmatched')
    return severity === 'error' ? 'failure' : 'warning';
  return severity === 'error' ? 'error' : 'skipped';
}

function element(kind: CaseKind, message: string, text: string): string {
  if (kind === 'passed') return '';
  if (kind === 'warning') return `<system-out>${xml(`warning: ${text}`)}</system-out>`;
  if (kind === 'skipped') return `<skipped${attributes({ message })}/>`;
  return `<${kind}${attributes({ message, type: kind })}>${xml(text)}</${kind}>`;
}

type Attributes = Parameters<typeof attributes>[0];
type Case = { kind: CaseKind; text: string };

const testCase = (kind: CaseKind, named: Attributes, message: string, text = message): Case => ({
  kind,
  text: `    <testcase${attributes(named)}>${element(kind, message, text)}</testcase>`,
});

function openTag(tag: string, name: string, cases: readonly Case[]): string {
  const of = (kind: CaseKind) => cases.filter((one) => one.kind === kind).length;
  const counts = { failures: of('failure'), errors: of('error'), skipped: of('skipped') };
  return `<${tag}${attributes({ name, tests: cases.length, ...counts })}>`;
}

export const checkJunit: Reporter<CheckReport> = ({ results, failures }) => {
  const loads = failures.map(({ payload, file, message }) =>
    testCase('error', { classname: payload, name: 'load', file }, message),
  );
  const suites = groupedBy(results, placeOf).map(([classname, own]): [string, Case[]] => [
    classname,
    own.map((result) => {
      const { limit, path, file, line } = result;
      const named = { classname, name: path === null ? limit : `${limit} ${path}`, file, line };
      return testCase(kindOf(result), named, factText(result), resultText(result));
    }),
  ]);
  if (loads.length > 0) suites.unshift(['load', loads]);
  const all = suites.flatMap(([, cases]) => cases);
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    openTag('testsuites', 'clone-prof', all),
    ...suites.flatMap(([name, cases]) => [
      `  ${openTag('testsuite', name, cases)}`,
      ...cases.map(({ text }) => text),
      '  </testsuite>',
    ]),
    '</testsuites>',
  ];
  return `${lines.join('\n')}\n`;
};

/** Errors and warnings; limits that passed are not listed. */
export const checkSarif: Reporter<CheckReport> = ({ failures, results }, { folder }) =>
  sarifDocument({
    rules: CHECKED.map((id) => ({ id, title: LIMIT_ROWS[id].words })),
    findings: problemsOf(results).map((result) => {
      const { limit, file, line, path, example, payload, runtime, channel, rule } = result;
      const text = `${placeOf(result)}: ${resultText(result)}`;
      const parts = [payload, runtime, channel, limit, path ?? '', rule ?? ''];
      return {
        rule: limit,
        level: severityOf(result) ?? 'none',
        text,
        file,
        line,
        path: example ?? path,
        parts,
      };
    }),
    failures: failures.map(({ payload, file, message }) => ({ text: `${payload}: ${message}`, file })),
    ...{ fingerprint: 'limit/v1', folder },
  });
