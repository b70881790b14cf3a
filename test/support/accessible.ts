/** Whether all can read a page: by the rules of axe, with everything unfolded, wide and narrow, in light and in dark. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { ChromiumPage } from './devtools.ts';
import { usually } from './whole.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The rules about sizes and colours. What the others are about is the same on each screen. */
const OF_SCREENS = ['color-contrast', 'link-in-text-block', 'scrollable-region-focusable', 'target-size'];

export interface Screen {
  width: 1280 | 390;
  scheme: 'light' | 'dark';
}

/** The first is a phone's, which shows least. */
const SCREENS = usually<Screen>(
  [
    { width: 390, scheme: 'dark' },
    { width: 1280, scheme: 'light' },
  ],
  [
    { width: 1280, scheme: 'dark' },
    { width: 390, scheme: 'light' },
  ],
);

export async function setScreen(page: ChromiumPage, { width, scheme }: Screen): Promise<void> {
  const size = { width, height: 900, deviceScaleFactor: 1, mobile: false };
  await page.send('Emulation.setDeviceMetricsOverride', size);
  const features = [{ name: 'prefers-color-scheme', value: scheme }];
  await page.send('Emulation.setEmulatedMedia', { features });
}

export const unfold = (page: ChromiumPage): Promise<null> =>
  page.evaluate('for (const one of document.querySelectorAll("details")) one.open = true; null');

export async function assertNotWider(page: ChromiumPage, what: string): Promise<void> {
  const isWider = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
  assert.equal(isWider, false, `${what}: scrolls sideways`);
}

export async function assertAccessible(page: ChromiumPage): Promise<void> {
  await page.evaluate(`${AXE}; null`);
  await unfold(page);
  for (const screen of SCREENS) {
    const what = `${screen.width} px, ${screen.scheme}`;
    await setScreen(page, screen);
    const only = screen === SCREENS[0] ? {} : { runOnly: OF_SCREENS };
    const { found, passed } = await page.evaluate<{ found: string[]; passed: number }>(
      `axe.run(${JSON.stringify({ ...only, resultTypes: ['violations'] })}).then(({ violations, passes }) => ({ passed: passes.length, found: violations.flatMap(({ id, nodes }) => nodes.slice(0, 3).map(({ html, any }) => id + ': ' + html.slice(0, 200) + ' ' + (any[0]?.message ?? ''))) }))`,
    );
    assert.deepEqual(found, [], what);
    assert.ok(passed > (screen === SCREENS[0] ? 15 : 0), what);
    await assertNotWider(page, what);
  }
}
