/** What a document says, by the source files that it names. Untrusted: each is checked against its schema. */
import { CHECK_SCHEMA, RECORDING_SCHEMA } from '../model/document-ids.ts';
import type { CheckReport } from '../model/documents/check.ts';
import type { RecordedMessages, ThrownPosts } from '../model/documents/recorded/recording.ts';
import type { Report } from '../model/documents/report.ts';
import { POSTING_APIS } from '../model/recording/recording.ts';
import { problemsOf, sentence, severityOf } from '../reporters/check/texts.ts';
import { type Mark, marksOf } from '../reporters/section/marks.ts';
import { frameOf } from '../reporters/section/recording/places.ts';
import { groupedBy } from '../reporters/text/grouped.ts';
import { reportWords } from '../rule-book/wording.ts';
import { parseDocument } from '../store/document.ts';
import { CHECK, REPORT } from '../store/documents.ts';
import { parseRecording } from '../store/recording-file.ts';
import { unmeasured } from './unmeasured.ts';

/** Made when a file is looked at: a recording may have thousands of sites. */
export type MarksByFile = ReadonlyMap<string, () => Mark[]>;

const RECORDING_START = new RegExp(
  `^\\ufeff?\\s*\\{\\s*"schema"\\s*:\\s*"${RECORDING_SCHEMA.replace(/\d+$/, '')}`,
);

/**
 * @param shown what the user calls it
 * @param headOf the first lines of a payload's file
 * @throws ToolError 'document-bad'
 */
export function marksIn(text: string, shown: string, headOf: (file: string) => string): MarksByFile {
  if (RECORDING_START.test(text)) return recordingMarks(text, shown);
  const document = parseDocument<Report | CheckReport>(text, shown, REPORT, CHECK);
  const marks =
    document.schema === CHECK_SCHEMA ? checkMarks(document, headOf) : marksOf(document, reportWords());
  const groups = groupedBy(marks, ({ place }) => place.file);
  return new Map([...groups].map(([file, own]) => [file, () => own]));
}

const fileOf = ({ site }: RecordedMessages | ThrownPosts): string => frameOf(site)?.file ?? '';

function recordingMarks(text: string, shown: string): MarksByFile {
  const { header, messages } = parseRecording(text, shown);
  const groups = groupedBy([...(header.thrown ?? []), ...messages], fileOf);
  return new Map(
    [...groups].map(([file, own]) => {
      const thrown = own.filter((one) => 'posts' in one);
      const payloads = () => own.flatMap((one) => ('posts' in one ? [] : unmeasured(one, header, shown)));
      const recording = { ...header, thrown } as NonNullable<Report['recordings']>[number];
      let marks: Mark[] | undefined;
      return [
        file,
        () => (marks ??= marksOf({ recordings: [recording], payloads: payloads() }, reportWords())),
      ];
    }),
  );
}

/** As `clone-prof baseline app.cprof` writes it into the payload of each site. */
const POSTED_BY = /^\/\/ Posted by (.+):(\d+) with ([\w.]+): /m;

/** Limits of recorded sites at the line that posts, all others at their payload's file. */
function checkMarks({ results }: CheckReport, headOf: (file: string) => string): Mark[] {
  return problemsOf(results).flatMap((result): Mark[] => {
    const { payload, file, line, limit, path } = result;
    if (file === null) return [];
    const [, site, at, name] = POSTED_BY.exec(headOf(file)) ?? [];
    const api = POSTING_APIS.find((one) => one === name);
    return [
      {
        place: {
          file: site ?? file,
          line: site === undefined ? line : Number(at),
          column: null,
          lineHash: null,
        },
        ...{ rule: `limit/${limit}`, level: severityOf(result) ?? 'note', path, site: [payload] },
        text: `${payload}: ${sentence(result, reportWords())}`,
        post: site === undefined || api === undefined ? null : { api, isDirect: false },
      },
    ];
  });
}
