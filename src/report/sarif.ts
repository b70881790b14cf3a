/** SARIF 2.1.0 (OASIS), the format of code scanning services and of viewers in editors. */

import { RULES } from '../engines/rule-book/rule-book.ts';
import type { ThrownPosts } from '../model/documents/recorded/recording.ts';
import type { PayloadReport, Report, Run } from '../model/documents/report.ts';
import type { CostClass, Level } from '../model/names.ts';
import type { RenderOptions, Reporter } from '../model/report/formats.ts';
import { fixOf, type Rule } from '../model/rules/rule.ts';
import { TRAFFIC_WORDS, type TrafficRule } from '../model/vocabulary/traffic.ts';
import { placeOfSite, thrownText } from '../record/sites/sites.ts';
import type { Node } from './doc.ts';
import { nodesOf } from './nodes.ts';
import { adviceNodes } from './print/advice.ts';
import { findingText, frameOf, totalText } from './print/recording.ts';
import { CLASS_TEXTS, foundText, runtimeName, runtimeNames, timesText } from './print/texts.ts';
import { escapedJson, visible } from './text/escape.ts';
import { groupedBy } from './text/groups.ts';
import { bytes, counted } from './text/numbers.ts';
import { plainText, type Sentence } from './words.ts';

/** What a CI system shows at a place. Columns are counted from 1. */
export interface Marked {
  /** Null: a payload that could not be loaded or measured, which is no result. */
  rule: string | null;
  level: 'error' | 'warning' | 'note';
  text: string;
  file: string | null;
  line?: number | null;
  column?: number | null;
  path?: string | null;
  /** They identify the finding in later runs, even if its line or numbers change. */
  parts: readonly string[];
}

/** Same address as in package.json. */
export const HOME_PAGE = 'https://github.com/OWNER/clone-prof#readme';

/** encodeURIComponent throws for lone surrogates. */
const wellFormed = (text: string) => text.replace(/\p{Cs}/gu, '\ufffd');

const encoded = (path: string) => wellFormed(path).split(/[/\\]/).map(encodeURIComponent).join('/');

/** Encodes the address of a page. Parts that are already encoded stay, and so do the brackets of a host like `[::1]`. */
function encodedAddress(address: string): string {
  const [host] = /^https?:\/\/\[[\da-f:.]+\]/i.exec(address) ?? [''];
  const path = wellFormed(address.slice(host.length));
  return host + path.replace(/(?!%[\da-f]{2})[^\w!$&'()*+,;=:@/?#~.-]/giu, encodeURIComponent);
}

/** Relative reference (RFC 3986) from the repository's root; an absolute address for pages and outer files. */
function artifactLocation(file: string) {
  if (/^https?:\/\//i.test(file)) return { uri: encodedAddress(file) };
  const drive = /^([a-z]:)[/\\]/i.exec(file)?.[1];
  if (drive !== undefined) return { uri: `file:///${drive}${encoded(file.slice(drive.length))}` };
  if (file.startsWith('/')) return { uri: `file://${encoded(file)}` };
  return { uri: encoded(file), uriBaseId: '%SRCROOT%' };
}

/** GitHub refuses a document in which a result has no place: the folder of the config stands for a missing file. */
function locationsOf({ file, line, column, path }: Marked, folder: RenderOptions['folder']) {
  const region = line != null && line > 0 && { startLine: line, ...(column ? { startColumn: column } : {}) };
  return [
    {
      physicalLocation: {
        artifactLocation: artifactLocation(file === null ? folder || '.' : inFolder(file, folder)),
        ...(region && { region }),
      },
      ...(path != null && { logicalLocations: [{ fullyQualifiedName: visible(path), kind: 'value' }] }),
    },
  ];
}

interface SarifRun {
  findings: readonly Marked[];
  /** The title is one sentence; the help has the meaning of the rule, and its remedy. */
  ruleOf: (id: string) => { title: string; help?: string };
  /** Name of the parts that identify a finding. */
  fingerprint: string;
  folder: RenderOptions['folder'];
}

export function sarifDocument({ findings, ruleOf, fingerprint, folder }: SarifRun): string {
  const ids = [...new Set(findings.flatMap(({ rule }) => rule ?? []))];
  const rules = ids.map((id) => {
    const { title, help } = ruleOf(id);
    return { id, name: id, shortDescription: { text: title }, ...(help && { help: { text: help } }) };
  });
  const driver = { name: 'clone-prof', informationUri: HOME_PAGE, rules };
  const said = (one: Marked) => ({
    level: one.level,
    message: { text: visible(one.text) },
    locations: locationsOf(one, folder),
  });
  const toolExecutionNotifications = findings.filter(({ rule }) => rule === null).map(said);
  const results = findings.flatMap((one) =>
    one.rule === null
      ? []
      : {
          ...{ ruleId: one.rule, ruleIndex: ids.indexOf(one.rule), ...said(one) },
          partialFingerprints: { [fingerprint]: visible(one.parts.join('\n')) },
        },
  );
  const run = {
    tool: { driver },
    invocations: [
      { executionSuccessful: toolExecutionNotifications.length === 0, toolExecutionNotifications },
    ],
    columnKind: 'utf16CodeUnits',
    results,
  };
  const $schema = 'https://json.schemastore.org/sarif-2.1.0.json';
  return escapedJson({ $schema, version: '2.1.0', runs: [run] });
}

// Marks of a report at the lines that post, or at the files of the payloads.

/** Id of a rule, "class/serialized", "traffic/chatty", "lost", "throws"; `path`: inside the payload. */
type Mark = Pick<Marked, 'level' | 'text'> & { rule: string; path: string | null };

/** Its parts stay the same when lines move: the file, the called function, sender and receiver. */
type Site = Pick<Marked, 'file' | 'line' | 'column' | 'parts'>;

/** Levels of classes. A payload of another class does not need any action. */
const CLASS_LEVELS: Partial<Record<CostClass, Mark['level']>> = {
  ...{ serialized: 'note', degraded: 'warning', rejected: 'error' },
};

const FINDING_LEVELS: Record<Level, Mark['level']> = {
  rejected: 'error',
  slow: 'warning',
  lossy: 'warning',
  note: 'note',
};

const findingsOf = ({ payloads, recordings = [] }: Report): Marked[] => [
  ...recordings.flatMap(({ thrown = [] }) =>
    thrown.flatMap((one) => {
      const site = siteOf(one);
      return site === null ? [] : findingAt(site, thrownMark(one));
    }),
  ),
  ...payloads.flatMap((payload) => {
    const { id, source, traffic, error, runs } = payload;
    const site = traffic ? siteOf(traffic) : null;
    const failures = [error, ...runs.map((run) => (run.status === 'failed' ? run.error : null))];
    return [
      ...failures.flatMap((one): Marked[] => {
        const text = `${id}: ${one?.message}`;
        return one === null ? [] : [{ rule: null, level: 'error', text, file: source.file, parts: [] }];
      }),
      ...payloadMarks(payload).map((mark) =>
        site
          ? findingAt(site, mark)
          : findingAt({ ...source, parts: [id] }, { ...mark, text: `${id}: ${mark.text}` }),
      ),
    ];
  }),
];

const findingAt = (site: Site, mark: Mark): Marked => ({
  ...{ ...site, ...mark, parts: [...site.parts, mark.rule, mark.path ?? ''] },
});

function siteOf({ site, api, from, to }: Pick<ThrownPosts, 'site' | 'api' | 'from' | 'to'>): Site | null {
  const frame = frameOf(site);
  return frame && { ...frame, parts: [frame.file, api, from, to ?? ''] };
}

const thrownMark = (one: ThrownPosts): Mark => ({
  ...{ rule: 'throws', level: 'error', path: one.refused?.path ?? null },
  text: `${thrownText(one).slice(placeOfSite(one).length + 2)}.`,
});

const payloadMarks = (payload: PayloadReport): Mark[] => [
  ...payload.runs.flatMap((run) => verdictMark(run, payload)),
  ...findingMarks(payload.runs),
  ...(payload.traffic?.lint ?? []).map((finding): Mark => {
    const level = FINDING_LEVELS[TRAFFIC_WORDS[finding.rule].level ?? 'slow'];
    return { rule: `traffic/${finding.rule}`, level, text: findingText(finding), path: null };
  }),
];

function verdictMark(run: Run, payload: PayloadReport): Mark[] {
  const { traffic } = payload;
  const { verdict, advice } = run;
  if (verdict === null) return [];
  const known = CLASS_LEVELS[verdict.class];
  const level = advice?.action === 'apply' && known !== 'error' ? 'warning' : known;
  if (level === undefined) return [];
  const size = traffic
    ? traffic.bytes && totalText(traffic.bytes)
    : run.bytes && `${bytes(run.bytes.copied)} copied`;
  const facts = [
    CLASS_TEXTS[verdict.class],
    [traffic && counted(traffic.count, 'message'), size].filter(Boolean).join(', '),
  ];
  const is = `${verdict.class} on ${runtimeName(run)}: ${facts.filter(Boolean).join('; ')}.`;
  const [first] = nodesOf(adviceNodes(payload, run)).flatMap(firstText);
  const text = first === undefined ? is : `${is} ${plainText(first).replace(/[.:]?$/, '.')}`;
  return [{ rule: `class/${verdict.class}`, level, text, path: null }];
}

const firstText = (node: Node): Sentence[] =>
  node.type === 'block' ? node.body.flatMap(firstText).slice(0, 1) : node.type === 'text' ? [node.text] : [];

/** The same finding on several runtimes is reported once. */
function findingMarks(runs: readonly Run[]): Mark[] {
  const found = runs.flatMap((run) => run.findings.map((finding) => ({ ...finding, run })));
  return groupedBy(found, ({ rule, path, what }) => [rule, path, what]).map(([, group]) => {
    const [first] = group;
    const { rule, level, path, count: seen, example } = first;
    const title = `${foundText(first)}${timesText(seen)}`;
    const on = runtimeNames(group.map(({ run }) => run));
    return { rule, level: FINDING_LEVELS[level], path: example, text: `${path}: ${title} (${on}).` };
  });
}

/** Meaning of a rule of marks, and its remedies where it fired. An id of a later version is shown unchanged. */
function markRule(id: string, { payloads }: Report): { title: string; help: string } {
  const [kind = '', name = ''] = id.split('/');
  if (id === 'throws') return THROWS;
  if (kind === 'class' && name in CLASS_TEXTS)
    return { title: `${name}: ${CLASS_TEXTS[name as CostClass]}`, help: `npx clone-prof explain ${name}` };
  const traffic = kind === 'traffic' && TRAFFIC_WORDS[name as TrafficRule];
  if (traffic) return { title: traffic.short, help: helpText(traffic, [traffic.fix]) };
  const row = RULES[id];
  if (row === undefined) return { title: id, help: id };
  const fired = payloads.flatMap(({ runs }) =>
    runs.filter((run) => run.findings.some((one) => one.rule === id)),
  );
  return {
    title: row.title,
    help: helpText(
      row,
      fired.map(({ channel, via }) => fixOf(row, channel, via?.library)),
    ),
  };
}

const helpText = ({ why, source }: Pick<Rule, 'why' | 'source'>, fixes: readonly (string | null)[]): string =>
  [why, ...new Set(fixes), `Source: ${source}.`].filter((text) => text !== null).join(' ');

const THROWS = {
  title: 'a post that throws',
  help: 'Nobody gets such a message. Remove the value at the path, or send what it stands for: a function or a Promise cannot be cloned.',
};

/** Errors, warnings and notes at the lines that post, or at the payload's file, unless it is fast already. */
export const sarifReport: Reporter<Report> = (report, { folder }) =>
  sarifDocument({
    findings: findingsOf(report),
    ruleOf: (id) => markRule(id, report),
    ...{ fingerprint: 'site/v1', folder },
  });

/** Prefixes relative paths. Absolute paths and addresses of pages are returned unchanged. */
export const inFolder = <File extends string | null>(file: File, folder = ''): File | string =>
  file === null || folder === '' || /^([a-z][\w+.-]*:|[/\\])/i.test(file)
    ? file
    : `${folder}/${file}`.replaceAll('\\', '/');
