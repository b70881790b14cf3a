/** `--profile` */
import { ToolError } from '../../src/model/errors.ts';
import { testTranscripts } from './transcript.ts';

testTranscripts([
  {
    name: 'profile',
    args: 'analyze --profile a.json',
    scenario: { files: { 'a.json': '{"a":{"b":1}}' } },
  },
  {
    name: 'profile-unavailable',
    says: ['not available there: sender cpuprofile, sender heapprofile (not yet implemented in Bun)'],
    args: 'analyze a.json --profile out -r bun',
    scenario: {
      files: { 'a.json': '{"a":1}' },
      runtimes: ['bun@1.2.20'],
      script: {
        profile: {
          by: null,
          files: [],
          shares: null,
          top: [],
          missing: [
            { what: 'sender cpuprofile', why: 'not yet implemented in Bun' },
            { what: 'sender heapprofile', why: 'not yet implemented in Bun' },
          ],
        },
      },
    },
  },
  {
    name: 'profile-fails',
    says: [
      'not available there: profile (the guest: no answer within 30000 ms; its process was killed. Raise --timeout, or check whether the module waits for something)',
    ],
    args: 'analyze a.json --profile',
    scenario: {
      files: { 'a.json': '{"a":1}' },
      script: {
        fails: (ask) => (ask.type === 'profile' ? new ToolError('guest-timeout', { ms: 30_000 }) : null),
      },
    },
  },
  {
    name: 'profile-json',
    says: [
      '"profile": { "by": "inspector", "files": [ "profiles/a.node-24.0.0.sender.cpuprofile", "profiles/a.node-24.0.0.sender.heapprofile", "profiles/a.node-24.0.0.receiver.cpuprofi',
    ],
    args: 'analyze a.json --profile --by-path -f json -b 1s',
    scenario: { files: { 'a.json': '{"a":"text"}' } },
  },
  {
    name: 'profile-without-measuring',
    code: 2,
    says: ['clone-prof: --by-path and --profile cannot be combined with --no-measure, which posts nothing'],
    args: 'analyze a.json --profile --by-path --no-measure',
    scenario: { files: { 'a.json': '1' } },
  },
  {
    name: 'profile-unwritable',
    code: 2,
    says: [
      "clone-prof: a.json/profiles: cannot be written (ENOTDIR: not a directory, stat '<cwd>/a.json/profiles')",
    ],
    args: 'analyze a.json --profile a.json/profiles',
    scenario: { files: { 'a.json': '1' } },
  },
]);
