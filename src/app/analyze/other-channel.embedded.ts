/** A page has no processes. */
export { sampleWithTries as sampleBeside } from './tries.ts';
