/** The built file: how large it is, and that nothing in it can ask for anything. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { PATH } from './playground-page.ts';

const MAX_BYTES = 620_000;

const page = readFileSync(PATH, 'utf8');
const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(page) ?? [];
const [, script = ''] = /<script[^>]*>([\s\S]*?)<\/script>/.exec(page) ?? [];
const markup = page.replace(style, () => '').replace(script, () => '');

test(`playground.html is one file of less than ${MAX_BYTES / 1000} kB`, () => {
  assert.ok(Buffer.byteLength(page) < MAX_BYTES, `${Buffer.byteLength(page)}`);
});

test('its policy, which comes before all else, allows its own script and style and what the page made', () => {
  const [, policy = ''] = /<meta http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(markup) ?? [];
  assert.deepEqual(policy.split('; '), [
    "default-src 'none'",
    `script-src ${hashOf(script)} blob: 'unsafe-eval'`,
    `style-src ${hashOf(style)}`,
    'worker-src blob:',
    "base-uri 'none'",
    "form-action 'none'",
  ]);
  assert.ok(page.indexOf('Content-Security-Policy') < page.indexOf('<style>'));
  assert.equal(page.match(/<script/g)?.length, 1);
});

test('no element and no rule of its style names another file', () => {
  assert.doesNotMatch(markup, /\s(?:src|href|srcset|action|data|poster|style|on\w+)=/i);
  assert.doesNotMatch(style, /url\(|@import/);
  assert.doesNotMatch(markup, /%\w+%/);
});

test('its script makes markup of one text: that of the reporter, which escapes', () => {
  assert.doesNotMatch(script, /\.(?:innerHTML|outerHTML|insertAdjacentHTML|write)\b\s*[=(]/);
  assert.equal(script.match(/\bparseFromString\b/g)?.length, 1);
});

test('each field has a label, and progress is announced', () => {
  for (const [field] of markup.matchAll(/<(?:textarea|select|input type="file")[^>]*>/g)) {
    const [, id] = /id="([^"]+)"/.exec(field) ?? [];
    const isLabelled = markup.includes(`for="${id}"`) || new RegExp(`<label[^>]*>[^<]*${field}`).test(markup);
    assert.ok(isLabelled, field);
  }
  assert.match(markup, /id="status" role="status" aria-live="polite"/);
  assert.match(markup, /id="problem" role="alert"/);
});
