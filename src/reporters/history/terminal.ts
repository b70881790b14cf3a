import type { History } from '../../model/documents/history.ts';
import type { Reporter } from '../../model/report/render-options.ts';
import { paragraph } from '../terminal/layout.ts';
import { terminalStyle } from '../terminal/style.ts';
import { indentedTable } from '../terminal/table.ts';
import { joinBlocks } from '../text/blocks.ts';
import { historySection } from './section.ts';

export const terminalHistory: Reporter<History> = (history, options) => {
  const style = terminalStyle(options);
  const { title, lead, payloads } = historySection(history);
  return joinBlocks([
    [style.paint.title(title), ...paragraph(lead, style)],
    ...payloads.map(({ name, columns }) => [
      style.paint.title(style.text(name)),
      ...indentedTable(columns, style),
    ]),
  ]);
};
