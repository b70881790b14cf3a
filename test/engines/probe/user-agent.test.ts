/** Browsers as they call themselves. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { detectBrowser } from '../../../src/engines/probe/browser.ts';

const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';
const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko)';
const CHROME = [{ brand: 'Not A;Brand' }, { brand: 'Google Chrome' }];

const ROWS: [userAgent: string, told: string, brands?: { brand: string }[]][] = [
  [`${WINDOWS} Chrome/140.0.0.0 Safari/537.36`, 'chromium 140.0.0.0 v8'],
  [`${WINDOWS} Chrome/140.0.0.0 Safari/537.36`, 'chrome 140.0.0.0 v8', CHROME],
  [`${WINDOWS} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`, 'edge 140.0.0.0 v8'],
  [`${WINDOWS} Chrome/139.0.0.0 Safari/537.36 OPR/124.0.0.0`, 'opera 139.0.0.0 v8'],
  [
    'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36',
    'samsung 130.0.0.0 v8',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'firefox 140.0 spidermonkey'],
  [`${MAC}/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15`, 'safari 18.1 webkit'],
  [`${IPHONE} Version/18.1.1 Mobile/15E148 Safari/604.1`, 'safari 18.1.1 webkit'],
  // All browsers of iOS are Safari beneath.
  [`${IPHONE} CriOS/140.0.1 Mobile/15E148 Safari/604.1`, 'webkit 18.1.1 webkit'],
  [`${IPHONE} FxiOS/140.0 Mobile/15E148 Safari/604.1`, 'webkit 18.1.1 webkit'],
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/60.5 Safari/605.1.15',
    'webkit 60.5 webkit',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101', 'firefox 0 spidermonkey'],
  ['Something/1.0', 'webkit 0 webkit'],
  ['', 'webkit 0 webkit'],
];

for (const [userAgent, told, brands] of ROWS) {
  test(`${told}: ${userAgent}`, () => {
    const found = detectBrowser({ userAgent, ...(brands && { userAgentData: { brands } }) });
    assert.equal(`${found.brand ?? found.name} ${found.version} ${found.engine}`, told);
  });
}
