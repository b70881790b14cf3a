/** Texts and numbers of a message, and the flags of its values. */
import type { TextNode, ValueTree } from '../../../model/documents/recorded/value-tree.ts';
import type { Flag, Kind } from '../../../model/vocabulary/shape.ts';
import { listFlags } from '../../describe/inspect/flags.ts';
import { filter } from '../../value/lists.ts';
import { maskedBigint, maskedNumber, REPEATED_UNITS, tellUnits } from './masks.ts';
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

export class Scalars {
  readonly #options: SampleOptions;
  readonly #texts: { node: TextNode; text: string }[] = [];

  constructor(options: SampleOptions) {
    this.#options = options;
  }

  bigint(value: bigint): ValueTree {
    const { mask, chance } = this.#options;
    return { is: 'bigint', bigint: String(mask === 'all' ? maskedBigint(value, chance) : value) };
  }

  number(value: number): ValueTree {
    const { mask, chance } = this.#options;
    const isJson = value - value === 0 && (value !== 0 || 1 / value > 0);
    if (!isJson) return { is: 'number', number: value === 0 ? '-0' : String(value) };
    return mask === 'all' ? maskedNumber(value, chance) : value;
  }

  text(text: string, depth: number, isKept: boolean): ValueTree {
    const flags = keptFlags('string', 0, this.#options.probe.storage.string(text, depth));
    const node: TextNode = { is: 'text', units: text.length, ...flags };
    if (isKept) node.text = text;
    this.#texts.push({ node, text });
    return isKept && flags.flags === undefined ? text : node;
  }

  /** Reads what was put off: it flattens ropes. */
  finish(): void {
    const repeated = new Map<string, TextNode>();
    let likes = 0;
    for (let i = 0; i < this.#texts.length; i++) {
      const { node, text } = this.#texts[i]!;
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
    this.#texts.length = 0;
  }
}
