/** One thing the doctor looked at. */
export interface Finding {
  readonly check: string;
  readonly level: 'OK' | 'WARN' | 'FAIL';
  readonly detail: string;
  /** A command or a step that mends it; null when nothing is to be done. */
  readonly mend: string | null;
}

export function fine(check: string, detail: string): Finding {
  return { check, level: 'OK', detail, mend: null };
}

export function warn(check: string, detail: string, mend: string | null): Finding {
  return { check, level: 'WARN', detail, mend };
}

export function bad(check: string, detail: string, mend: string): Finding {
  return { check, level: 'FAIL', detail, mend };
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
