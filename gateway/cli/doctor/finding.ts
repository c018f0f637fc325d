/** One thing the doctor looked at. */
export interface Finding {
  readonly check: string;
  readonly level: 'OK' | 'WARN' | 'FAIL';
  readonly detail: string;
  /** A command or a step that mends it; null when nothing is to be done. */
  readonly mend: string | null;
}

/** What one check can find. */
export function findingsOf(check: string) {
  return {
    fine: (detail: string): Finding => ({ check, level: 'OK', detail, mend: null }),
    warn: (detail: string, mend: string | null): Finding => ({ check, level: 'WARN', detail, mend }),
    bad: (detail: string, mend: string): Finding => ({ check, level: 'FAIL', detail, mend }),
  };
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
