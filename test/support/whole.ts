/**
 * `npm test` takes minutes: of what differs in a version, a browser, a channel, a format or a signal alone it has those
 * that tell most. `npm run test:whole` has all of them.
 */
export const isWhole = process.env.CLONE_PROF_TEST_WHOLE === '1';

/** @param rest only in the whole suite */
export const usually = <const T>(always: readonly T[], rest: readonly T[]): readonly T[] =>
  isWhole ? [...always, ...rest] : always;

/** Reason to skip a test in `npm test`. */
export const onlyInWhole: string | false = isWhole ? false : 'npm run test:whole has it';
