/** Everything behind the answer for one payload, in folds. */
import type { PayloadReport, Run } from '../../model/documents/report.ts';
import type { Wording } from '../../model/report/wording.ts';
import { fold, item, type Node, text } from '../doc.ts';
import { largestParts } from '../section/model/largest-parts.ts';
import { runtimeNames, sectionGroups } from '../section/model/run-groups.ts';
import { code, type Sentence, sentence } from '../section/model/sentence.ts';
import { groupedBy } from '../text/grouped.ts';
import { bytes, count, counted } from '../text/numbers.ts';
import { fastestFirst, gainChart } from './answer-rows.ts';
import { askedFolds } from './asked.ts';
import { conditionItems } from './conditions.ts';
import { payloadIcicle } from './icicle.ts';
import { rewriteFolds } from './rewrites.ts';
import { memoryNodes, timeNodes } from './times.ts';
import {
  alarmSentence,
  blockerItems,
  findingItems,
  statusText,
  unknownItems,
  upgradeItems,
  verdictItems,
} from './verdict.ts';

/** @param answer nodes of the answer, whose code is not repeated */
export function detailNodes(payload: PayloadReport, words: Wording, answer: readonly Node[]): Node[] {
  const { id } = payload;
  const runs = fastestFirst(payload.runs);
  const icicle = payloadIcicle(runs, words);
  // For a single run, the answer already shows the times.
  const isCompared = runs.length > 1 && runs.some(({ measurement }) => measurement !== null);
  const gain = isCompared ? gainChart(payload) : null;
  return [
    ...(icicle === null ? [] : [{ type: 'chart', chart: icicle } as const]),
    ...fold(id, ['all that was found'], foundNodes(payload, runs, words)),
    ...fold(
      id,
      ['times'],
      [...(gain === null ? [] : [{ type: 'chart', chart: gain } as const]), ...timeNodes(runs)],
    ),
    ...rewriteFolds(id, runs, words),
    ...fold(id, ['memory'], memoryNodes(runs, words)),
    ...askedFolds(id, runs),
    ...codeFolds(id, runs, answer),
  ];
}

/** Verdicts and findings of the engines. Runs with equal results share a heading. */
function foundNodes(payload: PayloadReport, runs: readonly Run[], words: Wording): Node[] {
  const source: Sentence = [...sourceSentence(payload), ...sizeFacts(payload).map((fact) => ` · ${fact}`)];
  return [
    text(source, { tone: 'muted' }),
    ...envelopeSentences(payload).map((one) => text(one)),
    ...sectionGroups(runs).flatMap((group) => {
      const [run] = group as [Run];
      const alarm = alarmSentence(run);
      return [
        {
          type: 'heading',
          level: 3,
          text: [statusText(run), ' · ', runtimeNames(group)],
          facts: runFacts(group),
        },
        ...(alarm === null ? [] : [{ type: 'alert', tone: 'bad', text: alarm } as const]),
        {
          type: 'block',
          body: [
            ...verdictItems(run, words),
            ...blockerItems(run, words),
            ...bytesItems(run),
            ...upgradeItems(run),
            ...findingItems(run, words),
            ...unknownItems(run),
            ...conditionItems(group, words),
          ],
        },
      ] satisfies Node[];
    }),
  ];
}

function sourceSentence({ source: { file, export: name, line } }: PayloadReport): Sentence {
  const place = line === undefined ? '' : `, line ${count(line)}`;
  return sentence`${code(file)}${name === null ? '' : [', export ', code(name)]}${place}`;
}

/** The section has paths into two values, the message and the payload. */
function envelopeSentences({ runs }: PayloadReport): Sentence[] {
  const via = runs.find((run) => run.via !== undefined)?.via;
  if (via === undefined) return [];
  const message = sentence`Verdict and findings are about the message that ${via.library} posts: the payload is ${code(via.path)} in it.`;
  const isRewritten = runs.some(({ trials, byPath }) => trials.length > 0 || byPath !== undefined);
  return [isRewritten ? sentence`${message} Rewrites and branches are about the payload alone.` : message];
}

function sizeFacts({ runs, stands = 1 }: PayloadReport): string[] {
  const shape = runs.find((run) => run.shape !== null)?.shape;
  return [
    ...(shape ? [counted(shape.nodes, 'value')] : []),
    ...(shape?.depth ? [`${counted(shape.depth, 'level')} deep`] : []),
    ...(shape?.jsonBytes == null ? [] : [`${bytes(shape.jsonBytes)} as JSON`]),
    ...(shape?.truncated.items ? ['too large to examine every part'] : []),
    ...(stands > 1 ? [`stands for ${count(stands)} messages`] : []),
  ];
}

/** The channel, and the fate of the bytes if all runs of the group agree on it. */
function runFacts(runs: readonly Run[]): string[] {
  const [fate, ...others] = new Set(runs.map(bytesText));
  return [(runs[0] as Run).channel, ...(fate && others.length === 0 ? [fate] : [])];
}

export function bytesText({ bytes: of }: Run): string | null {
  if (of === undefined) return null;
  const copied = `${of.by === 'shape' ? 'about ' : ''}${bytes(of.copied)} copied`;
  const rest = (['moved', 'shared'] as const).filter((fate) => of[fate] > 0);
  return [copied, ...rest.map((fate) => `${bytes(of[fate])} ${fate}`)].join(', ');
}

/** Shows shares only: engines write the same value in different sizes, and a shape lacks the length of all keys. */
export function bytesItems(run: Run): Node[] {
  const largest = largestParts(run);
  if (largest === null) return [];
  const { parts, paths } = largest;
  const shown = parts.map(({ name, share }, at): Sentence => {
    return [at === 0 ? '' : ', ', ...name, ` ${Math.round(100 * share)} %`];
  });
  const where = shown.length === 0 ? [`spread over ${counted(paths, 'path')}, each under 5 %`] : shown.flat();
  return [item('bytes', [sentence`${where}, by estimate.`])];
}

/** Code that the answer does not show, without duplicates. */
function codeFolds(id: string, runs: readonly Run[], answer: readonly Node[]): Node[] {
  const shown = new Set(answer.flatMap((node) => codesIn(node)));
  const codes = runs
    .flatMap((run) => [
      { run, title: 'code', language: 'js' as const, all: run.advice?.code },
      { run, title: moduleTitle(run.advice?.module), language: 'ts' as const, all: run.advice?.module },
    ])
    .flatMap(({ all, ...one }) => (all == null || shown.has(all.trimEnd()) ? [] : { ...one, all }));
  const several =
    new Set(codes.map(({ title, all }) => `${title}${all}`)).size >
    new Set(codes.map(({ title }) => title)).size;
  return [...groupedBy(codes, ({ all }) => all).values()].flatMap((group) => {
    const [{ title, language, all }] = group as [(typeof codes)[number]];
    const on = several ? ` for ${runtimeNames(group.map(({ run }) => run))}` : '';
    return fold(id, [`${title}${on}`], [{ type: 'code', text: all, language }]);
  });
}

const codesIn = (node: Node): string[] =>
  node.type === 'block' ? node.body.flatMap(codesIn) : node.type === 'code' ? [node.text] : [];

const moduleTitle = (module: string | null | undefined): string =>
  `codec, ${(module ?? '').trimEnd().split('\n').length} lines of TypeScript`;
