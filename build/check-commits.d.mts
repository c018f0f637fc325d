/** Rules that a commit subject breaks, in words; none for a good one. */
export function subjectFaults(subject: string): readonly string[];

/**
 * Commits whose subjects are checked, newest first; merges are left out.
 * @param git output of a git command with these arguments; null when it fails
 * @returns `since`: the branch or tag after which commits are new; null where the repository has neither
 */
export function newCommits(git: (...args: readonly string[]) => string | null): {
  readonly since: string | null;
  readonly commits: readonly { readonly line: string; readonly subject: string }[];
};
