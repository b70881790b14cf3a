import type { CheckFailure, CheckReport, LimitResult } from '../../model/documents/check.ts';
import type { RenderOptions } from '../../model/report/render-options.ts';
import type { Wording } from '../../model/report/wording.ts';
import { reference, visible } from '../text/escape.ts';
import { factText, resultsByPlace, sentence, severityOf } from './texts.ts';

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

interface Suite {
  name: string;
  cases: Case[];
}

type CaseKind = 'passed' | 'failure' | 'error' | 'skipped' | 'warning';

interface Case {
  kind: CaseKind;
  text: string;
}

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

function caseOf(place: string, result: LimitResult, words: Wording): Case {
  const { limit, path, file, line } = result;
  const kind = kindOf(result);
  const name = path === null ? limit : `${limit} ${path}`;
  const head = `<testcase${attributes({ classname: place, name, file, line })}>`;
  return { kind, text: `${head}${element(kind, factText(result), sentence(result, words))}</testcase>` };
}

function loadCase({ payload, file, message }: CheckFailure): Case {
  const head = `<testcase${attributes({ classname: payload, name: 'load', file })}>`;
  return { kind: 'error', text: `${head}${element('error', message, message)}</testcase>` };
}

function counts(cases: readonly Case[]): string {
  const of = (kind: CaseKind) => cases.filter((one) => one.kind === kind).length;
  return attributes({
    tests: cases.length,
    failures: of('failure'),
    errors: of('error'),
    skipped: of('skipped'),
  });
}

const suiteText = ({ name, cases }: Suite) =>
  [
    `  <testsuite${attributes({ name })}${counts(cases)}>`,
    ...cases.map(({ text }) => `    ${text}`),
    '  </testsuite>',
  ].join('\n');

/** JUnit XML as Jenkins and GitLab read it. */
export function checkJunit(report: CheckReport, _options: RenderOptions, words: Wording): string {
  const suites = [...resultsByPlace(report.results)].map(([name, results]): Suite => {
    return { name, cases: results.map((result) => caseOf(name, result, words)) };
  });
  if (report.failures.length > 0) suites.unshift({ name: 'load', cases: report.failures.map(loadCase) });
  const all = suites.flatMap(({ cases }) => cases);
  const open = `<testsuites${attributes({ name: 'clone-prof' })}${counts(all)}>`;
  return `${['<?xml version="1.0" encoding="UTF-8"?>', open, ...suites.map(suiteText), '</testsuites>'].join('\n')}\n`;
}
