import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  hasHead,
  htmlWith,
  isUtf16,
  typeWithCharset,
} from '../../../../src/core/recording/injection/html.ts';
import { policyWith } from '../../../../src/core/recording/injection/policy.ts';
import { looksLikeModule, workerScriptWith } from '../../../../src/core/recording/injection/worker-script.ts';

const NEEDED = { script: 'http://a/r/', socket: 'ws://b', nonce: 'n1' };
const TAG = '<script src="/r/0.js" nonce="n1"></script>';

/** `^`: where the recorder goes. */
const DOCUMENTS: [what: string, html: string][] = [
  ['nothing', '^'],
  ['doctype', '<!DOCTYPE html>\n^<script src="a.js"></script>'],
  ['comments, also odd ones', '<!-- <head> --><!--><!doctype html><!-- a -- > --!>^<p>'],
  ['byte order mark', '\xef\xbb\xbf<!doctype html>^<body>'],
  ['attributes', '<html lang="a>b" x=\'>\'>\n<head prefix="og: http://a">^<title>a</title></head>'],
  ['no head of its own', '<html><body class="a">'.replace('<body', '^<body')],
  ['names that begin alike', '<!doctype html>^<header>a</header>'],
  [
    'declarations',
    '<?xml version="1.0"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0//EN">^<script>1</script>',
  ],
];

for (const [what, html] of DOCUMENTS) {
  test(`a document: ${what}`, () => {
    assert.equal(htmlWith(html.replace('^', ''), '/r/0.js', NEEDED), html.replace('^', TAG));
  });
}

const META: [value: string, expected: string][] = [
  [`"default-src 'self'"`, `"default-src 'self'; script-src 'self' http://a/r/; connect-src 'self' ws://b"`],
  ['"script-src &#39;none&#39;"', '"script-src http://a/r/"'],
  ['"img-src *"', '"img-src *"'],
];

for (const [value, expected] of META) {
  test(`a policy in a document: ${value}`, () => {
    const meta = (content: string) => `<meta http-equiv="Content-Security-Policy" content=${content}>`;
    const other =
      '<!-- <meta http-equiv=content-security-policy content="default-src x"> --><meta name=a content="b">';
    assert.equal(
      htmlWith(`<p>${meta(value)}${other}`, '/r/0.js', NEEDED),
      `${TAG}<p>${meta(expected)}${other}`,
    );
  });
}

const POLICIES: [header: string, expected: string][] = [
  ['', ''],
  ["img-src 'self'", "img-src 'self'"],
  ["script-src 'self'; script-src x", "script-src 'self' http://a/r/; script-src x"],
  ["SCRIPT-SRC 'unsafe-inline'", "script-src 'unsafe-inline' http://a/r/"],
  ["script-src 'nonce-x' 'strict-dynamic'", "script-src 'nonce-x' 'strict-dynamic' http://a/r/ 'nonce-n1'"],
  ["default-src 'none'", "default-src 'none'; script-src http://a/r/; connect-src ws://b"],
  [
    "script-src a; script-src-elem b; worker-src 'none'; connect-src c",
    'script-src a http://a/r/; script-src-elem b http://a/r/; worker-src http://a/r/; connect-src c ws://b',
  ],
  ['script-src a, script-src b', 'script-src a http://a/r/, script-src b http://a/r/'],
];

for (const [header, expected] of POLICIES) {
  test(`a policy: ${header}`, () => assert.equal(policyWith(header, NEEDED), expected));
}

test('what is read of a document, and in which encoding', () => {
  assert.deepEqual(['<p>', '<p></HEAD>', '<body>', 'x'.repeat(2 ** 16)].map(hasHead), [
    false,
    true,
    true,
    true,
  ]);
  const rows: [type: string, html: string, expected: string][] = [
    ['text/html', '<meta charset="windows-1252">', 'text/html; charset=windows-1252'],
    [
      'text/html',
      '<meta http-equiv=content-type content="text/html; charset=koi8-r">',
      'text/html; charset=koi8-r',
    ],
    ['text/html', '<!-- <meta charset=a> --><meta charset=utf-16le>', 'text/html; charset=utf-8'],
    ['text/html; charset=x', '<meta charset=a>', 'text/html; charset=x'],
    ['text/html', '\xef\xbb\xbf<meta charset=a>', 'text/html'],
    ['text/html', `${' '.repeat(1024)}<meta charset=a>`, 'text/html'],
  ];
  for (const [type, html, expected] of rows) assert.equal(typeWithCharset(type, html), expected);
  assert.deepEqual(
    [isUtf16('\xff\xfe<', ''), isUtf16('<', 'text/html;charset=UTF-16'), isUtf16('<', '')],
    [true, true, false],
  );
});

const CLASSIC = 'try{importScripts("/r/0.js")}catch{}';
const STRICT = `"use strict";${CLASSIC}`;
const MODULE = 'import "/r/0.js";';

const WORKERS: [what: string, code: string, start: string][] = [
  ['classic', '^onmessage = f;\nb', CLASSIC],
  ['strict', '^"use strict"; a', STRICT],
  ['strict, after comments and another directive', '^/* a\n*/ // b\n\'use asm\' ;\n"use strict"\na', STRICT],
  ['strict, after megabytes of white space', `^${' '.repeat(1e7)}"use strict"`, STRICT],
  ['a text of megabytes', `^"${'x'.repeat(1e7)}"`, CLASSIC],
  ['a text that is no directive', '^("use strict"); a', CLASSIC],
  ['strict later', '^a; "use strict";', CLASSIC],
  ['byte order mark', '\xef\xbb\xbf^"use strict"', STRICT],
  ['first line of a program', '#!/usr/bin/env node\n^a', CLASSIC],
  ['module', '^import a from "b";', MODULE],
];

for (const [what, code, start] of WORKERS) {
  test(`a worker: ${what}`, () => {
    const given = workerScriptWith(code.replace('^', ''), '/r/0.js', start === MODULE);
    assert.deepEqual(given, {
      code: code.replace('^', start),
      moved: code.startsWith('#') ? 0 : start.length,
    });
  });
}

test('what can only be a module', () => {
  const modules = [
    'import "a"',
    'import{a}from"b"',
    'a();import a from "b"',
    'x\nexport default 1',
    'import * as a from "b"',
    'f(import.meta.url)',
  ];
  const others = ['importScripts("a")', 'import("a")', 'a.export = 1', 'exports.a = 1', 'const imported = 1'];
  assert.deepEqual([...modules, ...others].filter(looksLikeModule), modules);
});
