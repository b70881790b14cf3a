/** What a wrong value of the config is told: what was expected there. zod's own words would name its types. */

interface Issue {
  code?: string | undefined;
  keys?: readonly string[];
}

export const expecting = (what: string) => ({ error: () => `expected ${what}` });

/** An object of known keys: an unknown one is named with those that are known. */
export function knownKeys(keys: readonly string[], what: string) {
  return {
    error: (issue: Issue) =>
      issue.code === 'unrecognized_keys'
        ? `unknown key ${(issue.keys ?? []).map((key) => JSON.stringify(key)).join(', ')}. Known: ${keys.join(', ')}`
        : `expected ${what}`,
  };
}
