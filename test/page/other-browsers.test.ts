/** The page to play with in browsers that no DevTools protocol drives: a page around it works it, and tells what it shows. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { BrowserName } from '../../src/model/names.ts';
import type { PastedForm } from '../../src/page/input.ts';
import { startBrowser } from '../../src/runtimes/browser/browser.ts';
import { BROWSERS } from '../../src/runtimes/browser/kinds/kinds.ts';
import { killAll } from '../../src/runtimes/process/process-group.ts';
import { missing, runtime } from '../support/runtimes.ts';
import { usually } from '../support/whole.ts';
import { PlaygroundHost, type Shown } from './host.ts';

after(killAll);

const rows = JSON.stringify(Array.from({ length: 50 }, (_, id) => ({ id, at: { x: id / 3 } })));

async function shownIn(name: BrowserName, text: string, as: PastedForm): Promise<Shown> {
  const host = new PlaygroundHost(text, as);
  const browser = startBrowser(runtime(name), BROWSERS[name], `${await host.listen()}/harness`);
  try {
    const died = browser.ended.then((error): never => {
      throw error;
    });
    return await Promise.race([host.shown, died]);
  } finally {
    browser.kill();
    await browser.ended;
    host.close();
  }
}

for (const name of usually(['firefox'], ['webkit'])) {
  test(`${name}: verdicts of all engines, round trips and advice`, { skip: missing(name) }, async () => {
    const { problem, verdicts, measured } = await shownIn(name, rows, 'json');
    assert.equal(problem, '');
    assert.match(verdicts, new RegExp(`^${name} [\\d.]+\\s+serialized`, 'm'));
    assert.match(verdicts, /^node newest\s+serialized/m);
    const [, median = ''] = /^round trip\t([\d.,]+) /m.exec(measured) ?? [];
    assert.ok(Number(median.replace(',', '')) > 0, measured);
    assert.match(measured, /^do$/m);
  });
}

for (const name of usually([], ['webkit', 'firefox'])) {
  test(`${name}: a module that was pasted is run, and measured`, { skip: missing(name) }, async () => {
    const module = 'export default () => ({ rows: Array.from({ length: 50 }, (_, id) => ({ id })) });';
    const { problem, verdicts, measured } = await shownIn(name, module, 'javascript');
    assert.equal(problem, '');
    assert.match(verdicts, /^payload#default$/m);
    assert.match(measured, /^round trip\t[\d.,]+ /m);
  });
}
