import { execFileSync } from 'node:child_process';
import { runtime } from './runtimes.ts';

const SCRIPT = 'console.log(JSON.stringify((await Bun.stdin.json()).map((text) => Bun.YAML.parse(text))))';

/** By Bun, which has a parser of YAML. */
export function parsedYaml(texts: readonly string[]): unknown[] {
  const { binary } = runtime('bun@1.4.5');
  const input = JSON.stringify(texts);
  return JSON.parse(execFileSync(binary, ['-e', SCRIPT], { input, encoding: 'utf8' })) as unknown[];
}
