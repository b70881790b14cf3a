import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leftSentences } from '../../src/reporters/section/model/site-costs.ts';

test('the option that analyzes all sites is printed as it can be typed', () => {
  const left = { groups: 1000, messages: 20_000, share: 0.25 };
  const sites = Array.from({ length: 7 }, () => ({ traffic: { cost: null } }));
  const text = String(leftSentences({ left } as Parameters<typeof leftSentences>[0], sites));
  assert.match(text, /^And 1,000 more sites: 20,000 messages, .* --top 1007 analyzes all\.$/);
});
