type BuiltIn =
  | ('Proxy' | 'Date' | 'Map' | 'Set' | 'ArrayBuffer' | 'SharedArrayBuffer' | 'DataView' | 'RegExp')
  | ('NativeError' | 'Promise' | 'WeakMap' | 'WeakSet' | 'ArgumentsObject' | 'GeneratorObject')
  | ('MapIterator' | 'SetIterator' | 'ModuleNamespaceObject')
  | ('StringObject' | 'NumberObject' | 'BooleanObject' | 'BigIntObject' | 'SymbolObject' | 'BoxedPrimitive');

export type TypeTest = (value: unknown) => boolean;

/** Tests by internal slots, named as in node:util. Values of Node's C++ code exist in processes alone. */
export type TypeTests = Readonly<Record<`is${BuiltIn}`, TypeTest>> & { readonly isExternal?: TypeTest };

/** Built-in types as the place that this code runs in reports them: a process, a page, workerd. */
export interface EngineTypes {
  types: TypeTests;
  /** null if Buffer does not exist. */
  bufferPrototype: object | null;
  isMarkedAsUntransferable?: ((buffer: object) => boolean) | undefined;
  /** Size of the pool that Buffer.from takes small buffers from; 0 without a pool. */
  poolBytes: number;
}
