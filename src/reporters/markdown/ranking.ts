import type { RecordingSection } from '../section/model/model.ts';
import { code, prose, sentenceText } from './spans.ts';
import { table } from './table.ts';

export function recordingBlocks(section: RecordingSection): string[][] {
  const { file, program, facts, lead, sites, notes } = section;
  return [
    [`### ${code(file)}`],
    [[sentenceText(program), ...facts.map(prose)].join(' · ')],
    ...lead.map((one) => [sentenceText(one)]),
    table(sites),
    notes.map((note) => `- ${sentenceText(note)}`),
  ];
}
