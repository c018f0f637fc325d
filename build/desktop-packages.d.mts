/** Command that installs the desktop app's packages. */
export const HOW_TO_INSTALL: string;
/** Path of a file of the desktop app's packages; null: they are not installed. */
export function findDesktopFile(name: string): string | null;
