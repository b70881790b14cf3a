/** Formats that CI systems read. */
import type { CheckReport, LimitResult } from '../../model/documents/check.ts';
import { CHECKED } from '../../model/gate/limits.ts';
import type { Reporter } from '../../model/report/render-options.ts';
import type { Wording } from '../../model/report/wording.ts';
import { joinBlocks } from '../text/blocks.ts';
import { reference, visible } from '../text/escape.ts';
import { escapedJson } from '../text/json.ts';
import { factText } from './facts.ts';
import {
  LIMIT_WORDS,
  placeOf,
  problemsOf,
  resultsByPlace,
  type Severity,
  sentence,
  severityOf,
  summaryText,
} from './texts.ts';

/** Escaped like the message of a workflow command in @actions/core. */
const data = (text: string) =>
  visible(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

const property = (text: string) => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

type SourceLine = Partial<Pick<LimitResult, 'file' | 'line'>>;

function command(severity: Severity, { file, line }: SourceLine, title: string, text: string): string {
  const at = file == null ? '' : `file=${property(file)},${line == null ? '' : `line=${line},`}`;
  return `::${severity} ${at}title=${property(`clone-prof: ${title}`)}::${data(text)}`;
}

/** Annotations: one workflow command a line, then the summary. A runner shows the first ten of each kind. */
export const checkGithub: Reporter<CheckReport> = (report, _options, words) => {
  const failures = report.failures.map(({ payload, file, message }) =>
    command('error', { file }, payload, message),
  );
  const problems = problemsOf(report.results).map((result) =>
    command(severityOf(result) ?? 'warning', result, placeOf(result), sentence(result, words)),
  );
  return `${[...failures, ...problems, `clone-prof: ${data(summaryText(report))}`].join('\n')}\n`;
};

/** A relative reference (RFC 3986): each part of the path is encoded. */
const uriOf = (file: string) =>
  file
    .replace(/\p{Cs}/gu, '\ufffd')
    .split(/[/\\]/)
    .map(encodeURIComponent)
    .join('/');

function locationsOf(file: string | null, line: number | null, path: string | null) {
  if (file === null) return [];
  return [
    {
      physicalLocation: {
        artifactLocation: { uri: uriOf(file), uriBaseId: '%SRCROOT%' },
        ...(line === null ? {} : { region: { startLine: line } }),
      },
      ...(path === null ? {} : { logicalLocations: [{ fullyQualifiedName: visible(path), kind: 'value' }] }),
    },
  ];
}

function sarifResult(result: LimitResult, words: Wording) {
  const { limit, file, line, path, example, payload, runtime, channel, rule } = result;
  return {
    ruleId: limit,
    ruleIndex: CHECKED.indexOf(limit),
    level: severityOf(result) ?? 'none',
    message: { text: visible(`${placeOf(result)}: ${sentence(result, words)}`) },
    locations: locationsOf(file, line, example ?? path),
    // Identifies the finding in later runs, even when its line or numbers change.
    partialFingerprints: {
      'limit/v1': visible([payload, runtime, channel, limit, path ?? '', rule ?? ''].join('\n')),
    },
  };
}

/** As in package.json. */
export const HOME_PAGE = 'https://github.com/OWNER/clone-prof#readme';

/** SARIF 2.1.0 (OASIS): errors and warnings; limits that passed are not listed. */
export const checkSarif: Reporter<CheckReport> = ({ failures, results }, _options, words) => {
  const rules = CHECKED.map((id) => ({ id, name: id, shortDescription: { text: LIMIT_WORDS[id] } }));
  const toolExecutionNotifications = failures.map(({ payload, file, message }) => ({
    level: 'error',
    message: { text: visible(`${payload}: ${message}`) },
    locations: locationsOf(file, null, null),
  }));
  const run = {
    tool: { driver: { name: 'clone-prof', informationUri: HOME_PAGE, rules } },
    invocations: [{ executionSuccessful: failures.length === 0, toolExecutionNotifications }],
    columnKind: 'utf16CodeUnits',
    results: problemsOf(results).map((result) => sarifResult(result, words)),
  };
  const $schema = 'https://json.schemastore.org/sarif-2.1.0.json';
  return escapedJson({ $schema, version: '2.1.0', runs: [run] });
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

type Named = Parameters<typeof attributes>[0];
type Case = ReturnType<typeof testCase>;

const testCase = (kind: CaseKind, named: Named, message: string, text: string) => ({
  kind,
  text: `    <testcase${attributes(named)}>${element(kind, message, text)}</testcase>`,
});

function caseOf(classname: string, result: LimitResult, words: Wording): Case {
  const { limit, path, file, line } = result;
  const name = path === null ? limit : `${limit} ${path}`;
  return testCase(kindOf(result), { classname, name, file, line }, factText(result), sentence(result, words));
}

function openTag(tag: string, name: string, cases: readonly Case[]): string {
  const of = (kind: CaseKind) => cases.filter((one) => one.kind === kind).length;
  const counts = { failures: of('failure'), errors: of('error'), skipped: of('skipped') };
  return `<${tag}${attributes({ name, tests: cases.length, ...counts })}>`;
}

export const checkJunit: Reporter<CheckReport> = ({ results, failures }, _options, words) => {
  const loads = failures.map(({ payload, file, message }) =>
    testCase('error', { classname: payload, name: 'load', file }, message, message),
  );
  const suites: [name: string, cases: Case[]][] = [
    ['load', loads],
    ...[...resultsByPlace(results)].map(([name, own]): [string, Case[]] => [
      name,
      own.map((result) => caseOf(name, result, words)),
    ]),
  ];
  const filled = suites.filter(([, cases]) => cases.length > 0);
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    openTag(
      'testsuites',
      'clone-prof',
      suites.flatMap(([, cases]) => cases),
    ),
    ...filled.flatMap(([name, cases]) => [
      `  ${openTag('testsuite', name, cases)}`,
      ...cases.map(({ text }) => text),
      '  </testsuite>',
    ]),
    '</testsuites>',
  ];
  return joinBlocks([lines]);
};
