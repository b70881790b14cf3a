/** The page to play with in browsers that no DevTools protocol drives: a page around it works it, and tells what it shows. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Report } from '../../../src/model/documents/report.ts';
import type { BrowserName } from '../../../src/model/names.ts';
import { startBrowser } from '../../../src/runtimes/browser/browser.ts';
import { BROWSERS } from '../../../src/runtimes/browser/kinds.ts';
import { killAll } from '../../../src/runtimes/process/supervisor.ts';
import { missing, runtime } from '../../support/runtimes.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { usually } from '../../support/whole.ts';
import { compared, pastedFixtures, runsOf, saidByCommand } from './fixtures-on-page.ts';
import { ISOLATED, playgroundHost, type Shown, type Step } from './host.ts';

after(killAll);

async function shownIn(name: BrowserName, steps: readonly Step[]): Promise<Shown> {
  const host = await playgroundHost(steps, ISOLATED);
  const browser = startBrowser(runtime(name), BROWSERS[name], `${host.url}/harness`);
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

const ROWS = 'export default () => Array.from({ length: 50 }, (_, id) => ({ id, at: { x: id / 3 } }));';

for (const name of usually<BrowserName>([], ['firefox', 'webkit', 'chromium'])) {
  test(`${name}: the page agrees with the command on all fixtures, and shows all engines, round trips and advice`, {
    skip: missing(name),
  }, async () => {
    const { steps, files } = await pastedFixtures(tempFolder('page'));
    const last: Step = { text: ROWS, as: 'javascript', press: 'measure' };
    const [{ problem, verdicts, measured, reports }, command] = await Promise.all([
      shownIn(name, [...steps, last]),
      saidByCommand(runtime(name), files),
    ]);
    assert.equal(problem, '');
    const pages = runsOf(reports.slice(0, -1) as Report[], runtime(name));
    assert.equal(pages.length, command.length);
    const both = compared(pages, command, runtime(name));
    assert.ok(both.page.length > command.length / 2);
    assert.deepEqual(both.page, both.command);
    assert.match(verdicts, /^payload#default$/m);
    assert.match(verdicts, new RegExp(`^${name} [\\d.]+\\s+serialized`, 'm'));
    assert.match(verdicts, /^node newest\s+serialized\s*$/m);
    assert.match(verdicts, /^serialized · node newest.*\s+worker · about 1\.\d+ kB copied$/m);
    assert.match(verdicts, /Path: packed-array \(.+\)/);
    const [, median = ''] = /^round trip\t([\d.,]+) /m.exec(measured) ?? [];
    assert.ok(Number(median.replace(',', '')) > 0, measured);
    assert.match(measured, /^(?:Post it as it is|Not decided)|faster/m);
  });
}
