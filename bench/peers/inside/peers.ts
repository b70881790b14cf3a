/** Who takes turns: a new peer is a row here. Each as its documentation recommends it for speed. */
import avro from 'avsc';
import { Encoder } from 'cbor-x';
import { Packr } from 'msgpackr';
import { arrow } from './arrow.ts';
import { protobufjs } from './protobuf.ts';
import { byBytes, NOTHING_TO_MOVE, type OpenWay } from './way.ts';

export const original: OpenWay = () => ({
  name: 'original',
  toMessage: (value) => value,
  fromMessage: (message) => message,
  transferList: NOTHING_TO_MOVE,
});

const jsonText: OpenWay = () => ({
  name: 'JSON text',
  toMessage: (value) => JSON.stringify(value),
  fromMessage: (message) => JSON.parse(message as string) as unknown,
  transferList: NOTHING_TO_MOVE,
});

const msgpackr: OpenWay = () => {
  const packr = new Packr({ useRecords: true, bundleStrings: true });
  return byBytes(
    'msgpackr',
    (value) => packr.pack(value),
    (bytes) => packr.unpack(bytes) as unknown,
  );
};

const cborX: OpenWay = () => {
  const encoder = new Encoder({ useRecords: true });
  return byBytes(
    'cbor-x',
    (value) => encoder.encode(value),
    (bytes) => encoder.decode(bytes) as unknown,
  );
};

const avsc: OpenWay = (value) => {
  const type = avro.Type.forValue(value as object);
  return byBytes(
    'avsc',
    (payload) => type.toBuffer(payload),
    (bytes) => type.fromBuffer(bytes as Buffer) as unknown,
    true,
  );
};

export const PEERS: Readonly<Record<string, OpenWay>> = {
  'JSON text': jsonText,
  msgpackr,
  'cbor-x': cborX,
  avsc,
  protobufjs,
  'apache-arrow': arrow,
};
