/** How a program stores a message in a file: what the guest does, too (guest/platform/process/stored-file.ts). */
import type { FileContent } from '../../model/names.ts';

const WRITES: Record<FileContent, (message: string) => string> = {
  serialized: (message) => `writeFileSync(file, serialize(${message})); // of node:fs and node:v8`,
  json: (message) => `const message = ${message};
writeFileSync(file, typeof message === 'string' ? message : serialize(message)); // of node:fs and node:v8`,
  text: (message) => `writeFileSync(file, ${message}); // of node:fs`,
  bytes: (message) => `writeFileSync(file, ${message}); // of node:fs`,
};

/** The lines before, and the expression of the message. A text that does not begin as JSON does is none. */
const READS: Record<FileContent, [before: string[], message: string]> = {
  serialized: [[], 'deserialize(readFileSync(file))'],
  json: [
    [
      'const stored = readFileSync(file);',
      'const isJson = stored[0] === 0x7b || stored[0] === 0x5b; // { and [',
      'const message = isJson ? stored.toString() : deserialize(stored);',
    ],
    'message',
  ],
  text: [[], "readFileSync(file, 'utf8')"],
  bytes: [[], 'readFileSync(file)'],
};

export const writeLines = (message: string, content: FileContent): string => WRITES[content](message);

export const readLines = (content: FileContent) => READS[content];
