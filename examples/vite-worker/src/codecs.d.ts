// clone-prof codecs: written by the bundler plugin. One module for each sample.

// sample: ../public/orders.json
declare module "*/orders.json?codec" {
  export interface Orders { orders: OrdersOrder[] }
  export interface OrdersOrder { id: number; customer: Customer; items: Item[] }
  export interface Customer { name: string; city: string }
  export interface Item { name: string; price: number; count: number }
  export type Payload = Orders;
  export type Message =
    | { version: string; ints: Int32Array; doubles: Float64Array; text: string; words: string; rest: unknown[] }
    | { asIs: Payload };
  export function toMessage(payload: Payload, onMiss?: (path: string) => void): Message;
  export function fromMessage<T extends Payload = Payload>(message: Message): T;
  export function transferList(message: Message): ArrayBuffer[];
}
