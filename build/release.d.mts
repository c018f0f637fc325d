/** Packs what is built into `target`; the names are relative to the archive's root. */
export function makeArchive(target: string): {
  readonly file: string;
  readonly files: readonly string[];
  readonly bytes: number;
};
