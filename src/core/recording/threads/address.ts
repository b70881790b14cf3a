/** It runs in recorded pages too, where methods of strings are the page's. */
const begins = (text: string, start: string): boolean => {
  for (let i = 0; i < start.length; i++) if (text[i] !== start[i]) return false;
  return true;
};

/** The recorded form of an address: without parts that may be a secret or are new each time. */
export function addressOf(url: string): string {
  if (begins(url, 'data:')) return 'data:';
  if (begins(url, 'blob:')) return 'blob:';
  let address = '';
  for (let i = 0; i < url.length; i++) {
    const letter = url[i]!;
    if (letter === '?' || letter === '#') break;
    address += letter;
  }
  return address;
}
