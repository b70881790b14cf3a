/** The documents that the server answers with. */

const head = (script: string, style = '') => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>clone-prof</title>
${style}${script}`;

const STYLE = `<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.25rem }
#status { min-height: 3em; overflow-wrap: anywhere }
table { border-collapse: collapse; font-variant-numeric: tabular-nums }
th, td { text-align: left; padding: .3rem 1rem .3rem 0; border-bottom: 1px solid #8884; vertical-align: top }
th, td { overflow-wrap: break-word }
td:not(:first-child, :last-child), th { white-space: nowrap }
td { max-width: 24rem }
@media (max-width: 40rem) {
  tr { display: block; padding: .5rem 0; border-bottom: 1px solid #8884 }
  tr:first-child, td:empty { display: none }
  td { display: grid; grid-template-columns: 6.5rem 1fr; padding: 0; border: 0 }
  td::before { content: attr(data-head); opacity: .7 }
}
</style>
`;

const script = (path: string) => `<script type="module" src="${path}"></script>\n`;
const SCRIPT = script('guest/page.mjs');

/** Page of a browser that nobody looks at. */
export const GUEST_PAGE = head(SCRIPT);

/** Page of a frame in one, at `frame/<entry>`. */
export const framePage = (entry: string) => head(script(`../guest/${entry}.mjs`));

/** Page of a browser that somebody opened the link with. */
export const VISITOR_PAGE = `${head(SCRIPT, STYLE)}<main>
<h1>clone-prof</h1>
<p id="status" role="status">Connecting.</p>
<div id="results"></div>
</main>
`;

/** For whoever opens the link when all browsers that were waited for are there. */
export const IN_USE_PAGE = `${head('', STYLE)}<main>
<h1>clone-prof</h1>
<p>This link is already in use. Every browser that it was made for has joined.</p>
</main>
`;
