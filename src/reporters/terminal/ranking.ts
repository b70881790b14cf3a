import type { RecordingSection } from '../section/model/model.ts';
import { cutMiddle, indented, wrapped, wrappedItems } from './layout.ts';
import type { TerminalStyle } from './style.ts';
import { table } from './table.ts';

/** What a recording costs, as a first screen: the sites in a row each, most expensive first. */
export function recordingBlocks(section: RecordingSection, style: TerminalStyle): string[][] {
  const { file, program, facts, lead, sites, notes } = section;
  const width = style.columns - 2;
  const command = cutMiddle(style.sentence(program), width, style);
  const muted = wrappedItems(facts.map(style.text), style.marks.between, width).map(style.paint.muted);
  return [
    [style.paint.title(cutMiddle(style.text(file), style.columns, style)), ...indented([command, ...muted])],
    indented(lead.flatMap((one) => wrapped(style.sentence(one), width))),
    indented(table(sites, width, style)),
    indented(notes.flatMap((note) => wrapped(style.sentence(note), width).map(style.paint.muted))),
  ];
}
