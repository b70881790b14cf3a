/** Content security policies that let the recorder in, and nothing else that they did not (w3.org/TR/CSP3). */

/** What the recorder needs. */
export interface Needed {
  /** Source of its script. */
  script: string;
  /** Source of its socket. */
  socket: string;
  /** Of the script's element: sources are ignored where 'strict-dynamic' is. */
  nonce: string;
}

const STRICT = "'strict-dynamic'";
const isNone = (source: string) => source.toLowerCase() === "'none'";

type Directives = Map<string, string[]>;

/** The first directive of a name counts; others are kept as they are. */
function parsed(policy: string): { directives: Directives; rest: string[] } {
  const directives: Directives = new Map();
  const rest: string[] = [];
  for (const text of policy.split(';')) {
    const [name, ...sources] = text.trim().split(/\s+/);
    const key = name!.toLowerCase();
    if (key === '') continue;
    if (directives.has(key)) rest.push(text.trim());
    else directives.set(key, sources);
  }
  return { directives, rest };
}

/** Adds sources to the directive that holds; `default-src`, which holds for much else, gets one beside it. */
function add(directives: Directives, names: readonly string[], sources: readonly string[]): void {
  const holds = names.find((name) => directives.has(name));
  const found = holds === undefined ? directives.get('default-src') : directives.get(holds);
  if (found === undefined) return;
  directives.set(holds ?? names.at(-1)!, [...found.filter((source) => !isNone(source)), ...sources]);
}

function policyFor(policy: string, { script, socket, nonce }: Needed): string {
  const { directives, rest } = parsed(policy);
  const scripts = (name: string) => {
    const sources = directives.get(name) ?? directives.get('script-src') ?? directives.get('default-src');
    return sources?.includes(STRICT) ? [script, `'nonce-${nonce}'`] : [script];
  };
  const [ofElements, ofAll] = [scripts('script-src-elem'), scripts('script-src')];
  if (directives.has('script-src-elem')) add(directives, ['script-src-elem'], ofElements);
  add(directives, ['script-src'], ofAll);
  // Imports of module workers.
  if (directives.has('worker-src')) add(directives, ['worker-src'], [script]);
  add(directives, ['connect-src'], [socket]);
  return [...[...directives].map(([name, sources]) => [name, ...sources].join(' ')), ...rest].join('; ');
}

/** The value of a header, which may hold several policies: each must allow the recorder. */
export const policyWith = (header: string, needed: Needed): string =>
  header
    .split(',')
    .map((policy) => policyFor(policy, needed))
    .join(', ');
