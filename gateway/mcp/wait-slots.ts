/** Counts what one caller keeps open at a time. */
export interface Waits {
  /** @returns what gives the place back; null: there is none left */
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
