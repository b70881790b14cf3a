// What the programs of this folder make their messages of. Seeded: each run posts the same.

let state = 1;
export const seed = (from) => {
  state = from >>> 0;
};
export function random() {
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
}
export const whole = (low, high) => low + Math.floor(random() * (high - low + 1));
/** Skewed: most are small. */
export const skewed = (low, high, power = 4) => low + Math.floor(random() ** power * (high - low));
export const list = (length, make) => {
  const all = [];
  for (let i = 0; i < length; i++) all.push(make(i));
  return all;
};
const LETTERS = 'the quick brown fox jumps over the lazy dog, ';
export const text = (units, letters = LETTERS) => {
  const start = whole(0, letters.length - 1);
  return letters.repeat(Math.ceil(units / letters.length) + 1).slice(start, start + units);
};
export const wide = (units) => text(units, 'Жизнь прекрасна 中文 ');
export const hex = (units) => list(units, () => whole(0, 15).toString(16)).join('');
export const uuid = () => [8, 4, 4, 4, 12].map(hex).join('-');
export const record = (i, units = whole(5, 40)) => ({
  id: i,
  name: text(units),
  price: random() * 1000,
  tags: list(whole(0, 4), () => text(whole(3, 12))),
  inStock: random() < 0.5,
});
export const dictionary = (length, key, value) => {
  const made = {};
  for (let i = 0; i < length; i++) made[key(i)] = value(i);
  return made;
};
