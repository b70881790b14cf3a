import { ANYWHERE, BYTES } from '../../../engines/standard/row-parts.ts';
import { ruleTable } from '../../../model/rules/rule.ts';

/** Values that a database holds better in another form. */
export const database = ruleTable(ANYWHERE.note, {
  'spec/bytes-to-database': {
    when: { ...BYTES.copied, none: ['shared-backing', 'detached'], bytesFrom: 100_000 },
    scope: { runtimes: { chromium: '*', firefox: '*', webkit: '*' }, channels: ['indexeddb'] },
    title: 'many bytes in a record',
    why: 'The bytes are copied by put while the thread waits, and by reading the record. A Blob is put by reference, is written by another process, and is read when it is needed.',
    fix: 'Put new Blob([bytes]), and read it by await blob.arrayBuffer().',
    remedies: ['blob'],
    source:
      'seen on Chromium 143 (12 ms against 0.2 ms until put returns, 4 MiB), Firefox 153 (11 ms against 0.04 ms); making the Blob took 7 ms and 5 ms more',
  },
});
