/**
 * The report as one page: no script, no font, no image, nothing is fetched. A strict policy forbids all but the page's
 * own style sheet; the report itself is inside, as JSON that no browser runs.
 */
import { createHash } from 'node:crypto';
import type { RenderOptions } from '../../model/render-options.ts';
import type { PayloadReport, Report, RunError } from '../../model/report.ts';
import type { Wording } from '../../model/wording.ts';
import { machineFacts, sizeFacts } from '../facts.ts';
import { comparisonGrid } from '../grid.ts';
import { json } from '../json.ts';
import { adviceDiffers, alike, fastestFirst } from '../runs.ts';
import { gradeOf } from '../words.ts';
import { dataBlock, lines, Markup, html as markup, type Piece } from './markup.ts';
import { runArticle } from './run.ts';
import { STYLE } from './style.ts';
import { table } from './table.ts';

export function html(report: Report, _look: RenderOptions, words: Wording): string {
  const hash = createHash('sha256').update(STYLE).digest('base64');
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
  const page = markup`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<meta http-equiv="Content-Security-Policy" content="${policy}"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<meta name="color-scheme" content="light dark"/>
<title>clone-prof: ${report.payloads.map(({ id }) => id).join(', ') || 'no payloads'}</title>
<style>${new Markup(STYLE)}</style>
</head>
<body>
<header><h1>clone-prof</h1><p class="quiet">${machineFacts(report).join(' · ')}</p></header>
<main>
${report.payloads.length === 0 ? markup`<p>No payloads.</p>` : report.payloads.map((p) => payloadSection(p, words))}
</main>
<script type="application/json" id="report">${dataBlock(json(report))}</script>
</body>
</html>
`;
  return page.source;
}

function payloadSection(payload: PayloadReport, words: Wording): Markup {
  const { file, export: name } = payload.source;
  return markup`<section class="payload">
<h2>${payload.id}</h2>
<p class="quiet">${[file, ...(name === null ? [] : [`export ${name}`]), ...sizeFacts(payload)].join(' · ')}</p>
${bodyOf(payload, words)}
</section>
`;
}

function bodyOf(payload: PayloadReport, words: Wording): Piece {
  if (payload.error !== null) return errorBox(payload.error);
  if (payload.runs.length === 0) return markup`<p>No runtime ran it.</p>`;
  const differs = adviceDiffers(payload);
  return [
    ...(payload.runs.length > 1 ? [comparison(payload, words)] : []),
    ...(differs === null ? [] : [markup`<p><strong>The advice differs:</strong> ${differs}.</p>`]),
    ...alike(fastestFirst(payload.runs)).map((runs) => runArticle(runs, words)),
  ];
}

function comparison(payload: PayloadReport, words: Wording): Markup {
  const runs = fastestFirst(payload.runs);
  return table('Runtimes, fastest first', comparisonGrid(payload, words), {
    verdict: (text, index) => {
      const run = runs[index];
      if (run === undefined) return text;
      const denied = run.verdict?.confirmed === false ? markup` <strong class="bad">denied</strong>` : null;
      return markup`<span class="${gradeOf(run)}">${text}</span>${denied}`;
    },
  });
}

export function errorBox({ message, path }: RunError): Markup {
  const where = path === undefined || message.includes(path) ? '' : `${path}: `;
  return markup`<p class="bad"><strong>Failed</strong></p><pre>${lines(where + message)}</pre>`;
}
