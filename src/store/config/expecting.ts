/** Messages for a wrong value of the config: what was expected there. zod's own messages would name its types. */
import { z } from 'zod';

interface Issue {
  code?: string | undefined;
  keys?: readonly string[];
}

export const expecting = (what: string) => ({ error: () => `expected ${what}` });

/** An object of these keys only: an unknown one is named with those that are known. */
export function knownObject<Shape extends z.ZodRawShape>(shape: Shape, what: string) {
  const known = Object.keys(shape).filter((key) => !key.startsWith('$'));
  return z.strictObject(shape, {
    error: (issue: Issue) =>
      issue.code === 'unrecognized_keys'
        ? `unknown key ${(issue.keys ?? []).map((key) => JSON.stringify(key)).join(', ')}. Known: ${known.join(', ')}`
        : `expected ${what}`,
  });
}
