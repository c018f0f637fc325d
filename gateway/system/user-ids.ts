/** User ids (uid) of the system's users. */
import { readFileSync } from 'node:fs';
import { withoutSettings } from './child-environment.ts';

/** The uid of a user given by name or number. null: there is no such user. */
export function userIdOf(user: string): number | null {
  if (/^\d{1,10}$/.test(user)) return Number(user);
  return inPasswordFile(user) ?? fromSystem(user);
}

function inPasswordFile(user: string): number | null {
  try {
    for (const line of readFileSync('/etc/passwd', 'utf8').split('\n')) {
      const [name, , uid] = line.split(':');
      if (name === user && uid !== undefined) return Number(uid);
    }
  } catch {
    // No password file could be read; the user may be known to the system in another way.
  }
  return null;
}

/** Asks the system's `id`: users of a directory service are not in the password file. */
function fromSystem(user: string): number | null {
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  const { stdout } = spawnSync('id', ['-u', '--', user], {
    encoding: 'utf8',
    timeout: 5_000,
    env: withoutSettings(process.env),
  });
  return /^\d+\s*$/.test(stdout ?? '') ? Number(stdout) : null;
}
