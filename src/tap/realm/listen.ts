import { unbound } from './intrinsics.ts';

/** `addEventListener` as the engine has it. */
export const listen = unbound(EventTarget.prototype.addEventListener) as unknown as (
  target: unknown,
  type: string,
  listener: (event: object) => void,
  capture?: boolean,
) => void;
