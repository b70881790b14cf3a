import type { CallTarget } from '../../model/rules/remedy.ts';
import type { TriedCalls } from '../../model/rules/tried.ts';
import { callOf, receptionOf } from './call.ts';
import { literal } from './javascript.ts';

const PLAIN = /^[\w./@: -]+$/;

const imported = (names: string, from: string) =>
  `import ${names} from ${PLAIN.test(from) ? `'${from}'` : literal(from)};\n\n`;

/** Code to paste: the user's own import, and the call of the channel or library. */
export function codeOfCalls(
  { imports, message, transferList, payload, comment }: TriedCalls,
  target: CallTarget,
) {
  const { from, sender, receiver } = imports;
  const told = comment === undefined ? '' : `// ${comment}\n`;
  return {
    sender: `${imported(sender, from)}${told}${callOf({ message, transferList }, target).join('\n')}`,
    receiver: `${imported(receiver, from)}${receptionOf(payload, target).join('\n')}`,
  };
}
