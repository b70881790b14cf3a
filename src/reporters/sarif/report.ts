import type { Report } from '../../model/documents/report.ts';
import type { Reporter } from '../../model/report/render-options.ts';
import { sarifDocument } from './document.ts';
import { markRule, marksOf } from './marks.ts';

/** Errors, warnings and notes at the lines that post, or at the payload's file, unless it is fast already. */
export const sarifReport: Reporter<Report> = (report, { folder = '' }, words) => {
  const marks = marksOf(report, words);
  const failures = report.payloads.flatMap(({ id, source: { file }, error, runs }) =>
    [error, ...runs.map((run) => (run.status === 'failed' ? run.error : null))].flatMap((one) =>
      one === null ? [] : [{ text: `${id}: ${one.message}`, file: inFolder(file, folder) }],
    ),
  );
  return sarifDocument({
    rules: [...new Set(marks.map(({ rule }) => rule))].map((id) => ({ id, ...markRule(id, words) })),
    findings: marks.map(({ rule, level, text, place, path, site }) => ({
      ...{ rule, level, text, place: { ...place, path, file: inFolder(place.file, folder) } },
      fingerprint: ['site/v1', [...site, rule, path ?? '']],
    })),
    failures,
  });
};

/** Prefixes relative paths. Absolute paths and addresses of pages are returned unchanged. */
const inFolder = (file: string, folder: string): string =>
  folder === '' || /^([a-z][\w+.-]*:|[/\\])/i.test(file) ? file : `${folder}/${file}`.replaceAll('\\', '/');
