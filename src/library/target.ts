/** Which runtime a program asks about, though it need not be here: classification goes by rules. */

import { ToolError } from '../model/errors.ts';
import { ENGINE_OF, type RuntimeId, type RuntimeName } from '../model/names.ts';
import { runningRuntime } from '../probe/running-runtime.ts';

export interface Target extends RuntimeId {
  /** As it was asked for: "bun@1.4". */
  spec: string;
}

const NAMES = Object.keys(ENGINE_OF) as RuntimeName[];

const PARTS = 3;
/** Larger than any release: a line stands for its newest version, those to come included. */
const NEWEST = 999;

function isName(text: string): text is RuntimeName {
  return (NAMES as string[]).includes(text);
}

/** "1.4" -> "1.4.999". */
function newestOf(line: string): string {
  const parts = line === '' ? [] : line.split('.');
  return [...parts, ...Array<number>(Math.max(0, PARTS - parts.length)).fill(NEWEST)].join('.');
}

function versionOf(name: RuntimeName, wanted: string | undefined, spec: string): string {
  if (wanted === undefined) {
    const running = runningRuntime();
    return running.name === name ? running.version : newestOf('');
  }
  const line = wanted === 'latest' ? '' : wanted.replace(/^v(?=\d)/, '');
  if (wanted === 'latest' || /^\d+(\.\d+){0,2}$/.test(line)) return newestOf(line);
  // A pre-release counts as the release it leads to.
  if (/^\d+\.\d+\.\d+[-+]/.test(line)) return line;
  throw new ToolError('usage', {
    detail: `runtime '${spec}': '${wanted}' is not a version. Write it like node@24, bun@1.4 or deno@2.9.6`,
  });
}

/**
 * "node", "bun@1.4", "deno@2.9.6", "chromium@150", "firefox", "webkit". A line of versions ("bun@1.4", "node@24") means
 * the newest of that line; a bare name the running version, or the newest where another runtime is running. undefined:
 * the runtime that this program runs in.
 *
 * @throws ToolError 'usage'
 */
export function targetOf(spec: string | undefined): Target {
  const running = runningRuntime();
  const asked = spec ?? `${running.name}@${running.version}`;
  const [, name = '', wanted] = /^([^@]*)(?:@(.*))?$/s.exec(asked.trim()) ?? [];
  if (!isName(name)) {
    const known = NAMES.join(', ');
    throw new ToolError('usage', { detail: `unknown runtime '${asked}'. Known: ${known}, also as bun@1.4` });
  }
  return { name, version: versionOf(name, wanted, asked), engine: ENGINE_OF[name], spec: asked };
}
