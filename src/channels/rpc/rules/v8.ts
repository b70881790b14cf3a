import { AS_PARTS, NEVER_SENT, REFERENCES } from '../../../engines/standard/platform.ts';
import { ANYWHERE, BRIDGE, OWN_ERRORS } from '../../../engines/standard/row-parts.ts';
import { ruleTable } from '../../../model/rules/rule.ts';

const WORKERD = { workerd: '*' } as const;
const SEEN_NEW = 'seen on workerd 2026-11-17; not on 2026-03-01';
const IN_CALL = { ...ANYWHERE.rejected, scope: { runtimes: WORKERD, channels: ['rpc'] } } as const;
const SERIALIZER = 'workerd src/workerd/jsg/ser.c++ Serializer';
const RPC = 'workerd src/workerd/api/worker-rpc.c++';
const SEEN = 'seen on workerd 2025-10-01, 2026-03-01 and 2026-11-17';

/** Classes whose body is a stream, which structuredClone refuses and RPC hands over. */
const WITH_BODY: readonly string[] = ['Request', 'Response'];
const STREAMS: readonly string[] = ['ReadableStream', 'WritableStream'];
const HANDED_OVER: readonly string[] = [...WITH_BODY, ...STREAMS];

/** Rules for workerd alone, in structuredClone and in calls from one service to another (RPC). */
export const workerd = ruleTable(IN_CALL, {
  'v8/rpc-class-instance': {
    when: { kind: 'object', any: ['class-instance', 'null-prototype'], none: ['web-object'] },
    title: 'class instance in a call',
    why: 'RPC of Workers takes plain objects alone: an instance of a class, and an object without a prototype, throws a DataCloneError. structuredClone sends their properties.',
    fix: 'Send { ...instance } and rebuild it there, or extend RpcTarget: then the other side gets a stub, and each call of a method is a message.',
    remedies: ['plain', 'json-text'],
    source: `${SERIALIZER}, treatClassInstancesAsPlainObjects; ${SEEN}`,
  },
  'v8/rpc-proxy': {
    ...ANYWHERE.losesValue,
    when: { kind: 'proxy' },
    title: 'Proxy in a call',
    why: 'The other side gets a stub: each property that is read from it is a message back and a promise. A Proxy of an array is refused.',
    fix: 'Send the raw object: toRaw(value), snapshot(value), or { ...value } where it is flat.',
    remedies: ['plain', 'json-text'],
    source: `${RPC} JsRpcStub; ${SEEN}`,
  },
  'v8/rpc-handed-over': {
    ...ANYWHERE.note,
    when: [
      { kind: ['platform', 'not-cloneable'], tag: [...HANDED_OVER, ...REFERENCES] },
      { kind: 'function' },
    ],
    also: [{ at: 'outside', when: { kind: ['function', 'promise'] }, scope: BRIDGE.alone }],
    title: 'function, stream, request or service that is handed over',
    why: 'A stream, and the body of a Request or Response, is handed over: its bytes follow the call, and the sender can read them no more. Of a function, an RpcTarget or a service the other side gets a stub: each call of it is a message back and a promise there, and it lives until it is disposed of. contextBridge hands over functions and promises: what is given to them is copied at each call.',
    source: `${RPC} JsRpcStub, StreamSink; ${SEEN}`,
  },
  'v8/workerd-refused': {
    when: { kind: ['platform', 'not-cloneable'], tag: [...NEVER_SENT, 'TransformStream'] },
    scope: { runtimes: WORKERD, channels: ['structured-clone', 'rpc'] },
    also: [
      {
        when: [
          { kind: ['platform', 'not-cloneable'], tag: [...STREAMS, ...REFERENCES] },
          { kind: 'not-cloneable', tag: WITH_BODY },
        ],
        scope: { runtimes: WORKERD, channels: ['structured-clone'] },
      },
    ],
    title: 'web object that workerd cannot send',
    why: 'URL, FormData, events, signals and the like throw a DataCloneError, in structuredClone and in a call; streams, requests, responses and services in structuredClone alone.',
    ...AS_PARTS,
    source: `${SERIALIZER}; ${SEEN}`,
  },
  'v8/workerd-error-cause': {
    ...ANYWHERE.note,
    when: { kind: 'error', any: ['has-cause', 'aggregate'] },
    loses: 'attributes',
    scope: { runtimes: OWN_ERRORS, channels: ['structured-clone', 'rpc'] },
    title: 'cause or errors of an error',
    why: 'They arrive as enumerable properties, where new Error(text, { cause }) and AggregateError make some that are not.',
    source: `workerd src/workerd/jsg/ser.c++ treatErrorsAsHostObjects (enhanced_error_serialization); ${SEEN_NEW}`,
  },
  'v8/workerd-error-text': {
    when: { kind: 'error', all: ['altered-slot'] },
    scope: { runtimes: OWN_ERRORS, channels: ['structured-clone', 'rpc'] },
    title: 'message of an error that is not a string',
    why: 'Such an error is written, and refused where it is read: the call or structuredClone throws.',
    fix: 'Keep data in a property of its own.',
    remedies: ['plain'],
    source: `workerd src/workerd/jsg/ser.c++; ${SEEN_NEW} (Deserialization failed: error message is not a string)`,
  },
});
