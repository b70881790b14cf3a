/** The effect of a report in one line: payloads that get faster, arrive changed, or cannot be posted. */
import { carries } from '../../core/evidence.ts';
import { stepsOf } from '../../core/steps.ts';
import type { PayloadReport, Report } from '../../model/documents/report.ts';
import type { Step } from '../../model/documents/step.ts';
import { listed, sentenceCase } from '../section/model/sentence.ts';
import { count, counted, gainFactor, time } from '../text/numbers.ts';

type Payloads = readonly PayloadReport[];

/** "3 of 4 payloads get 2.0x to 33x faster, 1 arrives changed" */
export function headline({ payloads }: Report): string {
  if (payloads.length === 0) return 'No payloads';
  const isRecorded = payloads.every(({ traffic }) => traffic !== undefined);
  const counts = [
    ...(isRecorded ? [] : fasterCounts(payloads)),
    withStep(payloads, 'lost', ['arrives changed', 'arrive changed']),
    withStep(payloads, 'rejected', ['cannot be posted', 'cannot be posted']),
    { some: payloads.filter(isFailed).length, words: ['failed', 'failed'] as const },
  ].filter(({ some }) => some > 0);
  const sites = isRecorded ? siteTexts(payloads) : [];
  const texts = [...sites, ...countTexts(counts, payloads, sites.length > 0)];
  return texts.length === 0 ? restText(payloads) : sentenceCase(listed(texts));
}

interface Counted {
  some: number;
  words: readonly [string, string];
}

/** Counts in words. The number of all payloads is named once. */
const countTexts = (counts: readonly Counted[], { length: all }: Payloads, isNamed: boolean): string[] =>
  counts.map(({ some, words: [one, more] }, at) => {
    const word = some === 1 ? one : more;
    if (at > 0 || isNamed) return all === 1 ? word : `${count(some)} ${word}`;
    return all === 1 ? `the payload ${word}` : `${count(some)} of ${counted(all, 'payload')} ${word}`;
  });

const isFailed = ({ error, runs }: PayloadReport): boolean =>
  error !== null || (runs.length > 0 && runs.every(({ status }) => status === 'failed'));

function fasterCounts(payloads: Payloads): Counted[] {
  const gains = payloads.flatMap(({ runs }) => {
    const own = runs.flatMap(({ advice }) =>
      advice?.action === 'apply' && carries(advice.gain, 'size') ? advice.gain : [],
    );
    return own.length === 0 ? [] : [own.reduce((best, gain) => (gain.ratio < best.ratio ? gain : best))];
  });
  const [least, ...others] = gains.sort((a, b) => b.ratio - a.ratio).map(gainFactor);
  const most = others.at(-1);
  if (least === undefined) return [];
  const range = most === undefined || most === least ? least : `${least} to ${most}`;
  return [{ some: gains.length, words: [`gets ${range} faster`, `get ${range} faster`] }];
}

/** "about 204 ms can be saved at 3 of 5 sites" */
function siteTexts(payloads: Payloads): string[] {
  const firsts = payloads.flatMap((payload) => {
    const steps = payload.steps ?? stepsOf(payload);
    return steps.find(({ kind }) => kind === 'rewrite' || kind === 'traffic') ?? [];
  });
  const savedMs = firsts.reduce((sum, { savesMs }) => sum + (savesMs ?? 0), 0);
  if (firsts.length === 0) return [];
  const where = `${count(firsts.length)} of ${counted(payloads.length, 'site')}`;
  return [
    savedMs > 0 ? `about ${time(savedMs * 1e6)} can be saved at ${where}` : `something to do at ${where}`,
  ];
}

const withStep = (payloads: Payloads, wanted: Step['kind'], words: Counted['words']): Counted => ({
  some: payloads.filter((payload) => (payload.steps ?? stepsOf(payload)).some(({ kind }) => kind === wanted))
    .length,
  words,
});

function restText(payloads: Payloads): string {
  const isMeasured = payloads.some(({ runs }) => runs.some(({ measurement }) => measurement !== null));
  const all = payloads.length === 1 ? 'the payload' : `${count(payloads.length)} payloads`;
  return isMeasured ? `Nothing found that makes ${all} faster` : `What engines do with ${all}`;
}
