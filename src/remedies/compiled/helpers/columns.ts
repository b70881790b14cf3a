/** Helpers of `viewMessage`, which reads lists of records by column. */
export const COLUMNS: readonly string[] = [
  `/** Where the texts of each record start; null where not each value has its place. */
function textStarts(width/*: number */, texts/*: number[] */, marks/*: number[] */, length/*: number */)/*: Int32Array | null */ {
  const all = intsIn.subarray(ip, ip + width * length);
  if (all.length < width * length) return null;
  for (let at = 0; at < all.length; at++) if (all[at]/*as number */ < FALSE) return null;
  const starts = new Int32Array(length + 1);
  let end = tp;
  for (let row = 0, at = 0; row < length; row++, at += width) {
    starts[row] = end;
    for (let n = 0; n < marks.length; n += 2) {
      if (all[at + (marks[n]/*as number */)] !== marks[n + 1]) return null;
    }
    for (let n = 0; n < texts.length; n++) {
      const units = all[at + (texts[n]/*as number */)]/*as number */;
      if (units > 0) end += units;
    }
  }
  starts[length] = end;
  return starts;
}`,
  `/** Records that take as many places each: they are read where they stand. */
function fixedRows/*<T> */(read/*: () => T */, readAll/*: () => T[] */, fixed/*: Fixed<T> */)/*: Columns<T> */ {
  const length = nextInt();
  if (!isLength(length)) return columnsOf(readOther(length)/*as T[] */);
  const starts = textStarts(fixed.ints, fixed.texts, fixed.marks, length);
  if (starts === null || doublesIn.subarray(dp, dp + fixed.doubles * length).includes(ESCAPE)) {
    ip--;
    return columnsOf(readAll());
  }
  const message = { version: versionIn, ints: intsIn, doubles: doublesIn, text: textIn, words: '', rest: restIn };
  const [known, firstInt, firstDouble] = [wordsIn, ip, dp];
  [ip, dp, tp] = [ip + fixed.ints * length, dp + fixed.doubles * length, starts[length]/*as number */];
  const readAt = /*<V> */(row/*: number */, skipped/*: number */, doubles/*: number */, one/*: () => V */)/*: V */ => {
    take(message);
    wordsIn = known;
    ip = firstInt + row * fixed.ints;
    tp = starts[row]/*as number */;
    for (const place of fixed.texts) if (place < skipped) tp += Math.max(0, intsIn[ip + place]/*as number */);
    ip += skipped;
    dp = firstDouble + row * fixed.doubles + doubles;
    const value = one();
    take(NOTHING);
    return value;
  };
  const column = (key/*: keyof T */) => {
    const [ints, doubles, one, array] = fixed.columns[key];
    const values = Array.from({ length }, (_, row) => readAt(row, ints, doubles, one));
    return array !== undefined && values.every(isNumber) ? array.from(values/*as number[] */) : values;
  };
  return records(length, (row) => readAt(row, 0, 0, read), column);
}`,
  `function records/*<T> */(length/*: number */, read/*: (row: number) => T */, column/*: (key: keyof T) => unknown */)/*: Columns<T> */ {
  return {
    length,
    at(place) {
      const row = place < 0 ? place + length : place;
      if (!(row >= 0 && row < length)) throw new RangeError(\`no record \${place} of \${length}\`);
      return read(row);
    },
    column: (key) => column(key)/*as never */,
    *[Symbol.iterator]() {
      for (let row = 0; row < length; row++) yield read(row);
    },
  };
}`,
  `/** Columns of records that were built. */
function columnsOf/*<T> */(list/*: T[] */)/*: Columns<T> */ {
  if (!Array.isArray(list)) return list;
  const column = (key/*: keyof T */) => {
    const all = list.map((one/*: T | null */) => one?.[key]);
    return all.every(isNumber) ? Float64Array.from(all) : all;
  };
  return records(list.length, (row) => list[row]/*as T */, column);
}`,
];
