/**
 * The thread in which proofs restore. It never builds the payload, so it holds nothing that `apply` or a factory left
 * in a module.
 */
import { ToolError } from '../../model/errors.ts';
import type { Channel } from '../../model/names.ts';
import { spawnPeer } from '../channel/channel.ts';
import { currentPlatform } from '../platform/current.ts';
import { thrownMessage } from '../user-code/thrown.ts';
import type { RestoreAnswer, RestoreRequest } from './restorer.ts';

/** Restores in the other thread; null for a message that cannot be cloned to it. */
export type Elsewhere = (request: RestoreRequest) => Promise<RestoreAnswer | null>;

/** @throws ToolError 'measure-failed' if the thread cannot be started */
async function start(channel: Channel): Promise<Elsewhere> {
  const peer = await spawnPeer(channel).catch(notStarted);
  const { endpoint } = peer;
  return async (request) => {
    const answered = new Promise((resolve, reject) => {
      endpoint.onMessage = resolve;
      endpoint.onMessageError = reject;
      endpoint.post(request);
    });
    try {
      return (await peer.whileAlive(answered.catch(() => null))) as RestoreAnswer | null;
    } catch (error) {
      started.delete(channel);
      return { losses: [], threw: thrownMessage(error) };
    }
  };
}

function notStarted(error: unknown): never {
  const detail = `no other thread to restore in could be started: ${thrownMessage(error)}`;
  throw new ToolError('measure-failed', { detail });
}

/** The threads live as long as the guest. */
const started = new Map<Channel, Promise<Elsewhere>>();

const PREFERRED: readonly Channel[] = ['worker', 'rpc', 'electron-ipc'];

/** Over windows it is a frame, which has a document as the receivers do. null if the platform lacks a thread for it. */
export function elsewhereOf(asked: Channel): Promise<Elsewhere> | null {
  const { peers } = currentPlatform();
  const channel = (asked === 'window' ? [asked] : PREFERRED).find((one) => peers[one] !== undefined);
  if (channel === undefined) return null;
  const starting = started.get(channel) ?? start(channel);
  started.set(channel, starting);
  // The next caller tries again. Some callers start it ahead of its use, and await nothing.
  starting.catch(() => started.delete(channel));
  return starting;
}
