/** Which sites of a recording are meant. */
import { ToolError } from '../../model/errors.ts';
import type { SiteChoice } from '../../model/recording/recording.ts';

/** @throws ToolError 'usage' */
export const sitesOf = ({ top, site }: Record<string, unknown>): SiteChoice => ({
  top: top === undefined ? null : topOf(String(top)),
  site: site === undefined ? null : String(site),
});

function topOf(text: string): number {
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text);
  throw new ToolError('usage', { detail: `--top: '${text}' is not a number of sites, from 1 to 99999` });
}

/** @throws ToolError 'usage' */
export function refuseWithoutRecording({ top, site }: SiteChoice, hasRecording: boolean): void {
  const asked = [top === null ? [] : '--top', site === null ? [] : '--site'].flat();
  if (asked.length === 0 || hasRecording) return;
  throw new ToolError('usage', {
    detail: `${asked.join(' and ')}: no payload is a recording (.cprof), which has sites to choose from`,
  });
}
