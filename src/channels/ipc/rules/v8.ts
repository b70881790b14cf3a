import { ANYWHERE, AT_ROOT, SHARED_REFUSED } from '../../../engines/standard/common.ts';
import { AS_PARTS, markedObject, urlObject } from '../../../engines/standard/platform.ts';
import { ruleTable } from '../../../model/rules/rule.ts';

const VIEW = ['typedarray', 'dataview'] as const;

const TO_PROCESS = { ...ANYWHERE.note, scope: { channels: ['ipc-advanced'] } } as const;

/** Rules for messages to a different process; advanced serialization is v8.serialize with a delegate of the runtime. */
export const ipc = ruleTable(TO_PROCESS, {
  'v8/json-text-too-long': {
    ...AT_ROOT.rejected,
    when: { payloadTextFrom: 536_870_886 },
    scope: { runtimes: { node: '*' }, channels: ['ipc-json'] },
    title: 'JSON text that is longer than a string can be',
    why: 'The text of a message is one string, and V8 has none of more than 536,870,888 characters: the post throws a RangeError.',
    fix: "Send parts of it, or let messages be cloned: fork(file, { serialization: 'advanced' }).",
    source: 'V8 String::kMaxLength; seen on Node 24.21',
  },
  'v8/shared-over-ipc': {
    ...SHARED_REFUSED,
    when: [{ kind: 'sharedarraybuffer' }],
    title: 'SharedArrayBuffer to another process',
    why: 'Memory cannot be shared between processes, so a SharedArrayBuffer is refused.',
    source: 'Node lib/internal/child_process/serialization.js; seen on Node 20-26',
  },
  'v8/ipc-view-copied': {
    when: { kind: VIEW, all: ['view-of-larger'] },
    title: 'view to another process',
    why: 'Between processes only the bytes that the view shows are sent, not the whole buffer behind it.',
    source: 'Node lib/internal/child_process/serialization.js, _setTreatArrayBufferViewsAsHostObjects(true)',
  },
  'v8/view-into-message-over-ipc': {
    when: { kind: VIEW },
    scope: { runtimes: { node: '*' }, channels: ['ipc-advanced'] },
    title: 'view that arrives inside the message',
    why: 'The receiver gets a view into the buffer of the whole message: its buffer holds other bytes too, and it does not begin at 0.',
    fix: 'Use byteOffset and byteLength beside buffer, or copy the view first: view.slice().',
    source: 'Node lib/internal/child_process/serialization.js; seen on Node 20.20 to 26.10',
  },
  'v8/shared-view-over-ipc': {
    ...ANYWHERE.losesValue,
    when: { kind: VIEW, all: ['shared-backing'] },
    title: 'view on shared memory to another process',
    why: 'Its bytes arrive as a copy, in memory of the receiver.',
    fix: 'Use a Worker where the memory must be shared.',
    source: 'Node lib/internal/child_process/serialization.js; seen on Node 20-26 and Deno 2.9.6',
  },
  'v8/resizable-view-over-ipc': {
    when: { kind: VIEW, all: ['resizable'], none: ['shared-backing'] },
    loses: 'value',
    title: 'view on a resizable buffer to another process',
    why: 'Its bytes arrive in a buffer of fixed length.',
    source: 'Node lib/internal/child_process/serialization.js; seen on Node 24, 26 and Deno 2.9.6',
  },
  'v8/empty-view-over-ipc': {
    ...ANYWHERE.rejected,
    when: { kind: VIEW, all: ['empty'] },
    scope: { runtimes: { deno: '<2.9.0' }, channels: ['ipc-advanced'] },
    title: 'view of no bytes to another process',
    why: 'Deno before 2.9 sends it, but the receiver cannot read it, and its process ends.',
    fix: 'Leave it out, or send null in its place.',
    source: 'seen on Deno 2.6.0 to 2.8.3 (the child ends) and 2.9.0 (it arrives)',
  },
  'v8/view-without-memory': {
    ...ANYWHERE.losesValue,
    when: { kind: VIEW, any: ['detached', 'out-of-bounds'] },
    scope: { channels: ['ipc-advanced', 'storage'] },
    title: 'view without memory that arrives empty',
    why: 'Its buffer is detached, or ends before the view: where it is not refused, a view of no bytes arrives.',
    fix: 'Make a new view after the buffer was resized, and a new buffer for each message.',
    source: 'Node src/node_serdes.cc; seen on Node 20-26 and Deno 2.9.6',
  },
  'v8/dom-exception-over-ipc': {
    ...ANYWHERE.losesClass,
    when: { kind: 'error', tag: ['DOMException'] },
    scope: { runtimes: { node: '*', deno: '*' }, channels: ['ipc-advanced'] },
    title: 'DOMException to another process',
    why: 'Between processes it arrives as an Error, without its name and code.',
    fix: 'Send name and message as a plain object.',
    source: 'seen on Node 24.21 and 26.10, Deno 2.9.6',
  },
  'v8/platform-over-ipc': {
    ...ANYWHERE.lossy,
    when: [urlObject, markedObject, { kind: 'platform', notTag: ['Module', 'Memory', 'FileHandle'] }],
    loses: ['class', 'property', 'getter'],
    scope: { runtimes: { node: '*', deno: '>=2.8.0' }, channels: ['ipc-advanced'] },
    title: 'web object to another process',
    why: 'Between processes Node and Deno do not clone ports, blobs, keys or URLs: they arrive as empty objects, without an error.',
    ...AS_PARTS,
    source:
      'Node lib/internal/child_process/serialization.js; seen on Node 20.20, 24.21 and 26.10, Deno 2.9.6',
  },
});
