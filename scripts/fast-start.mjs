// esbuild plugins for a command that starts fast.
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Loaded first. */
const FIRST = ['cli/program.ts', 'services/early-guest.ts'];

/** What each analysis loads then, and while its guests work. */
const USUAL = ['services/services.ts', 'cli/actions/analyze.ts', 'app/analyze/analyze-payload.ts'];
const REPORTING = ['cli/actions/analyze-print.ts', 'reporters/terminal/report.ts'];

/**
 * esbuild makes a file for each set of entries that reach a module: 110 for an analysis, whose `import`s take longer to
 * resolve than their code to run. Where each entry that a command loads later reaches all that is usual, these are one,
 * and what reports need is another.
 *
 * @param src a path below src
 */
export const usualTogether = (src) => ({
  name: 'usual-together',
  setup(builder) {
    const first = FIRST.map((file) => src(file));
    builder.onResolve({ filter: /^\..*\.ts$/ }, ({ path, resolveDir, kind }) => {
      const file = join(resolveDir, path);
      const isLater = kind === 'dynamic-import' && !first.includes(file);
      return isLater ? { path: file, namespace: 'loaded-later' } : undefined;
    });
    const usual = [USUAL, REPORTING].map((files) => files.map((file) => src(file)));
    builder.onLoad({ filter: /./, namespace: 'loaded-later' }, ({ path }) => {
      const all = usual[0].includes(path) ? usual[0] : usual.flat();
      const imports = all.map((file) => `import ${JSON.stringify(file)};`);
      return { contents: `${imports.join('')} export * from ${JSON.stringify(path)};`, resolveDir: src() };
    });
  },
});

/**
 * Of packages that measure and wrap text: the set of all emoji takes 20 ms to compile and a segmenter 10 ms to make, at
 * every start; few texts need either. Every emoji has one of the parts that the cheap expression looks for (UTS 51:
 * pictographs, regional indicators, skin tones, the keycap).
 */
const ALL_EMOJI = [
  'const rgiEmojiRegex = /^\\p{RGI_Emoji}$/v;',
  `let allEmoji;
const emojiPart = /[\\p{Extended_Pictographic}\\p{RI}\\p{Emoji_Modifier}\\u20E3]/u;
const rgiEmojiRegex = { test: (text) => emojiPart.test(text) && (allEmoji ??= /^\\p{RGI_Emoji}$/v).test(text) };`,
];
const segmenter = (name, options = '') => [
  `const ${name} = new Intl.Segmenter(${options});`,
  `let ${name}Made;
const ${name} = { segment: (text) => (${name}Made ??= new Intl.Segmenter(${options})).segment(text) };`,
];
const WHEN_NEEDED = {
  'string-width/index.js': [ALL_EMOJI, segmenter('segmenter')],
  'wrap-ansi/index.js': [segmenter('segmenter')],
  'slice-ansi/tokenize-ansi.js': [segmenter('GRAPHEME_SEGMENTER', "undefined, {granularity: 'grapheme'}")],
};

export const emojiWhenNeeded = {
  name: 'emoji-when-needed',
  setup(builder) {
    const filter = /[\\/]node_modules[\\/](string-width|wrap-ansi|slice-ansi)[\\/][\w-]+\.js$/;
    builder.onLoad({ filter }, ({ path }) => {
      // The older one of another package, which needs neither.
      if (path.split('node_modules').length > 2) return undefined;
      let contents = readFileSync(path, 'utf8');
      for (const [eager, later] of WHEN_NEEDED[`${basename(dirname(path))}/${basename(path)}`] ?? []) {
        // Another version of the package.
        if (!contents.includes(eager)) return { errors: [{ text: `${path} has no ${eager}` }] };
        contents = contents.replace(eager, () => later);
      }
      return { contents };
    });
  },
};
