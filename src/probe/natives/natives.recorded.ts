/** V8's natives in a page of the user's: it is not started with them, and to compile anything may be against its policy. */
import type { Natives } from './native-functions.ts';

export const v8Natives = (): Natives | null => null;

export const isProxy: ((value: object) => boolean) | null = null;
