/** Pages of reports and sweeps in a real Chromium: layout, scripts, and what a reader meets. */

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Report } from '../../src/model/documents/report.ts';
import type { Document } from '../../src/report/registry.ts';
import { facts } from '../make.ts';
import { assertAccessible, assertNotWider, setScreen, unfold } from '../support/accessible.ts';
import { ChromiumPage, closeChromium } from '../support/devtools.ts';
import { missing, runtime } from '../support/runtimes.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { usually } from '../support/whole.ts';
import { compared } from './compare/reports.ts';
import { HOSTILE } from './frozen/hostile.ts';
import { eightRuns, fiftyPayloads, manyPatterns, sixRuns } from './frozen/large.ts';
import { strategies } from './frozen/sweeps.ts';
import { frozen, render } from './render.ts';

const folder = tempFolder('report');
const FOLDER_URL = `${pathToFileURL(folder).href}/`;
after(closeChromium);

/** Keys as strangers write them, in the drawing of the bytes too. */
function hostileParts(): Report {
  const report = structuredClone(frozen('hostile'));
  const shape = report.payloads[0]?.runs[0]?.shape;
  const bytes = { total: 1000, max: 1000 };
  for (const key of Object.values(HOSTILE))
    shape?.patterns.push(facts(`$[${JSON.stringify(key)}]`, 'string', { depth: 1, parent: 'object', bytes }));
  return report;
}

const REPORTS = {
  'three-runtimes': frozen('three-runtimes'),
  failures: frozen('failures'),
  'twelve-runtimes': frozen('twelve-runtimes'),
  'profile-and-branches': frozen('profile-and-branches'),
  recording: frozen('recording'),
  advice: frozen('advice'),
  several: frozen('several'),
  hostile: hostileParts(),
  six: sixRuns(),
  eight: eightRuns(),
  fifty: fiftyPayloads(),
  many: manyPatterns(2500),
} satisfies Record<string, Report>;

type Name = keyof typeof REPORTS;
const NAMES = Object.keys(REPORTS) as Name[];

/** Pages that hold what may be wider than a phone. */
const WIDE: readonly Name[] = ['hostile', 'six', 'twelve-runtimes', 'profile-and-branches', 'recording'];
/** What to do, and what it costs. */
const TO_SEE: Partial<Record<Name, string>> = {
  several: '#index td:not(:empty)',
  six: '#index td:not(:empty)',
};
/** Most kinds of parts, and in the whole suite all. */
const READ = usually<Name>(['three-runtimes', 'recording'], ['failures', 'several', 'eight']);

/** A page takes a while to load: each is asked all at once. */
let page: ChromiumPage;

/** @param change of the page as text */
async function show(name: string, document: Document, change = (text: string) => text): Promise<void> {
  const file = join(folder, `${name}.html`);
  writeFileSync(file, change(render('html', document)));
  await page.evaluate('window.isLeft = true');
  await page.send('Page.navigate', { url: pathToFileURL(file).href });
  await page.until('window.isLeft === undefined && document.readyState === "complete"');
}

const count = (selector: string): Promise<number> =>
  page.evaluate(`document.querySelectorAll(${JSON.stringify(selector)}).length`);

/** Its scripts ran, and nothing was fetched except the pages of this test. */
function assertQuiet(): void {
  assert.deepEqual(page.problems.splice(0), []);
  const others = page.requests.splice(0).filter((url) => !url.startsWith(FOLDER_URL));
  assert.deepEqual(others, []);
}

async function hasMarksInPlace(): Promise<void> {
  const [low, mark, high, one] = await page.evaluate<number[]>(
    `(() => { const box = (selector) => document.querySelector('figure.forest ' + selector).getBoundingClientRect(); const line = box('.point line'); const dot = box('.point path'); return [line.left, (dot.left + dot.right) / 2, line.right, box('.one').left]; })()`,
  );
  assert.ok(low! < mark! && mark! < high! && high! < one!);
}

async function hasIndex({ payloads }: Report): Promise<void> {
  const links = await page.evaluate<[string, string][]>(
    `[...document.querySelectorAll('nav a')].map((link) => [link.textContent, document.getElementById(link.hash.slice(1)).querySelector('h2').textContent])`,
  );
  assert.equal(links.length, payloads.length);
  for (const [name, heading] of links) assert.equal(name, heading);
  const costs = links.map(([id]) => {
    const run = payloads.find((payload) => payload.id === id)?.runs[0];
    return run?.measurement?.roundTrip.median ?? -1;
  });
  assert.deepEqual(
    costs,
    [...costs].sort((one, other) => other - one),
  );
}

async function namesFocus(): Promise<void> {
  const [name, shown] = await page.evaluate<string[]>(
    `(() => { const part = document.querySelectorAll('.cells svg[tabindex]')[1]; part.focus(); return [part.querySelector('title').textContent, part.closest('figure').querySelector('.readout').textContent]; })()`,
  );
  assert.ok(name);
  assert.equal(shown, name);
}

/** Before anything is unfolded. */
async function isShort(): Promise<void> {
  for (const [width, most] of [
    [1280, 5000],
    [390, 9000],
  ] as const) {
    await setScreen(page, { width, scheme: 'light' });
    const height = await page.evaluate<number>('document.documentElement.scrollHeight');
    assert.ok(height <= most, `${height} px at ${width}`);
  }
}

/** Each block of code has a button that copies it, and one that downloads it under a name. */
async function isCopied(): Promise<void> {
  await unfold(page);
  const buttons = await page.evaluate<string[]>(
    `[...document.querySelectorAll('pre.copied button')].map((button) => button.ariaLabel)`,
  );
  assert.equal(buttons.length, 2 * (await count('pre.copied')));
  assert.ok(buttons.includes('Download orders.codec.ts'), buttons.join());
  const saved = await page.evaluate<[string, string]>(`new Promise((resolve) => {
    const make = URL.createObjectURL;
    let blob;
    URL.createObjectURL = (given) => make.call(URL, (blob = given));
    HTMLAnchorElement.prototype.click = function () {
      blob.text().then((text) => resolve([this.download, text]));
    };
    document.querySelector('button[aria-label="Download orders.codec.ts"]').click();
  })`);
  const shown = await page.evaluate<string>(
    `document.querySelector('pre[data-file="orders.codec.ts"] code').textContent`,
  );
  assert.deepEqual(saved, ['orders.codec.ts', `${shown}\n`]);
}

const OWN: readonly [Name, what: string, check: (report: Report) => Promise<void>][] = [
  ['six', 'a part that has the focus is named below the drawing', namesFocus],
  ['eight', 'it is at most 5,000 px high, on a phone 9,000', isShort],
  ['eight', 'code can be copied and downloaded', isCopied],
  ['advice', 'marks stand where their values are', hasMarksInPlace],
  ['fifty', 'each name in the index leads to its payload, the most expensive first', hasIndex],
];

async function isSeen(what: string): Promise<void> {
  const { right, lines } = await page.evaluate<{ right: number; lines: number }>(
    `({ right: Math.max(...[...document.querySelectorAll(${JSON.stringify(what)})].map((one) => one.getBoundingClientRect().right)), lines: Math.max(...[...document.querySelectorAll('tbody th a')].map((one) => new Set([...one.getClientRects()].map(({ top }) => Math.round(top))).size)) })`,
  );
  assert.ok(right > 0 && right <= 390, `${right}`);
  assert.equal(lines, 1);
}

function testReports(): void {
  for (const name of NAMES) {
    describe(name, () => {
      const report = REPORTS[name];
      before(async () => {
        await setScreen(page, { width: 1280, scheme: 'light' });
        await show(name, report);
      });
      test('it is shown without a fault or a request', assertQuiet);
      for (const [of, what, check] of OWN) if (of === name) test(what, () => check(report));
      const toSee = TO_SEE[name];
      if (toSee !== undefined)
        test('on a phone, what to do is seen without scrolling sideways, and short names are whole', async () => {
          await setScreen(page, { width: 390, scheme: 'light' });
          await isSeen(toSee);
        });
      if (WIDE.includes(name))
        test('it is not wider than a phone', async () => {
          await setScreen(page, { width: 390, scheme: 'light' });
          await unfold(page);
          await assertNotWider(page, name);
        });
      if (READ.includes(name)) test('it is readable for all', () => assertAccessible(page));
    });
  }
}

const withoutPolicy = (text: string) => text.replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, '');

function testHostile(): void {
  test('nothing of a hostile report runs or is fetched, with the policy off too', async () => {
    page.requests.splice(0);
    await show('hostile', REPORTS.hostile, withoutPolicy);
    assert.equal(await count('meta[http-equiv]'), 0);
    assert.equal(await count('script'), 2);
    assert.equal(
      await count(
        'img, iframe, object, embed, link, use, image, foreignObject, [onerror], [onload], [style]',
      ),
      0,
    );
    assert.equal(page.requests.length, 1);
    assert.deepEqual(page.problems.splice(0), []);
  });
}

function testOthers(): void {
  before(() => setScreen(page, { width: 1280, scheme: 'light' }));
  const comparison = compared(frozen('three-runtimes'), frozen('apply'), frozen('hostile'));
  for (const [name, document] of Object.entries({ sweep: strategies, comparison }))
    test(`a ${name} is shown without a fault, and is readable for all`, async () => {
      await show(name, document);
      assertQuiet();
      await assertAccessible(page);
    });
}

describe('the page of a report', { skip: missing('chromium') }, () => {
  before(async () => {
    page = await ChromiumPage.open(runtime('chromium').binary, 'about:blank');
  });
  after(() => page?.close());
  testReports();
  testHostile();
  testOthers();
});
