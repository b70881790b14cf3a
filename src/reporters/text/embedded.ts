import { deflateRawSync } from 'node:zlib';

/** A longer document would be the larger part of its page. */
const MAX_LENGTH = 64_000;

/**
 * A JSON document for inside a page: itself, or where it is long a JSON string with the base64 text of its raw deflate
 * (RFC 1951).
 */
export const embedded = (json: string): string =>
  json.length <= MAX_LENGTH ? json : JSON.stringify(deflateRawSync(json).toString('base64'));
