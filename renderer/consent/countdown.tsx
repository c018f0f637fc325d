/** Time that a request has left, by the wall clock: the number is right after the computer has slept. */
import { useEffect, useState } from 'react';
import css from './consent.module.css';
import { shownTime } from './plain-words.ts';

const TICK_MS = 500;
const WARNING_SECONDS = 60;

const secondsTo = (at: number) => Math.ceil((at - Date.now()) / 1_000);

/** @param expiresAt epoch ms @param onEnd called once, when no time is left */
export function Countdown({ expiresAt, onEnd }: { readonly expiresAt: number; readonly onEnd: () => void }) {
  const [seconds, setSeconds] = useState(() => secondsTo(expiresAt));
  useEffect(() => {
    const timer = setInterval(() => {
      const left = secondsTo(expiresAt);
      if (left <= 0) onEnd();
      else setSeconds(left);
    }, TICK_MS);
    return () => clearInterval(timer);
  }, [expiresAt, onEnd]);
  return (
    <footer className={css['deadline']}>
      This request expires in <strong role="timer">{shownTime(Math.max(0, seconds))}</strong>
      <p className="visually-hidden" role="status">
        {seconds <= WARNING_SECONDS && 'This request expires in less than a minute.'}
      </p>
    </footer>
  );
}
