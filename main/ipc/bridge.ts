/** The page's end of the contract: one function for each call and each event, and no way to any other channel. */
import { CALL_NAMES, channelOf, EVENT_NAMES } from './contract.ts';

export interface Channel {
  invoke(channel: string, ...values: unknown[]): Promise<unknown>;
  on(channel: string, listener: (event: unknown, ...values: unknown[]) => void): unknown;
  removeListener(channel: string, listener: (event: unknown, ...values: unknown[]) => void): unknown;
}

type BridgeFunction = (value?: unknown) => unknown;

export function createBridge(channel: Channel): Readonly<Record<string, BridgeFunction>> {
  const bridge: Record<string, BridgeFunction> = {};
  for (const name of CALL_NAMES) bridge[name] = (asked) => channel.invoke(channelOf(name), asked);
  for (const name of EVENT_NAMES) {
    bridge[`on${name.charAt(0).toUpperCase()}${name.slice(1)}`] = (listener) => {
      if (typeof listener !== 'function') throw new TypeError('a function is expected');
      // Electron's event object is not passed on: through its sender a page could reach every IPC channel.
      const listen = (_event: unknown, told: unknown) => listener(told);
      channel.on(channelOf(name), listen);
      return () => void channel.removeListener(channelOf(name), listen);
    };
  }
  return bridge;
}
