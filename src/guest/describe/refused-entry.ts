/** Which entry of a transfer list is refused, and why. */
import { isDetached } from '../../core/describe/inspect/buffers.ts';
import { throws } from '../../model/or-else.ts';
import type { ListedRefusal } from '../../model/rules/loss.ts';
import type { Confirmation } from '../../model/wire/wire.ts';
import { pathTo } from '../../probe/oracle/oracle-result.ts';
import { typeDetection } from '../../probe/type-detection/type-detection.ts';
import type { Built } from '../payload/thenable.ts';

function whatIsWrong(entry: unknown): ListedRefusal {
  if (typeof entry !== 'object' || entry === null) return 'other';
  const { of, isProxy } = typeDetection();
  const kind = isProxy(entry) ? 'proxy' : of(entry).kind;
  if (kind === 'sharedarraybuffer') return 'shared';
  if (kind !== 'arraybuffer') return 'other';
  return isDetached(entry) ? 'detached' : 'fixed';
}

/**
 * The first entry that is refused by itself, with its path in the payload, or the root if it is not in there; null if each
 * can be moved: then it is the payload that is refused. Moves the entries.
 *
 * @param built a payload that nothing has used
 */
export function refusedEntry({
  value,
  transfer: list = [],
}: Built): Pick<Confirmation, 'refused' | 'listed'> | null {
  for (const [at, entry] of list.entries()) {
    const isTwice = list.indexOf(entry) < at;
    if (!isTwice && !throws(() => structuredClone(0, { transfer: [entry] }))) continue;
    const isIt = (one: unknown) => one === entry || (ArrayBuffer.isView(one) && one.buffer === entry);
    return { refused: pathTo(value, isIt) ?? '$', listed: isTwice ? 'twice' : whatIsWrong(entry) };
  }
  return null;
}
