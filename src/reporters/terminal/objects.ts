/** Objects of the platform in `clone-prof verify`: a line for each class that the runtime has. */
import type { ObjectResult } from '../../model/report/verify.ts';
import type { PostOutcome } from '../../model/rules/platform-posts.ts';
import { PLATFORM_CLASSES } from '../../model/vocabulary/platform-classes.ts';
import { groupedBy } from '../text/grouped.ts';
import { hanging, indented, padded, textWidth } from './layout.ts';
import type { TerminalStyle } from './style.ts';

const WORDS: Readonly<Record<PostOutcome, string>> = {
  cloned: 'cloned',
  moved: 'transferred',
  refused: 'refused',
  emptied: 'arrives as {}',
  lost: 'the message is lost',
  apart: 'sent twice, it arrives as two objects',
  'other-class': 'arrives as another class',
};

const outcomes = (some: readonly PostOutcome[] | null): string =>
  some === null ? 'nothing' : some.map((one) => WORDS[one]).join(', ');

export const objectText = ({ channel, told, seen, why }: ObjectResult): string =>
  `over ${channel} it is ${outcomes(seen)}, and told as ${outcomes(told)}${why === '' ? '' : ` (${why})`}`;

/** Where its bytes are. */
function memoryText([first]: readonly ObjectResult[]): string[] {
  if (first === undefined) return [];
  const { memory, isCopied = false } = PLATFORM_CLASSES[first.class];
  if (memory === undefined) return [];
  return [isCopied ? 'its bytes are copied' : 'both sides use its bytes'];
}

/** As it was seen: over all channels alike, or by channel. */
function seenText(rows: readonly ObjectResult[]): string {
  const groups = [...groupedBy(rows, ({ seen }) => outcomes(seen))];
  if (groups.length === 1) return groups[0]![0];
  return groups
    .map(([text, some]) => `${text} (${some.map(({ channel }) => channel).join(', ')})`)
    .join('; ');
}

export function objectLines(objects: readonly ObjectResult[], style: TerminalStyle): string[] {
  const made = objects.filter(({ seen }) => seen !== null);
  if (made.length === 0) return [];
  const classes = [...groupedBy(made, (one) => one.class)];
  const width = Math.max(...classes.map(([name]) => textWidth(name)));
  const wrong = made.filter(({ holds }) => holds === false);
  const lines = classes.flatMap(([name, rows]) => {
    const text = [seenText(rows), ...memoryText(rows)].join(style.marks.between);
    const verdicts = rows.map(({ holds }) => holds);
    const word = verdicts.includes(false)
      ? 'DOES NOT HOLD'
      : verdicts.includes(null)
        ? 'not in the table'
        : 'holds';
    return indented(
      hanging(`${padded(name, width)}  ${word}  ${style.paint.muted(text)}`, style.columns - 2),
    );
  });
  const head = `Objects of the platform: ${classes.length} classes, ${made.length - wrong.length} of ${made.length} as the table says`;
  return [style.paint.title(head), ...lines, ''];
}
