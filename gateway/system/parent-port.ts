/** The channel to the process that started the gateway: Electron's in a utility process, else that of Node's `fork`. */

export interface ParentPort {
  post(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Calls `listener` when the parent process has ended or closed the channel. */
  onClosed(listener: () => void): void;
}

/** Port that Electron puts on `process` of a utility process. */
interface UtilityPort {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (event: { readonly data: unknown }) => void): unknown;
}

/** null: the parent process has opened no channel. */
export function openParentPort(): ParentPort | null {
  const utility: UtilityPort | undefined = Reflect.get(process, 'parentPort');
  if (utility !== undefined && utility !== null) {
    return {
      post: (message) => utility.postMessage(message),
      onMessage: (listener) => void utility.on('message', ({ data }) => listener(data)),
      // Never called: Electron ends its utility processes together with itself.
      onClosed: () => undefined,
    };
  }
  if (process.send === undefined) return null;
  return {
    post(message) {
      // A failed send is ignored: if the parent has just ended, `disconnect` reports it.
      if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
    },
    onMessage: (listener) => void process.on('message', listener),
    onClosed: (listener) => void process.on('disconnect', listener),
  };
}
