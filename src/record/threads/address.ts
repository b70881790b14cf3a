import { execOn } from '../../value/read/intrinsics.ts';

const KEPT = /^(?:data:|blob:|[^?#]*)/;

/** The recorded form of an address: without parts that may be a secret or are new each time. */
export const addressOf = (url: string): string => execOn(KEPT, url)![0];
