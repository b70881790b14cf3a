/** All faults, by subject. */
import { ENGINES, GATE, STATS, VALUE } from './core-mutants.ts';
import { mutant, type Subject } from './mutant.ts';

const CODEC: Subject = {
  tests: [
    'remedies/compiled',
    'remedies/codecs',
    'core/payload-schema',
    'remedies/remedies',
    'remedies/plans',
    'remedies/call',
    'remedies/base64',
  ],
  mutants: [
    mutant(
      'records in another order are the same',
      '[...stay, ...came].filter(isName), keys.filter(isName)',
      '[...stay, ...came].filter(isName).sort(), keys.filter(isName).sort()',
      ['remedies/patch'],
    ),
    mutant(
      'a patch is longer than the whole',
      'this.steps.length - step <= this.values - values',
      'this.steps.length - step <= 4 * (this.values - values)',
      ['remedies/patch'],
    ),
    mutant(
      'a patch writes minus zero as zero',
      '(a === b && a !== 0) || Object.is(a, b)',
      'a === b || Object.is(a, b)',
      ['remedies/patch'],
    ),
    mutant(
      'a missed message is not noticed',
      'message.from === from && message.at === at)',
      'message.from === from)',
      ['remedies/patch'],
    ),
    mutant('the whole is never sent again', 'since < wholeEvery ? kept : NOTHING', 'kept', [
      'remedies/patch',
    ]),
    mutant('an optional field is a field', "optional ? 'is new, and may be missing' : 'is new'", "'is new'"),
    mutant('lists of integers and doubles are one', 'this.hasInt32 ||= other.hasInt32;', ''),
    mutant('texts repeat from one on', 'this.#compared >= MIN_REPEATED &&', ''),
  ],
};

const RECORD: Subject = {
  tests: [
    'core/recording',
    'tap/',
    'store/recording',
    'store/thread',
    'app/record',
    'sources/recording',
    'cli/record',
  ],
  mutants: [
    mutant(
      'a short queue is reported',
      'most >= MIN_QUEUE && most >= LONG_QUEUE_SHARE',
      'most >= LONG_QUEUE_SHARE',
    ),
    mutant(
      'a lost message is not reported',
      'return lost < MIN_LOST * count ? null',
      'return lost >= MIN_LOST * count ? null',
    ),
    mutant(
      'a BroadcastChannel takes a transfer list',
      "api !== 'BroadcastChannel.postMessage' && !isToProcess(api)",
      '!isToProcess(api)',
    ),
    mutant(
      'messages of one thread count twice',
      'const count = isOlder ? messages.at(-1)!.nth + 1 : counted;',
      'const count = isOlder ? messages.at(-1)!.nth + 1 : 2 * counted;',
    ),
    mutant('few messages are a batch', 'posted.count < MIN_CHATTY || batch < 2', 'batch < 2'),
    mutant(
      'hidden bytes to a process are reported',
      'if (isToProcess(posted.api)) return null;\n    return hiddenBytes > 0',
      'return hiddenBytes > 0',
    ),
  ],
};

const TAP: Subject = {
  tests: ['tap/size'],
  isReal: true,
  mutants: [
    mutant(
      'an object of V8 is two bytes shorter in a recording',
      'met.bytes = this.bytes - from;',
      'met.bytes = (this.bytes -= 2) - from;',
    ),
  ],
};

const GUEST: Subject = {
  tests: [
    'runtimes/guests',
    'runtimes/process',
    'hostile/quick-wire',
    'hostile/real-wire',
    'guest/measure',
    'guest/prove',
  ],
  mutants: [
    mutant(
      'a share of collections over 1',
      'elapsed > 0 ? Math.min(1, ns / elapsed) : 0',
      'elapsed > 0 ? ns / elapsed : 0',
    ),
    mutant(
      'memory below nothing',
      'Math.max(0, (await measurePeak(run, platform, supply)) - baselineBytes)',
      '((await measurePeak(run, platform, supply)) - baselineBytes)',
    ),
  ],
};

const REPORT: Subject = {
  tests: ['reporters/'],
  mutants: [
    mutant('999.6 ns is not 1.00 µs', 'row.ns * 0.9995', 'row.ns'),
    mutant(
      'a control character reaches the terminal',
      '[\\p{Cc}\\p{Zl}\\p{Zp}\\p{Bidi_C}\\p{DI}\\p{Cs}\\ufff9-\\ufffb]/gu',
      '[\\p{Zl}\\p{Zp}\\p{Bidi_C}\\p{DI}\\p{Cs}\\ufff9-\\ufffb]/gu',
    ),
    mutant(
      'a text that reorders a line reaches the terminal',
      '[\\p{Cc}\\p{Zl}\\p{Zp}\\p{Bidi_C}\\p{DI}\\p{Cs}\\ufff9-\\ufffb]/gu',
      '[\\p{Cc}\\p{Zl}\\p{Zp}\\p{Cs}\\ufff9-\\ufffb]/gu',
    ),
    mutant('a runner obeys a payload', "text.replace(/::(?=[a-z])/gi, ':\\\\u003a')", 'text'),
    mutant(
      'a long line loses its end',
      'visible(text.slice(0, longest - tail - 1))}…${visible(text.slice(-tail))}',
      'visible(text.slice(0, longest - tail - 1))}…',
    ),
    mutant('kB are of 1024 bytes', 'rest /= 1000;', 'rest /= 1024;'),
  ],
};

const SOURCES: Subject = {
  tests: ['sources/', 'guest/payload', 'core/versions'],
  mutants: [
    mutant(
      'the name of a glob keeps its ending',
      "return ending !== '' && id.endsWith(ending) ? id.slice(0, -ending.length) : id;",
      'return id;',
    ),
    mutant('two files of one name have one id', 'new Set(group.map(naming)).size === group.length', 'true'),
    mutant(
      'an empty file is read',
      "if (!pipe && stats.size === 0) throw new ToolError('file-empty', file);",
      '',
    ),
    mutant('jsonl is unknown', "  '.jsonl': 'ndjson',\n", ''),
    mutant('keys of a map are the shape of a line', 'keys.length > MAX_KEYS;', 'keys.length > 1e9;'),
    mutant(
      'the order of keys makes another line',
      "`{${members.sort().join(',')}}`",
      "`{${members.join(',')}}`",
    ),
  ],
};

export const SUBJECTS: Readonly<Record<string, Subject>> = {
  value: VALUE,
  engines: ENGINES,
  stats: STATS,
  gate: GATE,
  codec: CODEC,
  record: RECORD,
  tap: TAP,
  guest: GUEST,
  report: REPORT,
  sources: SOURCES,
};
