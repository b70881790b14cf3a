/** SARIF 2.1.0 (OASIS), the format of code scanning services and of viewers in editors. */
import { visible } from '../text/escape.ts';
import { escapedJson } from '../text/json.ts';

export type SarifLevel = 'error' | 'warning' | 'note' | 'none';

/** Location of a finding. `path` is the place inside the value. */
export interface SarifPlace {
  file: string | null;
  line?: number | null;
  /** Column, counted from 1. */
  column?: number | null;
  path?: string | null;
}

export interface SarifRule {
  id: string;
  /** One sentence. */
  title: string;
  /** Meaning of the rule, and its remedy. */
  help?: string;
}

export interface SarifFinding {
  rule: string;
  level: SarifLevel;
  text: string;
  place: SarifPlace;
  /** Identifies the finding in later runs, even if its line or numbers change. */
  fingerprint: readonly [name: string, parts: readonly string[]];
}

/** Same address as in package.json. */
export const HOME_PAGE = 'https://github.com/OWNER/clone-prof#readme';

const encoded = (path: string) =>
  path
    .replace(/\p{Cs}/gu, '\ufffd')
    .split(/[/\\]/)
    .map(encodeURIComponent)
    .join('/');

/** Encodes the address of a page. Parts that are already encoded stay. */
const encodedAddress = (address: string) =>
  address
    .replace(/\p{Cs}/gu, '\ufffd')
    .replace(/(?!%[\da-f]{2})[^\w!$&'()*+,;=:@/?~.-]/giu, encodeURIComponent);

/** Relative reference (RFC 3986) from the repository's root; an absolute address for pages and outer files. */
function artifactLocation(file: string) {
  if (/^https?:\/\//i.test(file)) return { uri: encodedAddress(file) };
  const drive = /^([a-z]:)[/\\]/i.exec(file)?.[1];
  if (drive !== undefined) return { uri: `file:///${drive}${encoded(file.slice(drive.length))}` };
  if (file.startsWith('/')) return { uri: `file://${encoded(file)}` };
  return { uri: encoded(file), uriBaseId: '%SRCROOT%' };
}

function locationsOf({ file, line, column, path }: SarifPlace) {
  if (file === null) return [];
  const region = line != null && line > 0 && { startLine: line, ...(column ? { startColumn: column } : {}) };
  return [
    {
      physicalLocation: { artifactLocation: artifactLocation(file), ...(region && { region }) },
      ...(path != null && { logicalLocations: [{ fullyQualifiedName: visible(path), kind: 'value' }] }),
    },
  ];
}

interface SarifRun {
  rules: readonly SarifRule[];
  findings: readonly SarifFinding[];
  /** Errors of inputs and runs that could not be examined. */
  failures: readonly { text: string; file: string | null }[];
}

export function sarifDocument({ rules, findings, failures }: SarifRun): string {
  const indices = new Map(rules.map(({ id }, index) => [id, index]));
  const driver = {
    name: 'clone-prof',
    informationUri: HOME_PAGE,
    rules: rules.map(({ id, title, help }) => ({
      ...{ id, name: id, shortDescription: { text: title } },
      ...(help !== undefined && { help: { text: help } }),
    })),
  };
  const toolExecutionNotifications = failures.map(({ text, file }) => ({
    level: 'error',
    message: { text: visible(text) },
    locations: locationsOf({ file }),
  }));
  const results = findings.map(({ rule, level, text, place, fingerprint: [name, parts] }) => ({
    ruleId: rule,
    ruleIndex: indices.get(rule),
    level,
    message: { text: visible(text) },
    locations: locationsOf(place),
    partialFingerprints: { [name]: visible(parts.join('\n')) },
  }));
  const run = {
    tool: { driver },
    invocations: [{ executionSuccessful: failures.length === 0, toolExecutionNotifications }],
    columnKind: 'utf16CodeUnits',
    results,
  };
  const $schema = 'https://json.schemastore.org/sarif-2.1.0.json';
  return escapedJson({ $schema, version: '2.1.0', runs: [run] });
}
