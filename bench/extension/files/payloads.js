/** What is posted. Node writes those of rows to files, which the codecs are made from. */
const COUNTRIES = ['AT', 'BE', 'CH', 'DE', 'FR'];

const rows = (count) =>
  Array.from({ length: count }, (_, i) => ({
    id: i,
    name: `customer ${i}`,
    country: COUNTRIES[i % COUNTRIES.length],
    total: i * 1.25,
    paid: i % 3 === 0,
  }));

export const empty = () => '';
export const bytes = () => Uint8Array.from({ length: 256 * 1024 }, (_, i) => (i * 31) % 251);
export const rows1000 = () => rows(1000);
export const rows5000 = () => rows(5000);
export const text = () => ({ text: 'All work and no play. '.repeat(3e6 / 22) });
export const functions = () => ({ id: 1, onDone: () => undefined });
