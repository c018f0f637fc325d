/** Choices of *If a leg fails*. */

/** Choices for opening orders. */
export const LEG_FAILURES = [
  { value: 'KEEP', label: 'Keep what filled' },
  { value: 'UNWIND', label: 'Close what filled' },
  { value: 'RETRY', label: 'Try it again' },
] as const;

/** Choices for orders within a position, whose fills are never undone. */
export const CLOSING_FAILURES = [
  { value: 'RETRY', label: 'Try it again' },
  { value: 'KEEP', label: 'Leave what is left' },
] as const;

export type ClosingFailure = (typeof CLOSING_FAILURES)[number]['value'];
