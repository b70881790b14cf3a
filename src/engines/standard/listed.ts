import { type Rule, ruleTable } from '../../model/rules/rule.ts';
import { ANYWHERE, LISTING } from './common.ts';

const LISTED = {
  ...ANYWHERE.rejected,
  // Only the refusal by the engine shows it (engines/classify/confirm.ts).
  when: [],
  scope: { transferring: true, channels: LISTING },
  source: 'HTML StructuredSerializeWithTransfer; seen on Node 22-26, Deno 2.9, Bun 1.4.5',
} as const satisfies Partial<Rule>;

const WEB = { bun: '*', chromium: '*', firefox: '*', webkit: '*' } as const;
/** Runtimes that refuse a buffer that they cannot detach. Node 20 copies it silently. */
const DETACHING = { ...WEB, node: '>=21.0.0', deno: '*' } as const;

/** Entries of a transfer list that make the engine refuse the whole post. */
export const listed = ruleTable(LISTED, {
  'spec/listed-shared': {
    title: 'shared memory in the transfer list',
    why: 'Shared memory is not moved: both sides have it, and postMessage throws if it is listed.',
    fix: 'Leave it out of the transfer list.',
  },
  'spec/listed-detached': {
    // workerd accepts it, as Node 20 does.
    scope: { ...LISTED.scope, runtimes: DETACHING },
    title: 'detached buffer in the transfer list',
    why: 'Its memory was moved before: there is nothing left to move.',
    fix: 'Build a new buffer for each message, or keep a copy.',
  },
  'spec/listed-twice': {
    // Workers of Deno accept it.
    scope: { ...LISTED.scope, runtimes: { ...WEB, node: '*' } },
    title: 'listed twice in the transfer list',
    why: 'Each object is moved once, and the list has it twice: two views of one buffer do that.',
    fix: 'List each buffer once: [...new Set(list)].',
  },
  'spec/listed-fixed': {
    scope: { ...LISTED.scope, runtimes: { ...DETACHING, workerd: '*' } },
    title: 'memory that cannot be moved in the transfer list',
    why: 'The engine does not detach it: memory of WebAssembly, the pool of small Buffers, what markAsUntransferable marked.',
    fix: 'Post a copy: copy = new Uint8Array(view), and list copy.buffer.',
  },
  'spec/listed-other': {
    title: 'object that cannot be moved in the transfer list',
    why: 'Buffers, ports and streams are moved; a view is listed by its buffer.',
    fix: 'List view.buffer in place of the view, and leave out all else.',
  },
});
