/** `/// <reference types="clone-prof/client" />` gives types to codecs that lack generated declarations. */
declare module '*?codec' {
  export type Payload = unknown;
  export type Message = object;
  export function toMessage(payload: Payload, onMiss?: (path: string) => void): Message;
  export function fromMessage<T extends Payload = Payload>(message: Message): T;
  export function transferList(message: Message): ArrayBuffer[];
}
