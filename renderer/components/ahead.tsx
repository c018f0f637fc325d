/**
 * A part of a screen in a file of its own that is fetched before it is asked for, and then stands in the frame in which it
 * is asked for. `lazy` alone would keep it back: React shows what had to be waited for, be it for no time at all, a third
 * of a second after the place for it was empty.
 */
import { type ComponentType, lazy, type ReactNode, useEffect, useState } from 'react';

export interface Ahead<Props> {
  /** Needs a `Suspense` around it, for when it is asked for before it is there. */
  readonly View: (props: Props) => ReactNode;
  /** Fetches it once the component that uses this stands. */
  readonly useFetched: () => void;
  /** After a failure, which React would keep for good: the next view fetches it again. */
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
      // One or the other for as long as it is shown: what is typed into it would be lost with a change.
      const [Shown] = useState<ComponentType<Props>>(() => there ?? Late);
      return <Shown {...props} />;
    },
    useFetched: () => useEffect(() => void fetched().catch(() => undefined), []),
    fetchAgain: () => {
      Late = late();
    },
  };
}
