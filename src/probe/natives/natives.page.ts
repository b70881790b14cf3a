/** V8's natives in a page: Chromium is started with `--allow-natives-syntax`, for all its threads. */
import { compiledNatives, type Natives, nativeOrNull } from './native-functions.ts';

/** Before user code runs. */
const natives = compiledNatives();

/** null where the browser was started without the flag, or is not of V8. */
export const v8Natives = (): Natives | null => natives;

/** null as `v8Natives`. */
export const isProxy: ((value: object) => boolean) | null = nativeOrNull('IsJSProxy', {});
