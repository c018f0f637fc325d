import type { Logger } from '../../gateway/engine/ports/system.ts';

/** Keeps what is logged instead of writing it. */
export function recordingLogger(): Logger & {
  readonly lines: { level: string; fields: object; message: string }[];
} {
  const lines: { level: string; fields: object; message: string }[] = [];
  const keep = (level: string) => (fields: object, message: string) =>
    void lines.push({ level, fields, message });
  return { lines, debug: keep('debug'), info: keep('info'), warn: keep('warn'), error: keep('error') };
}
