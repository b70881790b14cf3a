/** Problems to look for in the traffic of a site, with their texts; `record/sites/sites.ts` finds them. */

/** {count}, {of}, {ns} in a title are numbers: its words fit any of them. */
export interface TrafficWording {
  /** Absent: slow. */
  level?: 'note';
  title: string;
  /** The fix, shortened for a table. */
  short: string;
  why: string;
  fix: string;
  source: string;
}

const WORDS = {
  'slow-calls': {
    title: 'its calls took {ns} in the program, {here} here: the message is not what is slow there',
    short: 'not the message',
    why: 'A call that is interrupted or waits counts in full: garbage collection, a busy machine, other threads on few cores.',
    fix: 'Profile the thread that posts (node --cpu-prof, or the performance panel of a browser). A smaller message or a batch saves no more than what was measured here.',
    source: 'the duration of the recorded calls, and of the same message measured here',
  },
  'advanced-faster': {
    title: "with serialization: 'advanced' a message takes {share} of the time",
    short: "serialization: 'advanced'",
    why: 'JSON text is written and parsed in whole; the serializer of the engine writes what structured clone takes. It keeps Dates, Maps, typed arrays, undefined and NaN, which JSON text does not. Instances of classes are plain objects in both.',
    fix: "fork(file, { serialization: 'advanced' }), or cluster.setupPrimary({ serialization: 'advanced' }): for all messages of the child, in both directions. Functions in messages, which JSON text leaves out, are refused.",
    source: 'both channels timed in turns',
  },
  'json-faster': {
    title: "with serialization: 'json' a message takes {share} of the time",
    short: "serialization: 'json'",
    why: 'JSON text of plain objects, lists and texts is written and parsed faster than the serializer of the engine writes and reads them.',
    fix: "fork(file) without serialization: 'advanced', for all messages of the child, in both directions. Dates become texts, Maps and Sets {}, undefined and NaN null or nothing, typed arrays objects; a BigInt or a cycle is refused.",
    source: 'both channels timed in turns',
  },
  'transfer-missing': {
    title: '{count}× a buffer was copied that could be transferred',
    short: 'transfer',
    why: 'A buffer in the transfer list changes its owner, and nothing of it is copied. The sender loses it.',
    fix: 'Name the buffers in the transfer list where the sender does not need them afterwards.',
    source: 'HTML, StructuredSerializeWithTransfer',
  },
  'transfer-useless': {
    level: 'note',
    title: 'nowhere in the message: {count} of {of} entries of transfer lists',
    short: 'fix the transfer list',
    why: 'The sender loses them all the same, and the receiver does not get them.',
    fix: 'Leave them out, or put them into the message.',
    source: 'HTML, StructuredSerializeWithTransfer, step 2; mozilla/pdf.js#20730',
  },
  'view-of-larger': {
    title: '{count}× views of larger buffers were posted, and more is copied than they show',
    short: 'post slices',
    why: 'Cloning a view copies the whole buffer behind it, and the bytes that no view shows too.',
    fix: 'Post view.slice(), which has a buffer of its own size.',
    source: 'HTML, StructuredSerializeInternal, step 14; whatwg/html#9450',
  },
  'pooled-buffer': {
    title: "{count}× a view on Node's buffer pool was posted",
    short: 'copy out of the pool',
    why: 'A small Buffer shares its memory with others: all of that memory is copied with each message, and none of it can be transferred.',
    fix: 'Post new Uint8Array(buffer), which has memory of its own.',
    source: 'nodejs/node#55593, nodejs/node#32752',
  },
  'queue-grows': {
    title: '{count} messages were still waiting for this receiver at the end',
    short: 'wait for replies',
    why: 'The receiver is slower than the sender. There is no back-pressure: every message that waits takes memory.',
    fix: 'Post the next message when a reply to an earlier one has come.',
    source: 'nodejs/node#41762, denoland/deno#17517',
  },
  'queue-long': {
    level: 'note',
    title: '{count} messages waited for this receiver at the same time',
    short: 'post as they are taken',
    why: 'They were posted much faster than the receiver took them: all that wait take memory at once.',
    fix: 'Limit how many are on their way.',
    source: 'nodejs/node#41762',
  },
  'same-content': {
    title: 'equal to the one before: {count} of {of} compared messages',
    short: 'post it once',
    why: 'The receiver had the same content already.',
    fix: 'Post it once and let the receiver keep it, or post what has changed.',
    source:
      'pairs of messages that were posted one after the other, compared part by part; of long texts and buffers some parts stand for all',
  },
  'same-object': {
    level: 'note',
    title: 'the same object as the one before: {count} of {of} messages',
    short: 'post changes only',
    why: 'The whole object is cloned again each time. Whether its content had changed is not known.',
    fix: 'If it did not change, post it once; if a part did, post that part.',
    source: 'identity of the objects that were posted',
  },
  'mostly-same': {
    level: 'note',
    title: '{equal} of each message equals the one before; changed: {paths}',
    short: 'post what changed',
    why: 'The receiver had most of it already, and all of it is cloned again.',
    fix: 'Let the receiver keep it, and post what has changed: npx clone-prof codec --patch writes code that does.',
    source:
      'pairs of messages that were posted one after the other, compared part by part; of long lists and texts some parts stand for all',
  },
  chatty: {
    title: '{count} small messages in 16.7 ms, {of} in all',
    short: 'batch',
    why: 'Most of the cost is that of any message, however empty.',
    fix: 'Collect them and post one array.',
    source: 'the empty message measured beside the payload',
  },
  'long-call': {
    title: 'longer than 16.7 ms: {count} of {of} timed calls, at most {ns}',
    short: 'shorten the call',
    why: 'The thread that posts does nothing else meanwhile: no input, no drawing, no other request.',
    fix: 'Post less at once, or post from a worker.',
    source: 'the duration of the recorded calls',
  },
  'not-received': {
    level: 'note',
    title: 'never received: {count} of {of} messages',
    short: 'see who receives',
    why: 'The receiver had ended, or its end of the port was closed or not listened to. Between processes, process.exit() drops what is not written yet.',
    fix: 'They were cloned for nothing: stop posting when the receiver is gone, and exit in the callback of the last send.',
    source: 'counts of the sender and the receiver',
  },
} as const satisfies Record<string, TrafficWording>;
export type TrafficRule = keyof typeof WORDS;
export const TRAFFIC_RULES = Object.keys(WORDS) as TrafficRule[];
export const TRAFFIC_WORDS: Readonly<Record<TrafficRule, TrafficWording>> = WORDS;
