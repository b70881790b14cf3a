import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leftText, recordingNodes } from '../../src/report/print/recording.ts';
import { advice } from '../make.ts';
import { allNodes, plain } from './node-texts.ts';
import { frozen } from './render.ts';

test('the option that analyzes all sites is printed as it can be typed', () => {
  const left = { groups: 1000, messages: 20_000, share: 0.25 };
  const sites = Array.from({ length: 7 }, () => ({ traffic: { cost: null } }));
  const text = String(leftText({ left }, sites));
  assert.match(text, /^And 1,000 more sites: 20,000 messages, .* --top 1007 analyzes all\.$/);
});

test('a site with an undecided race is reported as undecided, not as "Nothing to do"', () => {
  const report = frozen('recording');
  const payloads = report.payloads.map((one) => ({
    ...one,
    ...(one.traffic && { traffic: { ...one.traffic, lint: [] } }),
    runs: one.runs.map((run) => ({ ...run, findings: [], advice: advice('unsure', { needs: 9000 }) })),
  }));
  const nodes = allNodes(recordingNodes({ ...report, payloads }));
  const texts = nodes.flatMap((node) => (node.type === 'text' ? [plain(node.text)] : []));
  const open = texts.filter((text) => /^Not decided: .*would probably decide\.$/.test(text));
  assert.ok(open.length > 0 && open.length <= payloads.length, texts.join('\n'));
  assert.ok(!texts.some((text) => text.startsWith('Nothing to do')), texts.join('\n'));
});
