/** Name of the file for a payload, without its ending. What an id brings along never leads to another folder. */
export const fileNameOf = (id: string): string =>
  id.replace(/[^\w.-]+/g, '-').replace(/^[-.]+|-+$/g, '') || 'payload';
