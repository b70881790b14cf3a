import type { TriedCalls } from '../../model/rules/tried.ts';
import { literal } from './javascript.ts';

const PLAIN = /^[\w./@: -]+$/;

const imported = (names: string, from: string) =>
  `import ${names} from ${PLAIN.test(from) ? `'${from}'` : literal(from)};\n\n`;

/** Code to paste: the user's own import, and the call. */
export function codeOfCalls({ imports, message, transferList, payload, comment }: TriedCalls) {
  const { from, sender, receiver } = imports;
  const told = comment === undefined ? '' : `// ${comment}\n`;
  const post =
    transferList === null
      ? `worker.postMessage(${message});`
      : `const message = ${message};\nworker.postMessage(message, ${transferList});`;
  return {
    sender: `${imported(sender, from)}${told}${post}`,
    receiver: `${imported(receiver, from)}const payload = ${payload};`,
  };
}
