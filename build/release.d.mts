/** Packs the built program into `target`; the names in `files` are relative to the archive's root. */
export function makeArchive(target: string): {
  readonly file: string;
  readonly files: readonly string[];
  readonly bytes: number;
};
