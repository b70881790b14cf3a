import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { removeCached } from '../../../src/runtimes/provision/provision.ts';
import { chooseVersion, parseSpec, publishedFrom } from '../../../src/runtimes/provision/versions.ts';
import { isToolError } from '../../support/tool-errors.ts';

describe('a spec means a version', () => {
  const PUBLISHED = {
    versions: ['1.3.14', '1.4.0', '1.4.5', '1.4.6-canary.1'],
    tags: new Map([
      ['latest', '1.4.0'],
      ['next', '1.4.6-canary.1'],
    ]),
  };
  const rows: [spec: string, version: string][] = [
    ['bun', '1.4.5'],
    ['bun@1.3', '1.3.14'],
    ['bun@^1.3.0', '1.4.5'],
    ['bun@v1.4.0', '1.4.0'],
    ['bun@next', '1.4.6-canary.1'],
    ['bun@', '1.4.5'],
    ['bun@latest', '1.4.5'],
    ['bun@1', '1.4.5'],
    ['bun@<1.4', '1.3.14'],
    ['bun@1.4.0', '1.4.0'],
    ['bun@1.4.6-canary.1', '1.4.6-canary.1'],
    ['node@1.4', '1.4.5'],
  ];
  for (const [spec, version] of rows) {
    test(`${spec} is ${version}`, () => assert.equal(chooseVersion(parseSpec(spec), PUBLISHED), version));
  }
});

describe('a spec that is not a version is refused before npm is started', () => {
  const MALFORMED = [
    ...['bun@!', 'bun@constructor', 'bun@__proto__', 'bun@toString', 'bun@hasOwnProperty', 'bun@../../x'],
    ...['bun@file:x', 'bun@npm:evil', 'bun@https://example.org/x.tgz', 'bun@1.0 || evil', 'bun@git+ssh://x'],
    ...['bun@-1', 'bun@--registry=http://x', 'bun@.', 'bun@..', 'bun@a/b', 'bun@\u0000', 'bun@@1'],
  ];
  for (const spec of MALFORMED) {
    test(JSON.stringify(spec), async () => {
      const malformed = isToolError('version-malformed', /is not a version, a range/);
      assert.throws(() => parseSpec(spec), malformed);
      await assert.rejects(removeCached(spec), malformed);
    });
  }

  for (const spec of ['rhino@1', '@oven/bun']) {
    test(spec, () =>
      assert.throws(
        () => parseSpec(spec),
        isToolError('runtime-unknown', /^unknown runtime '.*Known: node, bun/),
      ),
    );
  }
});

describe('answers of a registry', () => {
  const TAGS: [name: string, spec: string, tags: Record<string, unknown>][] = [
    ['a tag that the registry does not have', 'bun@nightly', { latest: '1.4.0' }],
    ['a tag that is a path', 'bun@evil', { evil: '../../../x' }],
    ['a tag that is an address', 'bun@evil', { evil: 'https://example.org/x.tgz' }],
    ['a tag that is a range', 'bun@evil', { evil: '>=1' }],
    ['a tag that is not a text', 'bun@evil', { evil: { toString: 1 } }],
  ];
  for (const [name, spec, tags] of TAGS) {
    test(`${name} is refused`, () => {
      const answer = publishedFrom({ versions: ['1.4.0'], 'dist-tags': tags });
      assert.throws(() => chooseVersion(parseSpec(spec), answer), isToolError('version-malformed'));
    });
  }

  test('versions that are malformed are left out, and one version is a text', () => {
    const versions = ['../../x', 'v1.4.1', '1.4', '1.3.14', 7, null];
    assert.deepEqual(publishedFrom({ versions }).versions, ['1.3.14']);
    assert.deepEqual(publishedFrom({ versions: '1.0.0' }).versions, ['1.0.0']);
    assert.deepEqual(publishedFrom(null).versions, []);
  });
});
