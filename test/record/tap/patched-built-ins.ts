/**
 * Beginning of a program: replaces built-ins by functions that note in `touched` that they were called while
 * `globalThis.watching`. `log` prints.
 */
export const PATCHED_BUILT_INS = `const Reflect_apply = Reflect.apply;
const log = (...texts) => process.stdout.write(texts.join(' ') + '\\n');
const touched = [];
for (const [owner, keys] of [[Array.prototype, ['push', 'map', 'slice', 'indexOf', 'includes']], [Map.prototype, ['get', 'set', 'has']],
  [String.prototype, ['slice', 'startsWith', 'split', 'replace']], [WeakMap.prototype, ['get', 'set']], [Object, ['keys', 'entries', 'hasOwn']],
  [Reflect, ['ownKeys', 'apply', 'getOwnPropertyDescriptor']], [JSON, ['stringify']], [Function.prototype, ['call', 'apply']],
  [Math, ['max', 'min', 'ceil', 'floor']], [WeakSet.prototype, ['has', 'add']]]) {
  for (const key of keys) {
    const original = owner[key];
    owner[key] = { [key](...args) { if (globalThis.watching) touched[touched.length] = key; return Reflect_apply(original, this, args); } }[key];
  }
}
Object.prototype.toJSON = function () { touched[touched.length] = 'toJSON'; return this; };
`;
