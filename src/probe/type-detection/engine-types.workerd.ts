/** What workerd tells of built-in types: Node's modules without threads. */
import { Buffer } from 'node:buffer';

export { types } from 'node:util';

export const bufferPrototype: object | null = Buffer.prototype;
export const isMarkedAsUntransferable: ((buffer: object) => boolean) | undefined = undefined;
/** Each small buffer has memory of its own. */
export const poolBytes = 0;
