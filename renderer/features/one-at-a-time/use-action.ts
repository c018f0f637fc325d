/**
 * A button's action: one run at a time, with the error of the last run. The answer is not kept, because it may hold a
 * secret.
 */
import { useCallback, useEffect, useRef, useState } from 'react';

export interface Action<Arguments extends readonly unknown[]> {
  readonly busy: boolean;
  /** Error of the last run; null: no run yet, or it succeeded. */
  readonly error: unknown;
  /** Resolves with true on success. A call during a run does nothing. */
  readonly run: (...given: Arguments) => Promise<boolean>;
  readonly forget: () => void;
}

export function useAction<Arguments extends readonly unknown[]>(
  work: (...given: Arguments) => Promise<void>,
): Action<Arguments> {
  const [state, setState] = useState<{ readonly busy: boolean; readonly error: unknown }>({
    busy: false,
    error: null,
  });
  const running = useRef(false);
  const latest = useRef(work);
  useEffect(() => {
    latest.current = work;
  });
  const run = useCallback(async (...given: Arguments) => {
    if (running.current) return false;
    running.current = true;
    setState({ busy: true, error: null });
    try {
      await latest.current(...given);
      setState({ busy: false, error: null });
      return true;
    } catch (error) {
      setState({ busy: false, error });
      return false;
    } finally {
      running.current = false;
    }
  }, []);
  const forget = useCallback(() => setState({ busy: false, error: null }), []);
  return { ...state, run, forget };
}
