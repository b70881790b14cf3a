/** Keys that are hard to write or differ in case. */
export const ODD_KEYS = [
  ...(
    'order Order ORDER oRDER order_item orderItem OrderItem ORDER_ITEM order-item a.b a-b [*] 1 01 -1 1e3 4294967295 é É ' +
    '日本 😀 \ud800 " \' ` ${x} \\ \\u0041 */ /* // \0 $ _ __ $$ class default new null await yield arguments eval this'
  ).split(' '),
  ...['', ' ', 'a b', '/*: any */', '/*as x */', '\n', '\r\n', '\u2028'],
];

/** Names that the code of a codec has for something else, or that objects have. */
export const OWN_NAMES = (
  'rest list wordList WordList int32Array Int32Array payload Payload message Message text ints doubles version VERSION ' +
  'NOTHING asIs from begin missed path known write Write writeInt readInt read nextInt damaged fits isInt setKey toMessage ' +
  'fromMessage NULL REST ESCAPE words keyLists ints2 Ints2 doubles3 map set date table dictionary other record layout has ' +
  'mark kind object array error value i d ip dp tp rp at key keys length globalThis undefined function __proto__ ' +
  'constructor prototype toString valueOf hasOwnProperty __defineGetter__ toJSON'
).split(' ');
