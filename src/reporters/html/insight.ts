import type { Run } from '../../model/report.ts';
import { BY_PATH_WORDS, branchGrid, NO_BRANCHES, profileFacts, spotGrid, workShares } from '../insight.ts';
import { nameOf } from '../runs.ts';
import { html, type Markup } from './markup.ts';
import { table } from './table.ts';

/** What --by-path and --profile found, each run for itself. */
export function insightOf(runs: readonly Run[]): Markup[] {
  return runs.flatMap((run) => [...branchesOf(run), ...profileOf(run)]);
}

function branchesOf(run: Run): Markup[] {
  const { byPath } = run;
  if (byPath === undefined) return [];
  if (byPath.length === 0) return [html`<p class="quiet">${NO_BRANCHES}</p>`];
  const code = (text: string) => html`<code>${text}</code>`;
  return [
    table(`What each branch costs on ${nameOf(run)}`, branchGrid(byPath), { path: code }),
    html`<p class="quiet">${BY_PATH_WORDS}</p>`,
  ];
}

function profileOf(run: Run): Markup[] {
  const { profile } = run;
  if (profile === undefined) return [];
  const title = `Profile on ${nameOf(run)}`;
  const shares = workShares(profile).map(({ words }) => words);
  const facts = [...profileFacts(profile), ...profile.files].map((line) => html`<li>${line}</li>`);
  const spots = profile.top.length === 0 ? html`<p>${title}</p>` : table(title, spotGrid(profile));
  return [html`${spots}<p>${shares.join(' · ')}</p><ul class="quiet">${facts}</ul>`];
}
