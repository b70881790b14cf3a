import { ANYWHERE, VIEW } from '../../../engines/standard/row-parts.ts';
import { type Rule, ruleTable } from '../../../model/rules/rule.ts';

const WRITTEN = {
  ...ANYWHERE.note,
  scope: { channels: ['ipc-advanced', 'storage'] },
  source:
    'Node lib/v8.js DefaultSerializer, lib/internal/child_process/serialization.js; seen on Node 20.20 to 26.10, Deno 2.5 to 2.9.6',
} as const satisfies Partial<Rule>;

/** Rules of v8.serialize, to a different process and into a file: its delegate writes only the bytes of views. */
export const ipc = ruleTable(WRITTEN, {
  'v8/view-written-alone': {
    when: { kind: VIEW, all: ['view-of-larger'] },
    title: 'view, written alone',
    why: 'Only the bytes that the view shows are written, not the whole buffer behind it.',
  },
  'v8/view-into-message': {
    when: { kind: VIEW },
    scope: { runtimes: { node: '*' }, channels: ['ipc-advanced'] },
    also: [{ scope: { channels: ['storage'] } }],
    title: 'view that arrives inside the message',
    why: 'The receiver gets a view into the bytes of the whole message or file, where they are aligned: its buffer holds other bytes too, and all of them stay in memory.',
    fix: 'Use byteOffset and byteLength beside buffer, or copy the view: view.slice().',
  },
  'v8/shared-view-copied': {
    ...ANYWHERE.losesValue,
    when: { kind: VIEW, all: ['shared-backing'] },
    title: 'view on shared memory, copied',
    why: 'Its bytes arrive as a copy, in memory that is not shared.',
    fix: 'Use a Worker where the memory must be shared.',
  },
  'v8/resizable-view-fixed': {
    when: { kind: VIEW, all: ['resizable'], none: ['shared-backing'] },
    loses: 'value',
    title: 'view on a resizable buffer',
    why: 'Its bytes arrive in a buffer of fixed length.',
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
    title: 'view without memory that arrives empty',
    why: 'Its buffer is detached, or ends before the view: where it is not refused, a view of no bytes arrives.',
    fix: 'Make a new view after the buffer was resized, and a new buffer for each message.',
    source: 'Node src/node_serdes.cc; seen on Node 20-26 and Deno 2.9.6',
  },
});
