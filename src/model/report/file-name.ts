/** Name of the file for a payload, without its extension. No character of an id can lead to a different folder. */
export const fileNameOf = (id: string): string =>
  id.replace(/[^\w.-]+/g, '-').replace(/^[-.]+|-+$/g, '') || 'payload';

/** Name of the payload file that comes on stdin; commands name it `-`. */
export const STDIN = 'stdin';

/** Last part of a path of any system, without its extension: a report may come from another one. */
export const stemOf = (file: string): string => /([^/\\]+?)(\.[^.]*)?$/.exec(file)?.[1] ?? '';
