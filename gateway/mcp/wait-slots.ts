/** Counts the open calls of each caller. */
export interface Waits {
  /** @returns a function that frees the place; null: there is none left */
  take(): (() => void) | null;
}

export function waitSlots(places: number): Waits {
  let taken = 0;
  return {
    take() {
      if (taken >= places) return null;
      taken += 1;
      let isGivenBack = false;
      return () => {
        if (!isGivenBack) taken -= 1;
        isGivenBack = true;
      };
    },
  };
}
