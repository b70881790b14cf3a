import type { Wording } from '../../../src/model/report/wording.ts';

/** Texts of a few rules, frozen with the reports: a change of the rule tables does not change the snapshots. */
export const FROZEN_WORDS: Wording = {
  rules: {
    'jsc/nested-value': {
      level: 'slow',
      title: 'object inside an object',
      why: 'Only a flat object of primitives is handed over in memory; one nested object or array sends all of it through the serializer.',
      fix: 'Flatten it, or send the whole as one JSON text.',
      source: 'SerializedScriptValue.cpp; seen on Bun 1.2.22 to 1.4.5',
    },
    'jsc/array-too-early': {
      level: 'slow',
      title: 'arrays have no fast path yet',
      why: 'Before 1.3.10 every array goes through the serializer.',
      fix: 'Update Bun.',
      source: 'oven-sh/bun#26814',
    },
    'v8/deep-nesting': {
      level: 'note',
      title: 'deep nesting',
      why: 'V8 writes by recursion on the stack and throws a RangeError beyond some thousand levels.',
      fix: 'Send the nodes as one flat list with the index of each parent.',
      source: 'value-serializer.cc, STACK_CHECK',
    },
    'v8/nested-holes': {
      level: 'slow',
      title: 'array with holes',
      why: 'An array with holes is written as index and value pairs, and read back one property at a time.',
      fix: 'Fill the holes, or build the array with push.',
      source: 'value-serializer.cc, WriteJSArray',
    },
    'spec/function': {
      level: 'rejected',
      title: 'function',
      why: 'Functions cannot be cloned; postMessage throws a DataCloneError and nothing is sent.',
      fix: 'Leave it out, or send its name.',
      source: 'HTML, StructuredSerializeInternal, step 25',
    },
    'spec/class-instance': {
      level: 'lossy',
      title: 'class instance',
      why: 'The prototype is not cloned: the receiver gets a plain object.',
      source: 'HTML, StructuredSerializeInternal',
    },
    'jsc/long-string-serialized': {
      level: 'note',
      title: 'long text copied by the serializer',
      why: 'A text of 256 units or more is shared only when it is the message itself.',
      source: 'BunString.cpp',
    },
  },
  paths: {
    jsc: {
      'simple-object': { title: 'flat object, copied in memory', why: 'All values are primitives.' },
      'string-shared': { title: 'text shared without a copy', why: 'The text has 256 units or more.' },
    },
    v8: {
      'packed-array': { title: 'array without holes', why: 'Written as a run of values.' },
      'one-byte-string': { title: 'Latin-1 text, one block', why: 'One byte per character.' },
    },
    spidermonkey: {},
    webkit: {},
  },
  remedies: {
    'json-text': { title: 'send one JSON text' },
    columns: {
      title: 'one typed array per column',
      forms: { typed: 'typed', cells: 'one array' },
    },
    flatten: { title: 'flat keys instead of nested objects' },
    transfer: { title: 'list the buffers to move them' },
    plain: { title: 'plain forms of Date, Map and Set' },
  },
  traffic: {
    'queue-grows': {
      title: '{count} of {of} messages were still waiting at the end',
      short: 'wait for replies',
      why: 'The receiver is slower than the sender.',
      fix: 'Post the next message when a reply has come.',
      source: 'nodejs/node#41762',
    },
    'transfer-missing': {
      title: '{count}× a buffer was copied that could be transferred',
      short: 'transfer',
      why: 'A buffer in the transfer list changes its owner.',
      fix: 'Name the buffers in the transfer list.',
      source: 'HTML, StructuredSerializeWithTransfer',
    },
  },
};
