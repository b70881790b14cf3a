/** Projects with a gate, for transcripts of `check`. */
import type { CliScenario } from '../support/run-cli.ts';

export const ROWS = '[{"id":1,"name":"Ada"},{"id":2,"name":"Alan"}]';
export const NESTED = '[\n  {"id":1,"name":"Ada"},\n  {"id":2,"name":"Alan","geo":{"lat":1}}\n]';
export const HOSTILE =
  '[{"::error::x":{"</script><b>|`*":1}, "\\u001b[31m%0A\\n::warning::y":{"a,b:c":2}, "]]>\\ufffe":{"x":"&"}}]';

export const config = (...payloads: unknown[]) => JSON.stringify({ runtimes: ['bun@1.4.5'], payloads });

export function scenario(files: Record<string, string>, more: CliScenario = {}): CliScenario {
  return { files, runtimes: ['bun@1.4.5', 'node@24.0.0'], ...more };
}

export const one = { id: 'rows', input: 'rows.json', limits: { class: 'in-memory', maxBytes: '64 kB' } };
export const CONFIG = 'clone-prof.config.json';

export const kept = scenario({ 'rows.json': ROWS, [CONFIG]: config(one) });
export const broken = scenario({ 'rows.json': NESTED, [CONFIG]: config(one) });
export const hostile = scenario({ 'rows.json': HOSTILE, [CONFIG]: config(one) });
const ALL_OFF = ['class', 'maxBytes', 'maxAmplification', 'lossy', 'rejected', 'transfer'];
export const nothing = scenario({
  'rows.json': ROWS,
  [CONFIG]: config({ input: 'rows.json', limits: Object.fromEntries(ALL_OFF.map((name) => [name, 'off'])) }),
});
export const regressed = scenario(
  { 'rows.json': ROWS, [CONFIG]: config('rows.json') },
  { before: [['baseline']], changed: { 'rows.json': NESTED } },
);

/** One that stays, one that the pull request changes. */
export const project = {
  'rows.json': ROWS,
  'user.json': '{"id":1}',
  [CONFIG]: config('user.json', 'rows.json'),
};
export const change = (
  changed: Record<string, string>,
  { before = project, ...more }: { before?: Record<string, string> } & Omit<CliScenario, 'before'> = {},
): CliScenario => scenario(before, { before: [['baseline']], changed, ...more });
