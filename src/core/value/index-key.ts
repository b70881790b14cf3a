/** 2^32 - 2 is the last array index (ECMA-262, array index); JSC keeps exactly these in indexed storage. */
const LAST_INDEX = 4294967294;
const INDEX = /^(?:0|[1-9]\d{0,9})$/;

/** True for a property key that engines treat as an array index: "0", "17", not "01". */
export function isIndexKey(key: string): boolean {
  const first = key.charCodeAt(0);
  if (!(first >= 48 && first <= 57)) return false;
  return INDEX.test(key) && Number(key) <= LAST_INDEX;
}
