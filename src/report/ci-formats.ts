/** Formats that CI systems read. */

import type { CheckReport, LimitResult, PendingChange } from '../model/documents/check.ts';
import type { Report, Run } from '../model/documents/report.ts';
import { type Checked, LIMIT_ROWS } from '../model/gate/limits.ts';
import { runtimeWord } from '../model/names.ts';
import type { Reporter } from '../model/report/formats.ts';
import { carries } from '../stats/evidence.ts';
import { factText, pendingText, placeOf, resultText, severityOf, summaryText } from './print/limits.ts';
import { inFolder, type Marked, sarifDocument } from './sarif.ts';
import { escapedJson, reference, visible } from './text/escape.ts';
import { groupedBy } from './text/groups.ts';

/** Escaped like the message of a workflow command in @actions/core. */
const data = (text: string) =>
  visible(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

const property = (text: string) => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

const PENDING = 'pending';
const PENDING_WORDS =
  'A setting of the config that the other side has stricter, which holds until it has this one.';

interface Entry extends Omit<Marked, 'level'> {
  /** Null: it passed. */
  level: Marked['level'] | null;
  /** An error that is not broken could not be decided. */
  isBroken: boolean;
  /** Group and name of a JUnit test case, and its text without place and advice. */
  suite: string;
  name: string;
  fact: string;
  place: string;
}

const entriesOf = (report: CheckReport): Entry[] => [
  ...report.failures.map(loadEntry),
  ...report.results.map((result) => resultEntry(result, report)),
  ...(report.pending ?? []).map((change) => pendingEntry(change, report)),
];

const loadEntry = ({ payload, file, message }: CheckReport['failures'][number]): Entry => ({
  suite: 'load',
  name: 'load',
  place: payload,
  rule: null,
  level: 'error',
  isBroken: false,
  text: message,
  fact: message,
  file,
  parts: [],
});

function resultEntry(result: LimitResult, report: CheckReport): Entry {
  const { limit, outcome, file, line, path, example, payload, runtime, channel, rule } = result;
  const place = placeOf(result);
  return {
    suite: place,
    name: path === null ? limit : `${limit} ${path}`,
    place,
    rule: limit,
    level: severityOf(result),
    isBroken: outcome === 'failed' || outcome === 'unmatched',
    text: resultText(result, report),
    fact: factText(result),
    file,
    line,
    path: example ?? path,
    parts: [payload, runtime, channel, limit, path ?? '', rule ?? ''],
  };
}

function pendingEntry(change: PendingChange, report: CheckReport): Entry {
  const { payload, what, file } = change;
  const text = pendingText(change, report);
  return {
    suite: PENDING,
    name: `${PENDING} ${what}`,
    place: payload,
    rule: PENDING,
    level: 'note',
    isBroken: false,
    text,
    fact: text,
    file,
    parts: [payload, PENDING, what],
  };
}

const COMMANDS = { error: 'error', warning: 'warning', note: 'notice' } as const;

/** What did not pass: errors, then warnings, then notes. */
function shownOf(report: CheckReport) {
  const entries = entriesOf(report);
  return (['error', 'warning', 'note'] as const).flatMap((level) =>
    entries.filter((one) => one.level === level).map((one) => ({ ...one, level })),
  );
}

/** Annotations: one workflow command a line, then the summary. A runner shows the first ten of each kind. */
export const checkGithub: Reporter<CheckReport> = (report, { folder }) => {
  const lines = shownOf(report).map(({ level, place, text, file, line }) => {
    const at = file && `file=${property(inFolder(file, folder))},${line == null ? '' : `line=${line},`}`;
    return `::${COMMANDS[level]} ${at ?? ''}title=${property(`clone-prof: ${place}`)}::${data(text)}`;
  });
  return `${[...lines, `clone-prof: ${data(summaryText(report))}`].join('\n')}\n`;
};

/** XML 1.0 excludes U+FFFE and U+FFFF; `visible` escapes the other excluded characters. */
const xml = (text: string) =>
  visible(text)
    .replace(/[\ufffe\uffff]/g, '\ufffd')
    .replace(/[&<>"']/g, reference);

const attributes = (of: Record<string, string | number | null | undefined>) =>
  Object.entries(of)
    .filter(([, value]) => value != null)
    .map(([name, value]) => ` ${name}="${xml(String(value))}"`)
    .join('');

/** A warning does not count as a failure; an unknown result does not count as passed. */
function kindOf({ level, isBroken }: Entry): 'passed' | 'failure' | 'error' | 'skipped' {
  if (level === 'error') return isBroken ? 'failure' : 'error';
  return level === null ? 'passed' : 'skipped';
}

function openTag(tag: string, name: string, entries: readonly Entry[]): string {
  const of = (kind: ReturnType<typeof kindOf>) => entries.filter((one) => kindOf(one) === kind).length;
  const counts = { failures: of('failure'), errors: of('error'), skipped: of('skipped') };
  return `<${tag}${attributes({ name, tests: entries.length, ...counts })}>`;
}

/** Pending changes are skipped tests: they fail nothing, and readers do not show the output of tests that passed. */
export const checkJunit: Reporter<CheckReport> = (report, { folder }) => {
  const testCase = (one: Entry) => {
    const { place: classname, name, file, line, fact: message, text } = one;
    const named = attributes({ classname, name, file: inFolder(file, folder), line });
    const kind = kindOf(one);
    // Jenkins shows the message of a skipped test, GitLab its text alone.
    const said = attributes({ message, type: kind === 'skipped' ? null : kind });
    const inner = kind === 'passed' ? '' : `<${kind}${said}>${xml(text)}</${kind}>`;
    return `    <testcase${named}>${inner}</testcase>`;
  };
  const all = entriesOf(report);
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    openTag('testsuites', 'clone-prof', all),
    ...groupedBy(all, ({ suite }) => suite).flatMap(([name, entries]) => [
      `  ${openTag('testsuite', name, entries)}`,
      ...entries.map(testCase),
      '  </testsuite>',
    ]),
    '</testsuites>',
  ];
  return `${lines.join('\n')}\n`;
};

export const checkSarif: Reporter<CheckReport> = (report, { folder }) =>
  sarifDocument({
    findings: shownOf(report).map((one) => ({ ...one, text: `${one.place}: ${one.text}` })),
    ruleOf: (id) => ({ title: id === PENDING ? PENDING_WORDS : LIMIT_ROWS[id as Checked].words }),
    ...{ fingerprint: 'limit/v1', folder },
  });

/** The name of a figure, and its entry in "customSmallerIsBetter", the JSON format of github-action-benchmark. */
interface Figure extends Record<'payload' | 'runtime' | 'channel' | 'quantity', string> {
  unit: 'B' | 'ns';
  value: number;
  range?: string;
  extra?: string;
}

export const reportBenchmark = ({ payloads }: Report): string =>
  namedFigures(payloads.flatMap(({ id, runs }) => runs.flatMap((run) => figuresOfRun(id, run))));

/** Figures of a check lack times: a check compares two round trips of one run, and stores neither. */
export const checkBenchmark = ({ compared = [] }: CheckReport): string =>
  namedFigures(
    compared.flatMap(({ payload, runtime, channel, now }): Figure[] => {
      if (now === null || now.bytes === null) return [];
      const extra = `${now.class}, ${now.path}`;
      return [{ payload, runtime, channel, quantity: 'bytes', unit: 'B', value: now.bytes, extra }];
    }),
  );

function figuresOfRun(payload: string, run: Run): Figure[] {
  const { channel, verdict, measurement } = run;
  const copied = run.bytes?.copied ?? null;
  const runtime = `${runtimeWord(run.runtime)}@${run.runtime.version}`;
  const of = { payload, channel, runtime, ...(verdict && { extra: `${verdict.class}, ${verdict.path}` }) };
  const figures: Figure[] = [];
  if (copied !== null) figures.push({ ...of, quantity: 'bytes', unit: 'B', value: copied });
  if (measurement && carries(measurement.roundTrip, 'size')) {
    const { median, ci } = measurement.roundTrip;
    const range = ci.map(Math.round).join(' to ');
    figures.push({ ...of, quantity: 'round trip', unit: 'ns', value: Math.round(median), range });
  }
  return figures;
}

/** Names by major version, so a patch release continues the line, unless a run has several versions of it. */
function namedFigures(all: readonly Figure[]): string {
  const nameOf = ({ payload, channel, quantity }: Figure, runtime: string) =>
    [payload, runtime, ...(channel === 'worker' ? [] : [channel]), quantity].join(' · ');
  const shortName = (one: Figure) => nameOf(one, /^[^@]*@\d+/.exec(one.runtime)?.[0] ?? one.runtime);
  return escapedJson(
    groupedBy(all, shortName).flatMap(([short, alike]) =>
      alike.map((one) => {
        const name = alike.length === 1 ? short : nameOf(one, one.runtime);
        return { name, unit: one.unit, value: one.value, range: one.range, extra: one.extra };
      }),
    ),
  );
}
