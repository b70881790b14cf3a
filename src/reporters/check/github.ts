import type { CheckReport, LimitResult } from '../../model/documents/check.ts';
import type { RenderOptions } from '../../model/report/render-options.ts';
import type { Wording } from '../../model/report/wording.ts';
import { visible } from '../text/escape.ts';
import { placeOf, problemsOf, type Severity, sentence, severityOf, summaryText } from './texts.ts';

/** Escaped like the message of a workflow command in @actions/core. */
const data = (text: string) =>
  visible(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

const property = (text: string) => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

type SourceLine = Pick<LimitResult, 'file' | 'line'>;

function command(severity: Severity, { file, line }: SourceLine, title: string, text: string): string {
  const properties = [
    ...(file === null ? [] : [`file=${property(file)}`]),
    ...(file === null || line === null ? [] : [`line=${line}`]),
    `title=${property(`clone-prof: ${title}`)}`,
  ];
  return `::${severity} ${properties.join(',')}::${data(text)}`;
}

/** Annotations: one workflow command a line, then the summary. A runner shows the first ten of each kind. */
export function checkGithub(report: CheckReport, _options: RenderOptions, words: Wording): string {
  const failures = report.failures.map(({ payload, file, message }) =>
    command('error', { file, line: null }, payload, message),
  );
  const problems = problemsOf(report.results).map((result) =>
    command(severityOf(result) ?? 'warning', result, placeOf(result), sentence(result, words)),
  );
  return `${[...failures, ...problems, `clone-prof: ${data(summaryText(report))}`].join('\n')}\n`;
}
