/** Text that could act on a terminal, a page, a comment or a CI runner. */
export const HOSTILE = {
  osc: '\u001b]0;owned\u0007',
  sgr: '\u001b[31mred\u001b[0m\u009b2J',
  script: '</script><script>alert(1)</script><img src=x onerror=alert(1)>',
  workflow: '::error::file=x ##[error]no ##vso[task.complete]',
  table: 'a|b | c \\| d',
  ticks: 'x``` `y` ````',
  bidi: 'user\u202e}gnp.exe\u2066\u200f',
  lines: 'one\ntwo\r\n::set-output name=a::b\u2028three',
  markdown:
    '@admin #1 [link](https://evil.example) <!-- --> **b** _i_ ![i](x) https://evil.example www.evil.example',
  wide: '日本語のキー👩‍👩‍👧‍👦🫠é',
  lone: 'half\ud83d surrogate',
  quotes: `"'&amp;&#39;`,
} as const;
