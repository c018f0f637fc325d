/**
 * Text of a lock file without install scripts and addresses; `hasGyp` tells whether a package has a binding.gyp.
 */
export function leanLock(text: string, hasGyp: (path: string) => boolean): string;
