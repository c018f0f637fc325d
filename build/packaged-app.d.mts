export interface ArchivedFile {
  readonly path: string;
  readonly size: number;
  readonly isUnpacked: boolean;
}
export function filesOfArchive(archive: string): ArchivedFile[];
export function faultsOfArchive(files: readonly ArchivedFile[]): string[];
export function sizeOfFolder(folder: string): number;
