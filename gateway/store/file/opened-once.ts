/** A connection that is opened on first use. If opening fails, the next use tries again. */
export function openedOnce<Connection>(open: () => Promise<Connection>) {
  let opening: Promise<Connection> | null = null;
  return {
    get(): Promise<Connection> {
      opening ??= open().catch((error: unknown) => {
        opening = null;
        throw error;
      });
      return opening;
    },
    /** The connection if it was ever opened, so that it can be closed; undefined: it was not. */
    opened: async (): Promise<Connection | undefined> => opening?.catch(() => undefined),
  };
}
