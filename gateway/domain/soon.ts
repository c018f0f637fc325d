/** Longest wait for data that only explains or shows something: the caller is answered without it. */
const PATIENCE_MS = 1_000;

/** The answer; null if it fails or does not come within a second. */
export async function soon<T>(
  clock: { after(delayMs: number, run: () => void): () => void },
  asked: Promise<T>,
): Promise<T | null> {
  let cancel = () => {};
  const tooLate = new Promise<null>((resolve) => {
    cancel = clock.after(PATIENCE_MS, () => resolve(null));
  });
  const answer = await Promise.race([asked.catch(() => null), tooLate]);
  cancel();
  return answer;
}
