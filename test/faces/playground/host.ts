/** Serves the built page, and a page that works it in a frame: for browsers without the DevTools protocol. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PastedForm } from '../../../src/faces/playground/input.ts';
import { deferred } from '../../../src/machine/waiting.ts';
import type { Report } from '../../../src/model/documents/report.ts';
import { PATH } from './playground-page.ts';

const page = readFileSync(PATH);

/** As the command's page is served: Firefox tells nothing with a coarse clock. */
export const ISOLATED = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
};

export interface Step {
  text: string;
  as: PastedForm;
  press: 'classify' | 'measure';
}

/** Works the page as a person would, and posts what it shows after the last step, with the report of each as it is saved. */
const harness = (
  steps: readonly Step[],
): string => `<!doctype html><meta charset="utf-8"><title>harness</title>
<iframe src="/" width="1000" height="800"></iframe>
<script>
const frame = document.querySelector('iframe');
const until = async (holds) => { while (!holds()) await new Promise((done) => setTimeout(done, 50)); };
frame.onload = async () => {
  const { contentDocument: page } = frame;
  const part = (id) => page.getElementById(id);
  const { URL } = frame.contentWindow;
  const { createObjectURL } = URL;
  const save = () => new Promise((resolve) => {
    URL.createObjectURL = (blob) => {
      resolve(blob.text());
      return createObjectURL.call(URL, blob);
    };
    part('save').querySelector('button').click();
    URL.createObjectURL = createObjectURL;
  });
  const reports = [];
  part('budget').value = '2000';
  for (const { text, as, press } of ${JSON.stringify(steps).replaceAll('<', '\\u003c')}) {
    page.querySelector('input[value=' + as + ']').click();
    part('text').value = text;
    part(press).click();
    await until(() => part('stop').hidden);
    reports.push(part('problem').textContent === '' ? JSON.parse(await save()) : null);
  }
  for (const one of page.querySelectorAll('details')) one.open = true;
  const shown = { problem: part('problem').textContent, verdicts: part('verdicts').innerText, measured: part('measured').innerText, reports };
  await fetch('/shown', { method: 'POST', body: JSON.stringify(shown) });
};
</script>`;

export interface Shown {
  problem: string;
  verdicts: string;
  measured: string;
  /** Of each step; null where the page told a problem. */
  reports: (Report | null)[];
}

/** @param headers of the page; isolated with those of COOP and COEP */
export async function playgroundHost(steps: readonly Step[] = [], headers: Record<string, string> = {}) {
  const asked: string[] = [];
  const { promise: shown, resolve: show } = deferred<Shown>();
  const bodies: Record<string, string | Buffer> = { '/': page, '/harness': harness(steps), '/shown': '' };
  const server = createServer(async (request, response) => {
    const { url = '' } = request;
    asked.push(url);
    const body = Buffer.concat(await request.toArray()).toString();
    if (url === '/shown') show(JSON.parse(body) as Shown);
    response.writeHead(bodies[url] === undefined ? 404 : 200, { 'content-type': 'text/html', ...headers });
    response.end(bodies[url]);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, shown, close };
}
