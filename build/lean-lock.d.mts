/** The text of a lock file as it has to be; `hasGyp` tells whether a package has a binding.gyp. */
export function leanLock(text: string, hasGyp: (path: string) => boolean): string;
