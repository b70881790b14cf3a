/** The type of a message, in TypeScript. */
export const STREAMS =
  '{ version: string; ints: Int32Array; doubles: Float64Array; text: string; words: string; rest: unknown[] }';

/** Both ends of a message: the code that all codecs run before and after their specific functions. */
export const MESSAGE: readonly string[] = [
  `/*type Streams = ${STREAMS}; */
/*type Write = (value: unknown, path: string) => void; */`,
  `// The message that is written, up to the positions i and d.
let ints = new Int32Array(256);
let doubles = new Float64Array(256);
let text = '';
let rest/*: unknown[] */ = [];
let [i, d] = [0, 0];
let isWriting = false;
/** Texts that repeat, and their numbers. */
const words = new Map/*<string, number> */();
/** Lists of keys that repeat. */
const lists/*: string[][] */ = [];
/** Where something did not fit. */
const missed = new Set/*<string> */();

function begin()/*: void */ {
  [i, d, text, rest] = [0, 0, '', []];
  words.clear();
  lists.length = 0;
  missed.clear();
}

function writeMessage(payload/*: unknown */, write/*: Write */)/*: string */ {
  // For what reads keys by \`for in\`.
  for (const key in Object.prototype) throw new TypeError(\`all objects have a key \${key}\`);
  write(payload, '$');
  for (const word of words.keys()) ints[i++] = word.length;
  ints[i++] = words.size;
  return words.size === 0 ? '' : [...words.keys()].join('');
}

function send/*<P> */(version/*: string */, payload/*: P */, write/*: Write */, onMiss/*?: (path: string) => void */)/*: Streams | { asIs: P } */ {
  if (isWriting) return { asIs: payload };
  isWriting = true;
  try {
    let known = writeMessage(payload, write);
    if (i > ints.length || d > doubles.length) {
      ints = new Int32Array(2 * i);
      doubles = new Float64Array(2 * d);
      begin();
      known = writeMessage(payload, write);
    }
    return { version, ints: ints.slice(0, i), doubles: doubles.slice(0, d), text, words: known, rest };
  } catch {
    missed.add('$'); // too deep, or a getter that throws: postMessage tells
    return { asIs: payload };
  } finally {
    const paths = [...missed];
    begin();
    isWriting = false;
    for (const path of paths) onMiss?.(path);
  }
}

function putInt(int/*: number */)/*: void */ {
  ints[i++] = int;
}

function putDouble(double/*: number */)/*: void */ {
  doubles[d++] = double;
}

function putText(part/*: string */)/*: void */ {
  ints[i++] = part.length;
  text += part;
}

function putRest(value/*: unknown */)/*: void */ {
  rest.push(value);
}`,
  `// The message that is read, from these positions on.
const NOTHING/*: Streams */ = { version: '', ints: new Int32Array(0), doubles: new Float64Array(0), text: '', words: '', rest: [] };
let { version: versionIn, ints: intsIn, doubles: doublesIn, text: textIn, rest: restIn } = NOTHING;
let wordsIn/*: string[] */ = [];
const listsIn/*: string[][] */ = [];
let [ip, dp, tp, rp, intsEnd] = [0, 0, 0, 0, 0];

function take({ version, ints, doubles, text, rest }/*: Streams */)/*: void */ {
  [versionIn, intsIn, doublesIn, textIn, restIn] = [version, ints, doubles, text, rest];
}

/** Of memory that the message has, so that lengths in it can ask for no more. */
function isWhole({ ints, doubles, text, words, rest }/*: Streams */)/*: boolean */ {
  let items = 0;
  while (items in rest) items++;
  return (
    ArrayBuffer.isView(ints) && ArrayBuffer.isView(doubles) && items === rest.length &&
    typeof text === 'string' && typeof words === 'string'
  );
}

/** Their lengths stand at the end. Gives the place of the first. */
function takeWords(words/*: string */)/*: number */ {
  const last = intsIn.length - 1;
  const first = last - (intsIn[last] ?? damaged());
  if (!(first >= 0 && first <= last)) return damaged();
  let end = 0;
  wordsIn = Array.from(intsIn.subarray(first, last), (length) =>
    length >= 0 ? words.slice(end, (end += length)) : damaged(),
  );
  return end === words.length ? first : damaged();
}

function receive(version/*: string */, message/*: unknown */, read/*: () => unknown */, open = (one/*: unknown */) => one/*as Streams */)/*: unknown */ {
  const { version: other }/*: { version?: string } */ = Object(message);
  if (other !== version)
    throw new TypeError(\`codec \${version} cannot read a message of codec \${other}\`);
  versionIn = version;
  try {
    const opened = open(message);
    if (!isWhole(opened)) return damaged();
    take(opened);
    [ip, dp, tp, rp] = [0, 0, 0, 0];
    listsIn.length = 0;
    intsEnd = takeWords(opened.words);
    const payload = read();
    return ip === intsEnd && dp === doublesIn.length && tp === textIn.length && rp === restIn.length
      ? payload
      : damaged();
  } catch {
    return damaged();
  } finally {
    take(NOTHING);
    if (wordsIn.length > 0) wordsIn = [];
  }
}

const nextInt = ()/*: number */ => intsIn[ip++]/*as number */;

const nextDouble = ()/*: number */ => doublesIn[dp++]/*as number */;

const nextText = (length = nextInt())/*: string */ =>
  length >= 0 ? textIn.slice(tp, (tp += length)) : damaged();

const nextRest = ()/*: unknown */ => restIn[rp++];

/** Each item takes at least one place. */
const isLength = (n/*: number */)/*: boolean */ =>
  n >= 0 && n <= intsEnd - ip + doublesIn.length - dp + restIn.length - rp;`,
  `function damaged()/*: never */ {
  throw new TypeError(\`the message of codec \${versionIn} is cut, damaged or too deep\`);
}`,
];
