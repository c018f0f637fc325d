/** The WebSocket of the platform: the global one of browsers and newer Nodes, else the package `ws`. */

/** Part of a WebSocket that the client uses: the WebSockets of browsers, of Node and of `ws` fit. */
export interface Socket {
  addEventListener(type: 'open' | 'error', listener: () => void): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
  addEventListener(
    type: 'close',
    listener: (event: { readonly code: number; readonly reason: string }) => void,
  ): void;
  send(text: string): void;
  close(): void;
}

export type SocketConstructor = new (url: string) => Socket;

export async function platformSocket(): Promise<SocketConstructor> {
  const native: SocketConstructor | undefined = Reflect.get(globalThis, 'WebSocket');
  return native ?? (await import('ws')).WebSocket;
}
