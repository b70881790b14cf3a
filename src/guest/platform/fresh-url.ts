import { pathToFileURL } from 'node:url';

let evaluations = 0;

/** Node and Deno cache modules by URL, the query included. */
export function freshQueryUrl(file: string): string {
  evaluations += 1;
  return `${pathToFileURL(file).href}?fresh=${evaluations}`;
}
