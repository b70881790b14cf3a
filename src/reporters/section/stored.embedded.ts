/** The page to play with has neither files nor databases. */
import type * as real from './stored.ts';

export const fileText: typeof real.fileText = () => '';
export const originalFile: typeof real.originalFile = () => '';
export const blocksText: typeof real.blocksText = () => '';
export const originalBlocks: typeof real.originalBlocks = () => '';
export const storedSentences: typeof real.storedSentences = () => [];
export const storedText: typeof real.storedText = () => [];
export const directionsOf: typeof real.directionsOf = () => ({ send: 'send', receive: 'receive' });
export const adviceWords: typeof real.adviceWords = () => ({
  ...{ done: 'posted', fewer: 'fewer, larger messages' },
  instead: 'an empty message. Post fewer, larger messages.',
});
export const databaseRows: typeof real.databaseRows = () => [];
