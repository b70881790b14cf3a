/** The page to play with has no files. */
import type * as real from './stored.ts';

export const fileText: typeof real.fileText = () => '';
export const originalFile: typeof real.originalFile = () => '';
export const fileSentences: typeof real.fileSentences = () => [];
export const storedText: typeof real.storedText = () => [];
export const directionsOf: typeof real.directionsOf = () => ({ send: 'send', receive: 'receive' });
export const adviceWords: typeof real.adviceWords = () => ({
  ...{ done: 'posted', fewer: 'fewer, larger messages' },
  instead: 'an empty message. Post fewer, larger messages.',
});
