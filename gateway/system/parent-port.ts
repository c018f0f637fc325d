/** The channel to the process that started this one: Electron's in a utility process, else Node's of `fork`. */

export interface ParentPort {
  post(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
  /** The parent is gone, or has closed the channel. */
  onClosed(listener: () => void): void;
}

/** What Electron puts on `process` of a utility process. */
interface UtilityPort {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (event: { readonly data: unknown }) => void): unknown;
}

/** null: nobody listens. */
export function openParentPort(): ParentPort | null {
  const utility: UtilityPort | undefined = Reflect.get(process, 'parentPort');
  if (utility !== undefined && utility !== null) {
    return {
      post: (message) => utility.postMessage(message),
      onMessage: (listener) => void utility.on('message', ({ data }) => listener(data)),
      // Electron ends its utility processes with itself.
      onClosed: () => undefined,
    };
  }
  if (process.send === undefined) return null;
  return {
    post(message) {
      // A parent that has just ended is told by `disconnect`.
      if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
    },
    onMessage: (listener) => void process.on('message', listener),
    onClosed: (listener) => void process.on('disconnect', listener),
  };
}
