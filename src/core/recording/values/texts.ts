/** Texts of a message, and the flags of its values. */
import type { TextNode, ValueTree } from '../../../model/documents/recorded/value-tree.ts';
import type { Flag, Kind } from '../../../model/vocabulary/shape.ts';
import { listFlags } from '../../describe/inspect/flags.ts';
import { filter } from '../../value/lists.ts';
import { REPEATED_UNITS, tellUnits } from './masks.ts';
import type { SampleOptions } from './sample-options.ts';

/** Facts that the tree holds otherwise, that follow from what is in it, or that nothing depends on. */
const IMPLIED: ReadonlySet<Flag> = new Set<Flag>([
  ...(['empty', 'indexed-key', 'proto-key', 'named-props', 'holes', 'repeated', 'cycle'] as const),
  ...(['after-bigint', 'one-byte', 'two-byte', 'packed-smi'] as const),
  ...(['history-unknown', 'dictionary-unknown', 'share-unknown', 'undecided', 'has-cause'] as const),
  ...(['cause-not-text', 'units-over-128', 'units-from-256', 'bytes-from-514', 'transferable'] as const),
]);
export function keptFlags(kind: Kind, bits: number, stored: number): { flags?: Flag[] } {
  const flags = filter(listFlags(kind, bits, stored), (flag) => !IMPLIED.has(flag));
  return flags.length === 0 ? {} : { flags };
}

export class Texts {
  readonly #storage: SampleOptions['probe']['storage'];
  readonly #all: { node: TextNode; text: string }[] = [];

  constructor({ probe }: SampleOptions) {
    this.#storage = probe.storage;
  }

  node(text: string, depth: number, isKept: boolean): ValueTree {
    const flags = keptFlags('string', 0, this.#storage.string(text, depth));
    const node: TextNode = { is: 'text', units: text.length, ...flags };
    if (isKept) node.text = text;
    this.#all.push({ node, text });
    return isKept && flags.flags === undefined ? text : node;
  }

  /** Reads what was put off: it flattens ropes. */
  finish(): void {
    const repeated = new Map<string, TextNode>();
    let likes = 0;
    for (let i = 0; i < this.#all.length; i++) {
      const { node, text } = this.#all[i]!;
      if (node.text !== undefined) continue;
      tellUnits(node, text);
      if (text.length < REPEATED_UNITS) continue;
      const first = repeated.get(text);
      if (first === undefined) repeated.set(text, node);
      else {
        first.like ??= likes++;
        node.like = first.like;
      }
    }
    this.#all.length = 0;
  }
}
