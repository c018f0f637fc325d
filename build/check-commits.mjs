// Checks the subjects of new commits, so that `git log` reads as a list of changes. New are those since origin/main;
// where that is HEAD itself, as in a fresh clone, those since the last tag, or since this check was added. Older subjects
// follow no rules.
import { execFileSync } from 'node:child_process';
import { dirname, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const MAX_LENGTH = 72;
const AREA = /^[a-z][a-z0-9]*(?:[ /-][a-z0-9]+)*: (?=\S)/;
/** Not imperative: the past (`added`), a continuous form (`adding`), or a noun with its article. */
const NOT_IMPERATIVE = /^(?:an?|the|[\w-]+(?:ed|ing))$/i;
/** Imperatives that look like one of those. */
const IMPERATIVE =
  /^(?:bleed|embed|exceed|feed|need|proceed|seed|shed|speed|succeed|bring|ping|ring|string|swing)$/i;

/** Rules that a commit subject breaks, in words; none for a good one. */
export function subjectFaults(subject) {
  const faults = [];
  const length = [...subject].length;
  if (length > MAX_LENGTH) faults.push(`${length} characters, at most ${MAX_LENGTH}`);
  const area = AREA.exec(subject)?.[0];
  if (area === undefined) faults.push('no area in lower case, as in `engine: pause a TWAP`');
  const [verb = ''] = subject.slice(area?.length ?? 0).split(/[^\w-]/);
  if (NOT_IMPERATIVE.test(verb) && !IMPERATIVE.test(verb)) faults.push(`not imperative: ${verb}`);
  if (subject.includes(';')) faults.push('two subjects joined by a semicolon');
  if (/\bwip\b/i.test(subject)) faults.push('work in progress');
  return faults;
}

/**
 * Commits whose subjects are checked, newest first; merges are left out.
 * @param git output of a git command with these arguments; null when it fails
 * @returns `since`: the branch, tag or commit after which commits are new; null where the repository has none of them
 */
export function newCommits(git) {
  const main = git('rev-parse', '--verify', '--quiet', 'origin/main^{commit}');
  const isAhead = main !== null && main !== git('rev-parse', 'HEAD');
  const since = isAhead ? 'origin/main' : (git('describe', '--tags', '--abbrev=0') ?? firstOf(git));
  const log = since === null ? null : git('log', '--no-merges', '--format=%h %s', `${since}..HEAD`);
  const lines = (log ?? '').split('\n').filter((line) => line !== '');
  return { since, commits: lines.map((line) => ({ line, subject: line.slice(line.indexOf(' ') + 1) })) };
}

/** The commit that added this file; null where git does not know it. */
const firstOf = (git) =>
  git('log', '--diff-filter=A', '--format=%h', '-1', '--', 'build/check-commits.mjs') || null;

function git(...args) {
  try {
    const output = execFileSync('git', args, {
      cwd: ROOT,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return output.trimEnd();
  } catch {
    return null;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { since, commits } = newCommits(git);
  for (const { line, subject } of commits) {
    const faults = subjectFaults(subject);
    if (faults.length === 0) continue;
    console.error(`${line}\n  ${faults.join('\n  ')}`);
    process.exitCode = 1;
  }
  console.log(`${commits.length} commits checked${since === null ? '' : ` since ${since}`}`);
}
