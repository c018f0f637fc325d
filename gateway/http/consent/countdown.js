/** Countdown by the wall clock, so that the number is right after the computer has slept. */

const TICK_MS = 500;

/**
 * @param {number} expiresAt epoch ms
 * @param {{ tick(secondsLeft: number): void, end(): void }} listener `end` is called once, instead of the tick at zero
 * @returns {() => void} stops the countdown
 */
export function startCountdown(expiresAt, listener) {
  let timer = 0;
  const look = () => {
    const secondsLeft = Math.ceil((expiresAt - Date.now()) / 1_000);
    if (secondsLeft <= 0) {
      listener.end();
      return;
    }
    listener.tick(secondsLeft);
    timer = setTimeout(look, TICK_MS);
  };
  look();
  return () => clearTimeout(timer);
}
