/** The payloads of published studies of postMessage. The page builds each once on either side, as programs do. */

/** @param {number} keys */
function record(keys) {
  /** @type {Record<string, number>} */
  const made = {};
  for (let i = 0; i < keys; i++) made[`key${i}`] = i;
  return made;
}

/** A text of its own, as a program reads one: neither a rope nor a piece of a longer one. @param {number} chars */
function nested(chars) {
  const text = JSON.parse(JSON.stringify('lorem ipsum dolor '.repeat(chars / 18)));
  return { id: 1, content: { kind: 'text', text } };
}

export const keys10 = () => record(10);
export const keys30 = () => record(30);
export const keys100 = () => record(100);
export const keys300 = () => record(300);
export const keys1000 = () => record(1000);
export const keys3000 = () => record(3000);
export const keys10000 = () => record(10_000);
export const text100kB = () => nested(99_900);
export const text3MB = () => nested(3_000_600);
