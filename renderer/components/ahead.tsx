/**
 * A part of a screen in a file of its own, preloaded so that it is shown in the same frame in which it is needed.
 * `lazy` alone cannot do this: once React has shown an empty place, it shows the content a third of a second later,
 * even if the wait was over at once.
 */
import { type ComponentType, lazy, type ReactNode, useEffect, useState } from 'react';

export interface Ahead<Props> {
  /** Needs a `Suspense` around it, in case it is shown before its file is loaded. */
  readonly View: (props: Props) => ReactNode;
  /** Loads the file once the calling component is mounted. */
  readonly useFetched: () => void;
  /** To be called after a failed load, which React would keep for good: the next view loads the file again. */
  readonly fetchAgain: () => void;
}

export function ahead<Props extends object>(read: () => Promise<ComponentType<Props>>): Ahead<Props> {
  let there: ComponentType<Props> | undefined;
  const fetched = async () => {
    there ??= await read();
    return there;
  };
  const late = (): ComponentType<Props> => lazy(async () => ({ default: await fetched() }));
  let Late = late();
  return {
    View(props) {
      // The choice stays fixed while the view is mounted: switching would lose typed text.
      const [Shown] = useState<ComponentType<Props>>(() => there ?? Late);
      return <Shown {...props} />;
    },
    useFetched: () => useEffect(() => void fetched().catch(() => undefined), []),
    fetchAgain: () => {
      Late = late();
    },
  };
}
