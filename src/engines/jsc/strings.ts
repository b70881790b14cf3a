import type { PathName } from '../../model/names.ts';
import type { RulePosition, SharedRow } from '../../model/rules/rule.ts';
import { ruleTable } from '../../model/rules/rule-table.ts';
import { AT_ROOT, SHARED_MEMORY } from '../standard/common.ts';
import { FAST_OBJECTS, FAST_STRINGS } from './fast-paths.ts';

export const SHARE = 'BunString.cpp toCrossThreadShareable (oven-sh/bun#22006); seen on Bun 1.2.21-1.4.5';

/** Positions of strings that are sent without the serializer if the root takes a fast path. */
export const CARRIED: readonly RulePosition[] = ['root-value', 'element', 'element-value'];
export const CARRIERS: readonly PathName[] = ['simple-object', 'simple-array', 'dense-array'];

const SHARED_STRING = { ...AT_ROOT.slow, scope: FAST_STRINGS, source: SHARE } as const;

export const strings = ruleTable(SHARED_STRING, {
  'jsc/string-atom': {
    when: { kind: 'string', all: ['units-from-256', 'atom'] },
    blocks: ['string-shared'],
    title: 'interned string',
    why: 'A literal in source code, a string used as a key, or one that was serialized before is interned, and an interned string is copied instead of shared.',
    fix: 'Copy it into a string of its own, for example through Buffer.from(text).toString(), and do not use it as a key.',
    remedies: ['own-string'],
  },
  'jsc/string-substring': {
    when: { kind: 'string', all: ['units-from-256', 'substring'], none: ['atom'] },
    blocks: ['string-shared'],
    title: 'piece of a longer string',
    why: 'What slice, split and match return is a view on the longer string; such a view is copied instead of shared. A piece of a concatenation that was never joined has its own characters.',
    fix: 'Copy the piece into a string of its own before sending it.',
    remedies: ['own-string'],
  },
  'jsc/string-value-copied': {
    level: 'slow',
    at: CARRIED,
    when: { kind: 'string', all: ['units-from-256'], any: ['atom', 'substring'] },
    scope: FAST_OBJECTS,
    on: CARRIERS,
    costs: 'bulk',
    title: 'long string that is copied, not shared',
    why: 'Interned strings and pieces of longer strings are copied; other strings from 256 code units are shared.',
    fix: 'Copy it into a string of its own before sending.',
    remedies: ['own-string'],
  },
  'jsc/string-short': {
    ...AT_ROOT.note,
    when: { kind: 'string', none: ['units-from-256'] },
    title: 'string below 256 code units',
    why: 'Short strings are copied rather than shared; for so few bytes that costs almost nothing.',
  },
  'jsc/string-rope': {
    level: 'note',
    at: ['root', ...CARRIED],
    when: { kind: 'string', all: ['rope'], none: ['substring'] },
    on: ['string-shared', 'string-copied', ...CARRIERS],
    title: 'concatenation, joined when sent',
    why: 'A string made with + or a template is joined once, on the sender, and shared after that.',
  },
  'jsc/long-string-serialized': {
    level: 'slow',
    at: 'nested',
    when: { kind: 'string', all: ['units-from-256'] },
    on: ['serializer'],
    title: 'long string in a message that is serialized',
    why: 'The string would be shared as the message itself or in a flat one. Here it is hashed, interned and copied, and stays interned, so that sending it alone later copies it too.',
    fix: 'Send the string as the message, or flatten the object around it.',
    remedies: ['unwrap-string', 'compiled', 'json-text'],
    source: `${SHARE}; SerializedScriptValue.cpp write(const String&)`,
  },
});

const DUMP = 'SerializedScriptValue.cpp dumpSharedArrayBuffer';
/** A string that is neither interned nor a piece of a longer string. */
const OWN_STRING = { kind: 'string', all: ['units-from-256'], none: ['atom', 'substring'] } as const;

export const shares = [
  { at: 'root', when: OWN_STRING, scope: FAST_STRINGS, on: ['string-shared'], source: SHARE },
  { at: CARRIED, when: OWN_STRING, scope: FAST_OBJECTS, on: CARRIERS, source: SHARE },
  {
    at: 'any',
    when: SHARED_MEMORY,
    scope: { channels: ['worker', 'message-port', 'broadcast'] },
    source: `${DUMP}; seen on Bun 1.2.20-1.4.5`,
  },
  {
    at: 'any',
    when: SHARED_MEMORY,
    scope: { channels: ['structured-clone'], runtimes: { bun: '>=1.4.0' } },
    source: `${DUMP}; seen on Bun 1.3.14 (copied) and 1.4.0`,
  },
] as const satisfies readonly SharedRow[];
