import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { REMEDIES } from '../../src/codec/remedies/index.ts';
import { RULES } from '../../src/engines/rule-book/rule-book.ts';
import type { Report, Run } from '../../src/model/documents/report.ts';
import type { Rule } from '../../src/model/rules/rule.ts';
import { payloadNodes } from '../../src/report/print/report.ts';
import { ruleHint } from '../../src/report/print/verdict.ts';
import { run, trial } from '../make.ts';
import type { FakeScript } from '../support/fake-runtime.ts';
import { runCli } from '../support/run-cli.ts';
import { FROZEN } from './frozen/reports.ts';
import { itemTexts } from './node-texts.ts';

const rule = (more: Partial<Rule> = {}): Rule => ({
  ...{ id: 'jsc/nested-value', at: 'any', when: {} },
  ...{ title: 'nested', why: 'It is slow.', fix: 'Flatten it.', source: 'here', level: 'slow' },
  remedies: ['compiled', 'json-text'],
  ...more,
});

test('a hint follows from what the run tried', () => {
  const untried = { advice: null, trials: [] };
  const rows: [name: string, rule: Rule, run: Partial<Run>, hint: string | null][] = [
    ['not measured', rule(), untried, 'Flatten it.'],
    [
      'a library with a way of its own',
      rule({ level: 'rejected', fixIn: { comlink: 'Wrap it.' } }),
      { ...untried, via: { library: 'comlink', path: '$', transfers: true, shape: null } },
      'Wrap it.',
    ],
    [
      'another library',
      rule({ level: 'rejected', fixIn: { comlink: 'Wrap it.' } }),
      { ...untried, via: { library: 'piscina', path: '$', transfers: true, shape: null } },
      'Flatten it.',
    ],
    ['a rule without rewrites', rule({ remedies: [] }), {}, 'Flatten it.'],
    ['no rewrite fits', rule(), {}, null],
    ['no rewrite fits what is refused', rule({ level: 'rejected' }), {}, 'Flatten it.'],
    ['one is slower', rule(), { trials: [trial('compiled', 1.4)] }, null],
    [
      'a channel that copies',
      rule({ remedies: ['transfer', 'share'], fix: 'List the buffer.' }),
      { ...untried, channel: 'ipc-advanced' },
      null,
    ],
  ];
  for (const [name, fired, more, hint] of rows)
    assert.equal(ruleHint(fired, run('bun@1.4.5', more)), hint, name);
});

/** How texts name a rewrite. */
const NAMES: Record<string, RegExp> = {
  'json-text': /JSON text/i,
  transfer: /transfer list|transfer their/i,
  compiled: /\bflatten|\bcolumn/i,
  'typed-array': /(Int32|Uint32|Float64|BigInt64)Array/,
  plain: /plain form/i,
};

interface Told {
  explanations: number;
  /** Texts that name a rewrite which the same run found to be no good. */
  wrong: string[];
}

function told(report: Report): Told {
  const all = report.payloads.flatMap((payload) =>
    payload.runs.flatMap((one) => {
      const items = payloadNodes({ ...payload, runs: [one] });
      const bad = one.trials.filter(({ outcome, equality }) => outcome !== 'faster' || equality !== 'equal');
      return itemTexts(items).flatMap((text) => {
        const rule = Object.values(RULES).find(({ why }) => text.startsWith(why));
        if (rule === undefined) return [];
        const hint = text.slice(rule.why.length);
        const named = bad.filter(({ remedy }) => remedy !== one.advice?.remedy && NAMES[remedy]?.test(hint));
        return [named.map(({ remedy }) => `${payload.id}: ${remedy} in: ${text}`)];
      });
    }),
  );
  return { explanations: all.length, wrong: all.flat() };
}

const FILES = ['orders', 'rows', 'districts', 'store'].map((name) =>
  fileURLToPath(new URL(`../../fixtures/${name}.json`, import.meta.url)),
);

const ofAll = <T>(names: readonly string[], proof: T): Record<string, T> =>
  Object.fromEntries(names.map((name) => [name, proof]));
const remedies = Object.keys(REMEDIES);
const SLOW = ofAll(['with-conversion', 'in-place'], { roundTrip: 300_000 });

/** Each rewrite slower, lossy or refused. */
const SCRIPTS: Record<string, FakeScript> = {
  slower: { times: { of: SLOW } },
  lossy: { proofs: ofAll(remedies, { equality: 'lossy', losses: [{ path: '$', what: 'lost' }] }) },
  refused: { proofs: ofAll(remedies, { equality: 'refused', reason: 'this value cannot be rewritten' }) },
};

test('no hint names what the same run found to be no good', async () => {
  for (const [name, report] of Object.entries(FROZEN)) assert.deepEqual(told(report).wrong, [], name);
  for (const [name, script] of Object.entries(SCRIPTS)) {
    const args = ['analyze', ...FILES, '-f', 'json', '-r', 'node', 'bun'];
    const { stdout } = await runCli(args, { runtimes: ['node@24.0.0', 'bun@1.4.5'], script });
    const { explanations, wrong } = told(JSON.parse(stdout) as Report);
    assert.deepEqual(wrong, [], name);
    assert.ok(explanations >= 3, `${name}: too few causes to show anything: ${explanations}`);
  }
});
