/** What people and strangers paste into the page. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { missing } from '../../support/runtimes.ts';
import { playgroundHost } from './host.ts';
import { FILE, PlaygroundPage } from './playground-page.ts';

const skip = missing('chromium');
let page: PlaygroundPage;

before(async () => {
  if (skip === false) page = await PlaygroundPage.open(FILE, [390, 844]);
});

const onPage = (what: string, body: () => Promise<void>) => test(what, { skip }, body);

const classified = async (text: string, as = 'json') => {
  await page.paste(text, as);
  await page.press('classify');
};
const problem = () => page.text('problem');
/** Places of the value that the code made. */
const patterns = async () =>
  (await page.report()).payloads[0]?.runs[0]?.shape?.patterns.map(({ pattern }) => pattern);

onPage('invalid JSON is reported with line and column', async () => {
  await classified('{\n  "a": [1, 2\n}');
  assert.match(await problem(), /^payload\.json:3:1: not valid JSON \(/);
  assert.equal(await page.isShown('verdicts-part'), false);
});

onPage('an empty payload is reported before anything runs', async () => {
  await classified('');
  assert.match(await problem(), /^There is no payload/);
});

onPage('34 MB are refused; a long paste is kept next to the text field', async () => {
  const pasteOf = (units: number) => `(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', JSON.stringify('x'.repeat(${units})));
    const event = new ClipboardEvent('paste', { clipboardData, cancelable: true });
    document.getElementById('text').dispatchEvent(event);
  })()`;
  await page.page.evaluate(pasteOf(34e6));
  await page.press('classify');
  assert.match(await problem(), /has 34\.0 MB, and this page takes up to 33\.6 MB/);
  await page.page.evaluate(pasteOf(1.2e6));
  await page.press('classify');
  assert.equal(await problem(), '');
  assert.match(await page.text('held'), /payload\.json, 1\.20 MB/);
  assert.match(await page.text('verdicts'), /^bun newest\s+● shared/m);
  await page.page.evaluate("document.querySelector('#held button').click()");
});

onPage('20,000 levels, and keys that mean something to JavaScript and HTML', async () => {
  await classified('['.repeat(20_000) + ']'.repeat(20_000));
  assert.equal(await problem(), '');
  await page.unfold();
  assert.match(await page.text('verdicts'), /20,000 levels deep|19,999 levels deep/);
  const image = '<img src=x onerror="document.title=1">';
  await classified(
    `{"__proto__": {"constructor": [${JSON.stringify(image)}]}, ${JSON.stringify(image)}: {"toString": 1}}`,
  );
  assert.equal(await problem(), '');
  await page.unfold();
  const shown = await page.text('verdicts');
  assert.match(shown, /^\$\.__proto__\nobject 1 /m);
  assert.ok(shown.includes(image.replaceAll('"', '\\"')), shown);
  assert.equal(
    await page.page.evaluate("document.querySelectorAll('img').length + Object.keys({}).length"),
    0,
  );
});

onPage('code runs at the click of its button, and not before', async () => {
  const ran = 'self.document === undefined ? { ran: [typeof window] } : 1';
  await page.paste(ran, 'javascript');
  assert.match(await page.text('classify'), /^Run this JavaScript/);
  assert.match(await page.text('measure'), /^Run this JavaScript/);
  await page.press('classify');
  assert.deepEqual(await patterns(), ['$', '$.ran', '$.ran[*]']);
});

onPage('exports of a module are listed; errors and failed imports are reported', async () => {
  await classified('export const rows = [{ a: 1 }];\nexport default () => new Map([[1, 2]]);', 'javascript');
  assert.match(await page.text('verdicts'), /payload#default[\s\S]+payload#rows/);
  await classified('export default () => {\n  throw new RangeError("mine");\n};', 'javascript');
  assert.match(await problem(), /RangeError: mine \(line 2, column 9\)/);
  await classified('import "https://example.com/x.js"; export default 1;', 'javascript');
  assert.match(await problem(), /^payload\.js: threw while loading/);
  assert.deepEqual(
    page.page.requests.filter((address) => address.startsWith('http')),
    [],
  );
});

onPage('a value that cannot be cloned is a verdict', async () => {
  await classified('{ list: [() => 1] }', 'javascript');
  const verdicts = await page.text('verdicts');
  assert.equal(verdicts.match(/✖ rejected\b/g)?.length, 6);
  await classified('new Proxy({}, {})', 'javascript');
  assert.equal(await page.isShown('doubt'), true);
});

onPage('code that never ends is ended; the page goes on', async () => {
  // A loop is ended below, by the button.
  await page.page.evaluate(`globalThis.described = 0;
    const { postMessage } = Worker.prototype;
    Worker.prototype.postMessage = function (message, ...rest) {
      if (message.type === 'describe') described++;
      return postMessage.call(this, message, ...rest);
    };`);
  await classified('export default () => new Promise(() => undefined);', 'javascript');
  assert.match(await problem(), /^No answer within 10 seconds/);
  // No other guest is given the payload: each of the six runtimes would wait as long.
  assert.equal(await page.page.evaluate('described'), 1);
  await classified('[1]');
  assert.equal(await problem(), '');
});

onPage('a run is stopped by its button', async () => {
  await page.paste('(() => { for (;;); })()', 'javascript');
  await page.page.evaluate("document.getElementById('classify').click()");
  await page.page.evaluate("document.getElementById('stop').click()");
  await page.page.until("document.getElementById('stop').hidden", 8000);
  assert.equal(await page.text('status'), 'Stopped.');
  assert.equal(await page.isShown('verdicts-part'), false);
});

onPage('the keyboard reaches each field in order, and the result gets the focus', async () => {
  const press = async (key: string, code: number) => {
    for (const type of ['keyDown', 'keyUp'])
      await page.page.send('Input.dispatchKeyEvent', {
        type,
        key,
        code: key,
        windowsVirtualKeyCode: code,
        text: key === 'Enter' ? '\r' : '',
      });
  };
  const focused = () =>
    page.page.evaluate<string>('document.activeElement.id || document.activeElement.name');
  await page.paste('[1]');
  await page.page.evaluate("document.querySelector('input[name=as]:checked').focus()");
  const order = [await focused()];
  for (let i = 0; i < 6; i++) {
    await press('Tab', 9);
    order.push(await focused());
  }
  assert.deepEqual(order, ['as', 'text', 'file', 'channel', 'budget', 'classify', 'measure']);
  await page.page.evaluate("document.getElementById('classify').focus()");
  await press('Enter', 13);
  await page.page.until("document.activeElement.id === 'verdicts-title'");
});

test('pasted code reaches no server, its own included', { skip }, async () => {
  const host = await playgroundHost();
  const page = await PlaygroundPage.open(`${host.url}/`);
  const ways = [
    'fetch(at).then(() => "reached")',
    'import(at).then(() => "reached")',
    '(async () => importScripts(at))()',
    'new Promise((resolve, reject) => { const s = new WebSocket(at.replace("http", "ws")); s.onopen = resolve; s.onerror = reject; })',
    'new Promise((resolve, reject) => { const e = new EventSource(at); e.onopen = resolve; e.onerror = reject; })',
    'new Promise((resolve, reject) => { const w = new Worker(at); w.onmessage = resolve; w.onerror = reject; })',
  ];
  try {
    const tried = ways.map((way) => `${way}.then(() => 'reached', () => 'refused')`).join(', ');
    const code = `export default async () => {
      const at = ${JSON.stringify(`${host.url}/reached`)};
      const outcomes = await Promise.all([${tried}]);
      return Object.fromEntries(outcomes.map((outcome, way) => [outcome + way, 1]));
    };`;
    await page.paste(code, 'javascript');
    await page.press('classify');
    assert.equal(await page.text('problem'), '');
    const { payloads } = await page.report();
    const keys = payloads[0]?.runs[0]?.shape?.patterns.map(({ pattern }) => pattern);
    assert.deepEqual(keys, ['$', ...[...ways.keys()].map((way) => `$.refused${way}`)]);
    assert.deepEqual(host.asked, ['/']);
  } finally {
    host.close();
    await page.close();
  }
});
