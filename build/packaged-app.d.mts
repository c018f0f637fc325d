export interface ArchivedFile {
  readonly path: string;
  readonly size: number;
  readonly isUnpacked: boolean;
  /** null: the archive has no hash of the file. */
  readonly sha256: string | null;
}
export function filesOfArchive(archive: string): ArchivedFile[];
export function faultsOfArchive(files: readonly ArchivedFile[]): string[];
export function faultsOfHashes(archive: string, files: readonly ArchivedFile[]): string[];
export function sizeOfFolder(folder: string): number;
