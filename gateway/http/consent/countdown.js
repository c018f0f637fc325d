/** The time that is left, by the wall clock: a computer that slept wakes up to the right number. */

const TICK_MS = 500;

/**
 * @param {number} expiresAt epoch ms
 * @param {{ tick(secondsLeft: number): void, end(): void }} listener `end` is called once, instead of the tick at zero
 * @returns {() => void} stops it
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
