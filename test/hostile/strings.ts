/** One of each kind that a terminal, a reader or a CI runner would obey or be deceived by. */
export const HOSTILE = {
  'escape sequence': 'a\u001b[31mred\u001b]0;title\u0007b',
  hyperlink: 'a\u001b]8;;http://x.test\u001b\\link\u001b]8;;\u001b\\b',
  'C1 control': 'a\u009b31m\u0090q\u009cb',
  'bidirectional override': 'a\u202etxt.exe\u2066b\u2069',
  'zero-width space': 'a\u200bb',
  'line separator': 'a\u2028::error::b\u2029c',
  'tag characters': `a${String.fromCodePoint(0xe0001, 0xe0041, 0xe007f)}b`,
  'lone surrogate': 'a\ud800b\udfffc',
  'workflow command': '::set-output name=a::b',
  'Azure command': 'a##vso[task.setvariable variable=a]b##[error]c',
  'carriage return': 'a\r::error::b',
  backspace: 'abc\b\b\bxyz',
  bell: 'a\u0007b',
  'line end': 'a\n::error::b\nclone-prof: 3 limits kept.',
  tabs: 'a\tb\u000bc\u000cd',
} as const;

/** All of them in one text. */
export const ALL_HOSTILE: string = Object.values(HOSTILE).join(' ');

/** What a file name may hold, 255 bytes at most: no slash, and no lone surrogate. */
export const IN_FILE_NAMES: string = [
  '\u001b[31ma\u0007\u009b\u202e\u200b\u2028::error::b',
  '\n::error::c\r##vso[d]##[e]\b\t',
  String.fromCodePoint(0xe0001, 0xe0041, 0xe007f),
].join(' ');
