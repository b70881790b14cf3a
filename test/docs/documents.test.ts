/** README and docs: short, each fact once, links that lead somewhere, commands that the program has. */

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { globSync } from 'tinyglobby';
import { COMMANDS } from '../../src/cli/main.ts';
import { RULE_BOOKS } from '../../src/engines/index.ts';
import { RULES } from '../../src/engines/rule-book/rule-book.ts';
import { ROOT } from '../support/spawn-cli.ts';

const MAX_README_LINES = 250;
/** Longer sentences are facts that one document states. */
const MAX_SHARED_WORDS = 8;
/** Made from tables: a sentence of a rule stands in each engine that has it. */
const GENERATED = ['docs/rules.md', 'docs/hosts.md'];

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const docs = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md'));
const DOCUMENTS = ['README.md', ...docs.map((name) => `docs/${name}`)];
const ABOUT = ['CHANGELOG.md', 'CODE_OF_CONDUCT.md', 'CONTRIBUTING.md', 'SECURITY.md', 'examples/README.md'];
/** As `scripts/test.mjs` sees them. */
const TESTS = globSync('test/**/*.test.ts', { cwd: ROOT });
const LINKING = [...DOCUMENTS, ...ABOUT, 'bench/README.md'];

const withoutCode = (markdown: string) => markdown.replace(/^```.*?^```$/gms, '');
const textOfLinks = (line: string) => line.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1');

/** Paragraphs, items of lists and cells of tables, each on one line. */
function blocksOf(markdown: string): string[] {
  const lines = withoutCode(markdown).split('\n').map(textOfLinks);
  const cells = lines.filter((line) => line.startsWith('|')).flatMap((line) => line.split(/(?<!\\)\|/));
  const rest = lines.map((line) => (/^[|#]/.test(line) ? '' : line.replace(/^\s*(?:[-*]|\d+\.) /, '\n')));
  return [...cells, ...rest.join('\n').split(/\n\s*\n/)].map((block) => block.replace(/\s+/g, ' ').trim());
}

const sentencesOf = (markdown: string) =>
  blocksOf(markdown)
    .flatMap((block) => block.split(/(?<=[.:;!?])\s+/))
    .map((sentence) =>
      sentence
        .replace(/[^\p{L}\p{N}' -]+/gu, ' ')
        .trim()
        .toLowerCase(),
    )
    .filter((sentence) => sentence.split(/\s+/).length > MAX_SHARED_WORDS);

/** GitHub's name for a heading. */
const anchorOf = (heading: string) =>
  textOfLinks(heading)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');

const anchorsOf = (markdown: string) =>
  [...withoutCode(markdown).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));

test(`README has at most ${MAX_README_LINES} lines`, () => {
  assert.ok(read('README.md').trimEnd().split('\n').length <= MAX_README_LINES);
});

test('no sentence stands twice in README and docs', () => {
  const places = new Map<string, string[]>();
  for (const document of DOCUMENTS.filter((name) => !GENERATED.includes(name)))
    for (const sentence of sentencesOf(read(document)))
      places.set(sentence, [...(places.get(sentence) ?? []), document]);
  assert.ok(places.size > 1000, 'the documents are read');
  const repeated = [...places].filter(([, documents]) => documents.length > 1);
  assert.deepEqual(repeated, []);
});

test('comments and lint rules name source files that are there', () => {
  const subjects = SOURCES.filter((name) => !/[/.]/.test(name));
  const named = new RegExp(`(?<![\\w./-])(?:${subjects.join('|')})/[\\w./-]+\\.ts\\b`, 'g');
  const files = globSync(['src/**/*.ts', 'scripts/lint/*'], { cwd: ROOT });
  const gone = files.flatMap((file) =>
    (read(file).match(named) ?? [])
      .filter((name) => !SOURCES.includes(name))
      .map((name) => `${file}: ${name}`),
  );
  assert.deepEqual(gone, []);
});

for (const document of LINKING)
  test(`links of ${document} lead to files and headings`, () => {
    const links = [...withoutCode(read(document)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
    const local = links.filter((link) => !/^[a-z]+:/.test(link));
    const isBroken = (link: string) => {
      const [file = '', anchor] = link.split('#');
      const target = file === '' ? document : relative(ROOT, join(ROOT, dirname(document), file));
      if (!existsSync(join(ROOT, target))) return true;
      return anchor !== undefined && !anchorsOf(read(target)).includes(anchor);
    };
    assert.deepEqual(local.filter(isBroken), []);
  });

/** Paths in a text start anywhere above the file. */
const SOURCES = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' }).map((name) =>
  name.replaceAll('\\', '/'),
);

/** What is in the first brackets of the pattern, wherever it is in the document. */
const namedIn = (document: string, pattern: RegExp): string[] =>
  [...read(document).matchAll(pattern)].map(([, name = '']) => name);

for (const document of ['CONTRIBUTING.md', 'docs/architecture.md'])
  test(`the source files that ${document} names are there`, () => {
    const named = namedIn(document, /`((?:[\w-]+\/)+[\w.-]+\.(?:ts|mjs|md))`/g);
    assert.ok(named.length > 5, 'files are named');
    const isGone = (file: string) =>
      !existsSync(join(ROOT, file)) && !SOURCES.some((source) => `/${source}`.endsWith(`/${file}`));
    assert.deepEqual(named.filter(isGone), []);
  });

for (const document of LINKING)
  test(`the tests that ${document} names are there`, () => {
    const named = namedIn(document, /test:(?:only|whole) -- ([\w/. -]+?)`/g).flatMap((names) =>
      names.split(' '),
    );
    const isGone = (name: string) => !name.startsWith('-') && !TESTS.some((file) => file.includes(name));
    assert.deepEqual(named.filter(isGone), []);
  });

test('documents name rules that are there', () => {
  const rule = new RegExp(`\`((?:${Object.keys(RULE_BOOKS).join('|')})/[a-z0-9-]+)\``, 'g');
  const documents = DOCUMENTS.filter((document) => !GENERATED.includes(document));
  const named = documents.flatMap((document) => namedIn(document, rule).map((id) => ({ document, id })));
  assert.ok(named.length > 5, 'rules are named');
  assert.deepEqual(
    named.filter(({ id }) => !Object.hasOwn(RULES, id)),
    [],
  );
});

test('README links each document that is written by hand', () => {
  const linked = read('README.md');
  const missing = docs.filter((name) => name !== 'rules.md' && !linked.includes(`(docs/${name}`));
  assert.deepEqual(missing, []);
});

/** `clone-prof check --base HEAD^1 ...` in a block of code; what is recorded is another program's. */
function commandsOf(file: string): string[][] {
  const blocks = readFileSync(join(ROOT, 'docs', file), 'utf8').match(/^```[\s\S]*?^```/gm) ?? [];
  const lines = blocks.flatMap((block) => block.split('\n'));
  return lines.flatMap((line) => {
    const [, words] =
      /(?:^|[ ;])clone-prof(?:@<version>)? ((?:[a-z]).*)$/.exec(line.replace(/\s+#.*$/, '')) ?? [];
    return words === undefined ? [] : [words.replace(/ -- .*$/, '').split(/\s+/)];
  });
}

for (const file of ['gate.md', 'editor.md'])
  test(`docs/${file}: commands and their options exist`, () => {
    const commands = commandsOf(file);
    assert.ok(commands.length >= 4);
    for (const [name, ...words] of commands) {
      const spec = COMMANDS.find((one) => one.name === name);
      assert.ok(spec, `clone-prof ${name}`);
      const known = Object.values(spec.options).flatMap(({ flags }) => flags.match(/--?[a-z][\w-]*/g) ?? []);
      for (const word of words.filter((one) => one.startsWith('-')))
        assert.ok(known.includes(word.split('=')[0]!), `clone-prof ${name} ${word}`);
    }
  });
