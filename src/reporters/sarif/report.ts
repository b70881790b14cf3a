import { placeOfSite, thrownText } from '../../core/recording/sites/site-names.ts';
import type { ThrownPosts } from '../../model/documents/recorded/recording.ts';
import type { PayloadReport, Report, Run } from '../../model/documents/report.ts';
import type { CostClass, Level } from '../../model/names.ts';
import type { Reporter } from '../../model/report/render-options.ts';
import type { Wording } from '../../model/report/wording.ts';
import type { Node } from '../doc.ts';
import { frameOf } from '../print/places.ts';
import { adviceNodes } from '../print/to-do.ts';
import { findingText, totalText } from '../print/traffic.ts';
import { causeTitle } from '../print/verdict.ts';
import { runtimeName, runtimeNames } from '../section/model/run-groups.ts';
import { plainText, type Sentence } from '../section/model/sentence.ts';
import { CLASS_TEXTS, LEVEL_TEXTS } from '../section/model/texts.ts';
import { groupedBy } from '../text/grouped.ts';
import { bytes, count, counted } from '../text/numbers.ts';
import { sarifDocument } from './document.ts';

type MarkLevel = 'error' | 'warning' | 'note';

interface Mark {
  place: { file: string; line: number | null; column: number | null };
  /** Id of a rule, "class/serialized", "traffic/chatty", "lost", "throws". */
  rule: string;
  level: MarkLevel;
  text: string;
  /** Path inside the payload. */
  path: string | null;
  /** Parts that stay the same when lines move: the file, the called function, sender and receiver. */
  site: readonly string[];
}

/** Levels of classes. Null: such a payload does not need any action. */
const CLASS_LEVELS = {
  ...{ shared: null, moved: null, 'in-memory': null, bulk: null },
  ...{ serialized: 'note', degraded: 'warning', rejected: 'error' },
} as const satisfies Record<CostClass, MarkLevel | null>;

const LEVELS_OF = {
  ...{ rejected: 'error', slow: 'warning', lossy: 'warning', note: 'note' },
} as const satisfies Record<Level, MarkLevel>;

/** Marks in the order of the report. The verdict comes first at each place. */
const marksOf = ({ payloads, recordings = [] }: Report, words: Wording): Mark[] => [
  ...recordings.flatMap(({ thrown = [] }) => thrown.flatMap(thrownMark)),
  ...payloads.flatMap((payload) => payloadMarks(payload, words)),
];

function thrownMark(one: ThrownPosts): Mark[] {
  const common = posted(one);
  const text = `${thrownText(one).slice(placeOfSite(one).length + 2)}.`;
  return common ? [{ ...common, rule: 'throws', level: 'error', text, path: one.refused?.path ?? null }] : [];
}

/** Null if neither a line of the program nor a line of a library is known. */
function posted({ site, api, from, to }: Pick<ThrownPosts, 'site' | 'api' | 'from' | 'to'>) {
  const frame = frameOf(site);
  if (frame === null) return null;
  const { file, line, column } = frame;
  return { place: { file, line, column }, site: [file, api, from, to ?? ''] };
}

function payloadMarks(payload: PayloadReport, words: Wording): Mark[] {
  const { id, source, traffic, runs } = payload;
  const { file, line = null } = source;
  const site = (traffic && posted(traffic)) ?? null;
  const common = site ?? { place: { file, line, column: null }, site: [id] };
  const marks = [
    ...runs.flatMap((run) => verdictMark(run, payload, words)),
    ...findingMarks(runs, words),
    ...(traffic?.lint ?? []).map((finding): Said => {
      const row = words.traffic[finding.rule];
      const level = LEVELS_OF[row?.level ?? 'note'];
      return { rule: `traffic/${finding.rule}`, level, text: findingText(finding, row?.title), path: null };
    }),
  ];
  return marks.map((mark) => ({ ...common, ...mark, text: site ? mark.text : `${id}: ${mark.text}` }));
}

type Said = Pick<Mark, 'rule' | 'level' | 'text' | 'path'>;

/** "serialized on node 24.21.0: written out and read back, value by value; 1,200 messages, ~48.2 MB. Apply columns, 2.3x faster." */
function verdictMark(run: Run, payload: PayloadReport, words: Wording): Said[] {
  const { traffic } = payload;
  const { verdict, advice } = run;
  if (verdict === null) return [];
  const known = CLASS_LEVELS[verdict.class];
  const level = advice?.action === 'apply' && known !== 'error' ? 'warning' : known;
  if (level === null) return [];
  const size = traffic
    ? traffic.bytes && totalText(traffic.bytes)
    : run.bytes && `${bytes(run.bytes.copied)} copied`;
  const facts = [
    CLASS_TEXTS[verdict.class],
    [traffic && counted(traffic.count, 'message'), size].filter(Boolean).join(', '),
  ];
  const is = `${verdict.class} on ${runtimeName(run)}: ${facts.filter(Boolean).join('; ')}.`;
  const [first] = adviceNodes(payload, run, words).flatMap(firstText);
  return [
    {
      rule: `class/${verdict.class}`,
      level,
      text: first === undefined ? is : `${is} ${plainText(first).replace(/[.:]?$/, '.')}`,
      path: null,
    },
  ];
}

const firstText = (node: Node): Sentence[] =>
  node.type === 'block' ? node.body.flatMap(firstText).slice(0, 1) : node.type === 'text' ? [node.text] : [];

/** Marks of findings. The same finding on several runtimes is reported once. */
function findingMarks(runs: readonly Run[], words: Wording): Said[] {
  const found = runs.flatMap((run) => run.findings.map((finding) => ({ ...finding, run })));
  return [...groupedBy(found, ({ rule, path, what }) => JSON.stringify([rule, path, what]))].map(
    ([, group]) => {
      const [{ rule, level, path, what, count: seen, example }] = group as [(typeof found)[number]];
      const title = causeTitle(rule, what, words);
      const times = seen > 1 ? ` ${count(seen)}×` : '';
      const on = runtimeNames(group.map(({ run }) => run));
      return {
        ...{ rule, level: LEVELS_OF[level], path: example },
        text: `${path}: ${LEVEL_TEXTS[level]}${title}${times} (${on}).`,
      };
    },
  );
}

/** Meaning of a rule of marks, and its remedy. An id of a later version is shown unchanged. */
function markRule(id: string, words: Wording): { title: string; help: string } {
  const [kind = '', name = ''] = id.split('/');
  if (kind === 'class' && name in CLASS_TEXTS)
    return { title: `${name}: ${CLASS_TEXTS[name as CostClass]}`, help: `clone-prof explain ${name}` };
  const row = kind === 'traffic' ? words.traffic[name as keyof Wording['traffic']] : words.rules[id];
  if (row === undefined) return OWN_RULES[id] ?? { title: id, help: id };
  const help = [row.why, row.fix, `Source: ${row.source}.`].filter((text) => text != null).join(' ');
  return { title: kind === 'traffic' ? (row as { short: string }).short : row.title, help };
}

const OWN_RULES: Readonly<Record<string, { title: string; help: string }>> = {
  throws: {
    title: 'a post that throws',
    help: 'Nobody gets such a message. Remove the value at the path, or send what it stands for: a function or a Promise cannot be cloned.',
  },
};

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
