import type { CheckFailure, CheckReport, LimitResult } from '../../model/documents/check.ts';
import { CHECKED } from '../../model/gate/check.ts';
import type { RenderOptions } from '../../model/report/render-options.ts';
import type { Wording } from '../../model/report/wording.ts';
import { visible, visibleJson } from '../text/escape.ts';
import { LIMIT_WORDS, placeOf, problemsOf, sentence, severityOf } from './texts.ts';

const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json';

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

const notificationOf = ({ payload, file, message }: CheckFailure) => ({
  level: 'error',
  message: { text: visible(`${payload}: ${message}`) },
  locations: locationsOf(file, null, null),
});

/** SARIF 2.1.0 (OASIS): errors and warnings; limits that passed are not listed. */
export function checkSarif(report: CheckReport, _options: RenderOptions, words: Wording): string {
  const rules = CHECKED.map((id) => ({ id, name: id, shortDescription: { text: LIMIT_WORDS[id] } }));
  const run = {
    tool: { driver: { name: 'clone-prof', rules } },
    invocations: [
      {
        executionSuccessful: report.failures.length === 0,
        toolExecutionNotifications: report.failures.map(notificationOf),
      },
    ],
    columnKind: 'utf16CodeUnits',
    results: problemsOf(report.results).map((result) => sarifResult(result, words)),
  };
  return `${visibleJson(JSON.stringify({ $schema: SCHEMA, version: '2.1.0', runs: [run] }, null, 2))}\n`;
}
