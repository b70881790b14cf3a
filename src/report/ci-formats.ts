/** Formats that CI systems read. */

import type { CheckReport, LimitResult } from '../model/documents/check.ts';
import type { Report, Run } from '../model/documents/report.ts';
import { CHECKED, LIMIT_ROWS } from '../model/gate/limits.ts';
import { runtimeWord } from '../model/names.ts';
import type { Reporter } from '../model/report/render-options.ts';
import { copiedBytes } from '../model/report/runs.ts';
import { carries } from '../stats/evidence.ts';
import {
  factText,
  pendingText,
  placeOf,
  problemsOf,
  resultText,
  severityOf,
  summaryText,
} from './print/limits.ts';
import { inFolder, sarifDocument } from './sarif.ts';
import { reference, visible } from './text/escape.ts';
import { groupedBy } from './text/groups.ts';
import { escapedJson } from './text/json.ts';

/** Escaped like the message of a workflow command in @actions/core. */
const data = (text: string) =>
  visible(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

const property = (text: string) => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

function command(
  severity: 'error' | 'warning' | 'notice',
  { file, line }: Partial<Pick<LimitResult, 'file' | 'line'>>,
  title: string,
  text: string,
): string {
  const at = file == null ? '' : `file=${property(file)},${line == null ? '' : `line=${line},`}`;
  return `::${severity} ${at}title=${property(`clone-prof: ${title}`)}::${data(text)}`;
}

/** Changes of the config that do not hold yet. */
const PENDING = 'pending';
const PENDING_WORDS =
  'A setting of the config that the other side has stricter, which holds until it has this one.';

/** Annotated results: errors, then warnings, then notes of what the config changes. */
const findingsOf = (report: CheckReport) => [
  ...problemsOf(report.results).map((result) => {
    const { limit, file, line, path, example, payload, runtime, channel, rule } = result;
    const level = severityOf(result) ?? 'warning';
    const said = { rule: limit as string, level, place: placeOf(result), text: resultText(result, report) };
    const parts = [payload, runtime, channel, limit, path ?? '', rule ?? ''];
    return { ...said, file, line, path: example ?? path, parts };
  }),
  ...(report.pending ?? []).map((one) => {
    const { payload: place, what, file } = one;
    const said = { rule: PENDING, level: 'note' as const, place, text: pendingText(one, report) };
    return { ...said, file, line: null, path: null, parts: [place, PENDING, what] };
  }),
];

const COMMANDS = { error: 'error', warning: 'warning', note: 'notice' } as const;

/** Annotations: one workflow command a line, then the summary. A runner shows the first ten of each kind. */
export const checkGithub: Reporter<CheckReport> = (report, { folder }) => {
  const failures = report.failures.map(({ payload, file, message }) =>
    command('error', { file: inFolder(file, folder) }, payload, message),
  );
  const findings = findingsOf(report).map(({ level, place, text, file, line }) =>
    command(COMMANDS[level], { file: inFolder(file, folder), line }, place, text),
  );
  return `${[...failures, ...findings, `clone-prof: ${data(summaryText(report))}`].join('\n')}\n`;
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

type CaseKind = 'passed' | 'failure' | 'error' | 'skipped';

/** A warning does not count as a failure; an unknown result does not count as passed. */
function kindOf(result: LimitResult): CaseKind {
  const severity = severityOf(result);
  if (severity === null) return 'passed';
  if (severity === 'warning') return 'skipped';
  return result.outcome === 'failed' || result.outcome === 'unmatched' ? 'failure' : 'error';
}

function element(kind: CaseKind, message: string, text: string): string {
  if (kind === 'passed') return '';
  // Jenkins shows the message of a skipped test, GitLab its text alone.
  return `<${kind}${attributes({ message, type: kind === 'skipped' ? null : kind })}>${xml(text)}</${kind}>`;
}

type Attributes = Parameters<typeof attributes>[0];

const testCase = (kind: CaseKind, named: Attributes, message: string, text = message) => ({
  kind,
  text: `    <testcase${attributes(named)}>${element(kind, message, text)}</testcase>`,
});

type Case = ReturnType<typeof testCase>;

function openTag(tag: string, name: string, cases: readonly Case[]): string {
  const of = (kind: CaseKind) => cases.filter((one) => one.kind === kind).length;
  const counts = { failures: of('failure'), errors: of('error'), skipped: of('skipped') };
  return `<${tag}${attributes({ name, tests: cases.length, ...counts })}>`;
}

export const checkJunit: Reporter<CheckReport> = (report, { folder }) => {
  const { results, failures, pending = [] } = report;
  const loads = failures.map(({ payload, file, message }) =>
    testCase('error', { classname: payload, name: 'load', file: inFolder(file, folder) }, message),
  );
  const suites = groupedBy(results, placeOf).map(([classname, own]): [string, Case[]] => [
    classname,
    own.map((result) => {
      const { limit, path, line } = result;
      const name = path === null ? limit : `${limit} ${path}`;
      const named = { classname, name, file: inFolder(result.file, folder), line };
      return testCase(kindOf(result), named, factText(result), resultText(result, report));
    }),
  ]);
  if (loads.length > 0) suites.unshift(['load', loads]);
  // They fail nothing, and readers do not show the output of tests that passed.
  const changes = pending.map((one) => {
    const named = {
      classname: one.payload,
      name: `${PENDING} ${one.what}`,
      file: inFolder(one.file, folder),
    };
    return testCase('skipped', named, pendingText(one, report));
  });
  if (changes.length > 0) suites.push([PENDING, changes]);
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

/** Limits that passed are not listed. */
export const checkSarif: Reporter<CheckReport> = (report, { folder }) =>
  sarifDocument({
    rules: [
      ...CHECKED.map((id) => ({ id, title: LIMIT_ROWS[id].words })),
      { id: PENDING, title: PENDING_WORDS },
    ],
    findings: findingsOf(report).map(({ place, text, ...finding }) => ({
      ...finding,
      text: `${place}: ${text}`,
    })),
    failures: report.failures.map(({ payload, file, message }) => ({ text: `${payload}: ${message}`, file })),
    ...{ fingerprint: 'limit/v1', folder },
  });

/**
 * A figure in the JSON format of github-action-benchmark and compatible services ("customSmallerIsBetter"), which they
 * store for each commit, and the parts of its name.
 */
interface Figure {
  of: Record<'payload' | 'runtime' | 'channel' | 'quantity', string>;
  shown: { unit: 'B' | 'ns'; value: number; range?: string; extra?: string };
}

export const reportBenchmark = ({ payloads }: Report): string =>
  namedFigures(payloads.flatMap(({ id, runs }) => runs.flatMap((run) => figuresOfRun(id, run))));

/** Figures of a check lack times: a check compares two round trips of one run, and stores neither. */
export const checkBenchmark = ({ compared = [] }: CheckReport): string =>
  namedFigures(
    compared.flatMap(({ payload, runtime, channel, now }): Figure[] => {
      if (now === null || now.bytes === null) return [];
      const shown = { unit: 'B', value: now.bytes, extra: `${now.class}, ${now.path}` } as const;
      return [{ of: { payload, runtime, channel, quantity: 'bytes' }, shown }];
    }),
  );

function figuresOfRun(payload: string, run: Run): Figure[] {
  const { channel, verdict, measurement } = run;
  const copied = copiedBytes(run);
  const place = { payload, channel, runtime: `${runtimeWord(run.runtime)}@${run.runtime.version}` };
  const extra = verdict ? { extra: `${verdict.class}, ${verdict.path}` } : {};
  const figures: Figure[] = [];
  if (copied !== null)
    figures.push({ of: { ...place, quantity: 'bytes' }, shown: { unit: 'B', value: copied, ...extra } });
  if (measurement && carries(measurement.roundTrip, 'size')) {
    const { median, ci } = measurement.roundTrip;
    const range = ci.map(Math.round).join(' to ');
    const shown = { unit: 'ns', value: Math.round(median), range, ...extra } as const;
    figures.push({ of: { ...place, quantity: 'round trip' }, shown });
  }
  return figures;
}

/** Names by major version, so a patch release continues the line, unless a run has several versions of it. */
function namedFigures(all: readonly Figure[]): string {
  const nameOf = ({ payload, channel, quantity }: Figure['of'], runtime: string) =>
    [payload, runtime, ...(channel === 'worker' ? [] : [channel]), quantity].join(' · ');
  const shortName = ({ of }: Figure) => nameOf(of, majorOf(of.runtime));
  const alike = new Map(groupedBy(all, shortName));
  return escapedJson(
    all.map((one) => {
      const name = shortName(one);
      const isOnly = alike.get(name)?.length === 1;
      return { name: isOnly ? name : nameOf(one.of, one.of.runtime), ...one.shown };
    }),
  );
}

/** "node@24" for "node@24.21.0" */
const majorOf = (runtime: string): string => /^[^@]*@\d+/.exec(runtime)?.[0] ?? runtime;
