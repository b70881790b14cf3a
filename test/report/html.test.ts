import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { PAGE_SCRIPT } from '../../src/report/html/page.ts';
import { payload, report, run, trial } from '../make.ts';
import { FROZEN } from './frozen/reports.ts';
import { frozen, render } from './render.ts';

const CHANNELS = (['worker', 'window'] as const).map((channel) =>
  run('chromium@143.0.0', { channel, trials: [trial('json-text', 1.4)] }),
);

for (const [name, given] of Object.entries({ ...FROZEN, 'two channels': report(payload('a', CHANNELS)) })) {
  test(`${name}: each fold has a distinct name`, () => {
    const folds = render('html', given).matchAll(/<summary>([\s\S]*?)<\/summary>/g);
    const names = [...folds].map(([, text]) => text);
    assert.deepEqual(names, [...new Set(names)]);
  });
}

test('the policy allows this style sheet, this script and nothing else', () => {
  const page = render('html', frozen('apply'));
  const [, style] = /<style>([\s\S]*?)<\/style>/.exec(page) ?? [];
  assert.ok(style);
  const hashOf = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`;
  const [, policy = ''] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page) ?? [];
  assert.equal(
    policy.replaceAll('&#39;', "'"),
    `default-src 'none'; style-src '${hashOf(style)}'; script-src '${hashOf(PAGE_SCRIPT)}'; base-uri 'none'; form-action 'none'`,
  );
  assert.doesNotMatch(style, /url\(|@import|</);
});
