/** A program of the corpus in a page, headless in the Chromium that is here. */
import { EventEmitter } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RecordedMessages } from '../../../src/model/documents/recorded/recording.ts';
import { readThread } from '../../../src/record/files/recording-files.ts';
import { recordPage } from '../../../src/record/program/recorder.ts';
import { sampleBytes } from '../../../src/record/threads/sample-bytes.ts';
import { countedIn } from '../../../test/support/count-bytes.ts';
import { installedBrowser } from '../../../test/support/fetched.ts';
import { merged } from '../../../test/support/merged.ts';

const LONGEST_MS = 60_000;

const page = (name: string) => `<!doctype html><script type="module">
import { messagesOf } from '/programs.mjs';
const worker = new Worker(URL.createObjectURL(new Blob(['onmessage = () => postMessage(0)'])));
const messages = messagesOf(${JSON.stringify(name)});
const answer = () => new Promise((resolve) => { worker.onmessage = resolve; });
for (let i = 0; i < messages.length; ) {
  const answered = answer();
  for (let beside = 0; beside < 50 && i < messages.length; beside++, i++) worker.postMessage(messages[i]);
  await answered;
}
setTimeout(() => fetch('/ended'), 300);
</script>`;

/** What the page posts to its worker. */
export async function recordedInPage(name: string): Promise<RecordedMessages[]> {
  const browser = await installedBrowser('chromium');
  if (browser === null) throw new Error('no Chromium is installed');
  const folder = mkdtempSync(join(tmpdir(), 'clone-prof-bench-page-'));
  const signals = new EventEmitter();
  const server = createServer(({ url = '/' }, response) => {
    if (url === '/ended') signals.emit('SIGINT');
    const isModule = /^\/\w+\.mjs$/.test(url);
    response.writeHead(200, { 'content-type': isModule ? 'text/javascript' : 'text/html' });
    response.end(
      isModule ? readFileSync(new URL(`.${url}`, import.meta.url)) : url === '/' ? page(name) : '',
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  try {
    const page = await recordPage({
      ...{
        address,
        browser,
        headless: true,
        folder,
        signals,
      },
      ...{ values: 'none', doctor: false, forMs: LONGEST_MS, env: process.env, onOpening: () => undefined },
    });
    const threads = page.threads.map(readThread);
    return merged(threads, address, await sampleBytes(threads, countedIn(folder))).messages;
  } finally {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
