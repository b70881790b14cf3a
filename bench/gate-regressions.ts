/** Payloads that take twice as long, or twice the memory, after a change: `check` must name the limit and the place. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CheckReport } from '../src/model/documents/check.ts';
import { provision } from '../src/runtimes/provision/provision.ts';

const rows = (fields: string, count: number) =>
  `export const payload = () => Array.from({ length: ${count} }, (_, i) => ({ id: i, name: 'name ' + i, ${fields} }));`;

const TWICE_AS_SLOW = {
  before: rows("tags: ['a', 'b']", 150),
  after: rows("tags: ['a', 'b'], more: { of: [i, i, i], it: { is: 'here' } }", 150),
};
const TWICE_THE_MEMORY = {
  before: rows("text: 'x'.repeat(100) + i", 200),
  after: rows("text: 'x'.repeat(100) + i, more: [i, 'y'.repeat(150) + i]", 200),
};

export const REGRESSIONS = [
  { on: 'node', limit: 'time', path: '$[*].more.of[*]', ...TWICE_AS_SLOW },
  { on: 'bun@1.4.5', limit: 'time', path: '$[*].more', ...TWICE_AS_SLOW },
  { on: 'node', limit: 'memory', path: '$[*].more[*]', ...TWICE_THE_MEMORY },
] as const;

/** As slow as `before`, with other values: equal ones are not timed. */
const AS_SLOW = rows("tags: ['c', 'd']", 150);
const BUDGET_S = 15;
const LIMITS = { class: 'off', maxBytes: 'off', time: '+20%' };

/** How much of its budget a limit of time takes that is clearly kept, and one that is clearly broken. */
export async function budgetUsed(folder: string, check: Check): Promise<{ kept: number; broken: number }> {
  const project = join(folder, 'decided early');
  mkdirSync(project);
  const payload = (text: string) => writeFileSync(join(project, 'payload.mjs'), text);
  const entry = { id: 'payload', input: 'payload.mjs', export: 'payload', runtimes: [process.execPath] };
  const config = { payloads: [{ ...entry, limits: LIMITS }] };
  writeFileSync(join(project, 'clone-prof.config.json'), JSON.stringify(config));
  payload(TWICE_AS_SLOW.before);
  const { code, said } = await check(project, 'baseline', '--samples');
  if (code !== 0) throw new Error(said);
  const shareOf = async (text: string, wanted: number) => {
    payload(text);
    const began = performance.now();
    const answer = await check(project, 'check', '-b', `${BUDGET_S}s`);
    if (answer.code !== wanted) throw new Error(`exit ${answer.code}: ${answer.said}`);
    return (performance.now() - began) / 1000 / BUDGET_S;
  };
  return { kept: await shareOf(AS_SLOW, 0), broken: await shareOf(TWICE_AS_SLOW.after, 1) };
}

type Check = (folder: string, ...args: string[]) => Promise<{ code: number; stdout: string; said: string }>;

/** Output of `check` for each regression that it missed. */
export async function missedRegressions(folder: string, check: Check): Promise<string[]> {
  const missed: string[] = [];
  for (const [index, regression] of REGRESSIONS.entries()) {
    const project = join(folder, `regression ${index}`);
    mkdirSync(project);
    const said = await saidOf(project, regression, check);
    if (said !== null) missed.push(`${regression.limit} on ${regression.on}: ${said}`);
  }
  return missed;
}

/** Null when the gate passes before the change and names the regression after it. */
async function saidOf(
  project: string,
  { on, limit, path, before, after }: (typeof REGRESSIONS)[number],
  check: Check,
): Promise<string | null> {
  const limits = { class: 'off', maxBytes: 'off', [limit]: '+20%' };
  const runtimes = [on === 'node' ? process.execPath : (await provision(on)).binary];
  const entry = { id: 'payload', input: 'payload.mjs', export: 'payload', runtimes, limits };
  writeFileSync(join(project, 'clone-prof.config.json'), JSON.stringify({ payloads: [entry] }));
  writeFileSync(join(project, 'payload.mjs'), before);
  for (const args of [
    ['baseline', '--samples'],
    ['check', '-b', '15s'],
  ]) {
    const { code, said } = await check(project, ...args);
    if (code !== 0) return said;
  }
  writeFileSync(join(project, 'payload.mjs'), after);
  const { stdout, said } = await check(project, 'check', '-f', 'json', '-b', '15s');
  const { results } = JSON.parse(stdout) as CheckReport;
  const found = results.some((one) => one.outcome === 'failed' && one.limit === limit && one.path === path);
  return found ? null : said;
}
