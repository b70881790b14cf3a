import type { CheckReport, LimitResult } from '../../model/check.ts';
import type { RenderOptions } from '../../model/render-options.ts';
import type { Wording } from '../../model/wording.ts';
import { visible } from '../escape.ts';
import { placeOf, problemsOf, sentence, severityOf, sumWords } from './words.ts';

/** As @actions/core escapes the message of a workflow command. */
const data = (text: string) =>
  visible(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

const property = (text: string) => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

interface Note {
  file: string | null;
  line: number | null;
  title: string;
  text: string;
}

function command(severity: 'error' | 'warning', { file, line, title, text }: Note): string {
  const properties = [
    ...(file === null ? [] : [`file=${property(file)}`]),
    ...(file === null || line === null ? [] : [`line=${line}`]),
    `title=${property(title)}`,
  ];
  return `::${severity} ${properties.join(',')}::${data(text)}`;
}

const noteOf = (result: LimitResult, words: Wording): Note => ({
  file: result.file,
  line: result.line,
  title: `clone-prof: ${placeOf(result)}`,
  text: sentence(result, words),
});

/** Annotations: one workflow command a line, and the sum. A runner shows the first ten of each kind: worst first. */
export function checkGithub(report: CheckReport, _look: RenderOptions, words: Wording): string {
  const failures = report.failures.map(({ payload, file, message }) =>
    command('error', { file, line: null, title: `clone-prof: ${payload}`, text: message }),
  );
  const problems = problemsOf(report.results).map((result) =>
    command(severityOf(result) ?? 'warning', noteOf(result, words)),
  );
  return `${[...failures, ...problems, `clone-prof: ${data(sumWords(report))}`].join('\n')}\n`;
}
