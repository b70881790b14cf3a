import assert from 'node:assert/strict';
import { test } from 'node:test';
import { estimateCost, refinedShare, shareToSpend } from '../../../src/core/sweep/budget.ts';

const size = (messagesMs: number) => ({ messagesMs, sliceMs: messagesMs / 2 });

test('a larger size costs what the smaller one cost, times its growth', () => {
  const before = { bytes: 1e6, roundMs: 100 };
  const small = estimateCost({ bytes: 1e6, strategies: 3, before });
  assert.deepEqual(estimateCost({ bytes: 4e6, strategies: 3, before }), {
    messagesMs: 4 * small.messagesMs,
    sliceMs: 4 * small.sliceMs,
  });
  assert.deepEqual(
    estimateCost({ bytes: 10, strategies: 3, before }),
    small,
    'never less than what was seen',
  );
  const unknown = estimateCost({ bytes: 1e6, strategies: 3, before: null });
  assert.ok(unknown.messagesMs > estimateCost({ bytes: 1e6, strategies: 1, before: null }).messagesMs);
});

test('what the budget pays for gets a share by its cost, the rest gets nothing', () => {
  const rows: [name: string, sizes: number[], leftMs: number, paid: boolean, budgetMs?: number][] = [
    ['all fit', [100, 1000, 5000], 20_000, true],
    ['the largest alone, with reserve', [8000], 11_000, true],
    ['the largest alone, too little', [8000], 9000, false],
    ['a middle one, whatever the largest costs', [3000, 90_000], 5000, true],
    ['a middle one, after which nothing is left', [3000, 90_000], 3000, false],
    ['a cheap one is always measured', [100, 90_000], 0, true],
    ['a cheaper one comes first', [8000, 4000], 11_000, false],
    ['what is asked gets a point where nothing is left of a long budget', [9000], 0, true, 20_000],
    ['but not for most of it', [11_000], 0, false, 20_000],
  ];
  for (const [name, sizes, leftMs, paid, budgetMs = 0] of rows) {
    const share = shareToSpend(sizes.map(size), leftMs, { budgetMs });
    assert.equal(share !== null, paid, name);
    if (share !== null && leftMs > 0) assert.ok(share <= leftMs, `${name}: more than is left`);
  }
  assert.equal(shareToSpend([], 1000), null);
});

test('shares of all sizes stay within the budget, and the largest gets most', () => {
  const sizes = [100, 300, 1000, 3000, 9000].map(size);
  let leftMs = 30_000;
  const shares = sizes.map((_, at) => {
    const share = shareToSpend(sizes.slice(at), leftMs) ?? 0;
    leftMs -= share;
    return share;
  });
  assert.ok(leftMs >= 0, `${leftMs} left`);
  assert.equal(shares.at(-1), Math.max(...shares));
});

test('where further sizes follow, each of the first gets less', () => {
  const sizes = [100, 100].map(size);
  const [alone, refined] = [shareToSpend(sizes, 60_000)!, shareToSpend(sizes, 60_000, { refined: true })!];
  assert.ok(refined < alone, `${refined} of ${alone}`);
  assert.equal(shareToSpend(sizes.slice(1), 60_000, { refined: true }), refined, 'the last one too');
  assert.equal(
    shareToSpend(sizes, 2000, { refined: true }),
    shareToSpend(sizes, 2000),
    'a short budget is all theirs',
  );
});

test('a size near a crossover is measured while the budget pays for it', () => {
  assert.equal(refinedShare(size(1000), 1, 1000), null);
  assert.equal(refinedShare(size(1000), 1, 3000), 3000);
  assert.equal(refinedShare(size(1000), 3, 30_000), 10_000, 'an equal share of what is left');
  assert.equal(refinedShare(size(1000), 3, 3000), 1800, 'what it costs at least');
});
