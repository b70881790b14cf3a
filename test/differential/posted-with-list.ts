/** Posts each value of a module with its list, in the runtime under test. */

import { postHere } from '../../src/engines/probe/post-here.ts';

export interface ListedAnswer {
  /** What the post threw, or why nothing arrived. */
  refused: string | null;
  /** Bytes of buffers that the sender no longer has. */
  moved: number;
  /** The first in the list that is refused without the value, or is there twice; null if none is. */
  culprit: number | null;
}

type Made = { value: unknown; list: Transferable[] };
const textOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

function refusedBy(post: () => unknown): string | null {
  try {
    post();
    return null;
  } catch (error) {
    return textOf(error);
  }
}

/** Some versions deliver nothing that comes after. */
const LATEST_MS = 1000;

const posted = ({ value, list }: Made): Promise<string | null> =>
  postHere(value, list, () => null, LATEST_MS).catch(textOf);

const buffersOf = (list: readonly unknown[]) =>
  [...new Set(list)].filter((one): one is ArrayBuffer => one instanceof ArrayBuffer);
const bytesOf = (list: readonly unknown[]) =>
  buffersOf(list).reduce((sum, { byteLength }) => sum + byteLength, 0);

async function answered(make: () => Made, channel: string): Promise<ListedAnswer> {
  const made = make();
  const before = bytesOf(made.list);
  const cloned = () => structuredClone(made.value, { transfer: made.list });
  const refused = channel === 'structured-clone' ? refusedBy(cloned) : await posted(made);
  const moved = before - bytesOf(made.list);
  if (refused === null) return { refused, moved, culprit: null };
  const { list } = make();
  const culprit = list.findIndex(
    (one, at) => list.indexOf(one) < at || refusedBy(() => structuredClone(0, { transfer: [one] })) !== null,
  );
  return { refused, moved, culprit: culprit < 0 ? null : culprit };
}

/** Exports of the module: factories v0, v1, ..., and the list of each by its name. */
export async function postedWithLists(
  { transfer, ...factories }: Record<string, (value?: unknown, name?: string) => unknown>,
  channel: string,
): Promise<ListedAnswer[]> {
  const answers: ListedAnswer[] = [];
  for (let at = 0; factories[`v${at}`] !== undefined; at++) {
    const name = `v${at}`;
    const make = (): Made => {
      const value = factories[name]!();
      return { value, list: transfer!(value, name) as Transferable[] };
    };
    answers.push(await answered(make, channel));
  }
  return answers;
}
