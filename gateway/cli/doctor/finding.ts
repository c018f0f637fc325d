/** Result of one of the doctor's checks. */
export interface Finding {
  readonly check: string;
  readonly level: 'OK' | 'WARN' | 'FAIL';
  readonly detail: string;
  /** Command or step that mends the problem; null: nothing has to be done. */
  readonly mend: string | null;
}

/** Functions that make the findings of one check, one for each level. */
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
