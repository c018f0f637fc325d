/** Name of this machine, which stays the same over restarts: a hash of the id that the system gives itself. */
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { withoutSettings } from './child-environment.ts';
import { isInContainer } from './container.ts';

/** null: the system has none, or this is a container, whose id is that of its image or not a lasting one. */
export function machineId(): string | null {
  if (isInContainer()) return null;
  const id = systemId().trim().toLowerCase();
  // The id itself must stay secret (machine-id(5)), and a data folder gets copied.
  return id === '' ? null : hash('sha256', `tandem:${id}`, 'hex').slice(0, 16);
}

function systemId(): string {
  try {
    switch (process.platform) {
      case 'linux':
        return readFileSync('/etc/machine-id', 'utf8');
      case 'darwin':
        return valueIn(
          '/usr/sbin/ioreg',
          ['-rd1', '-c', 'IOPlatformExpertDevice'],
          /"IOPlatformUUID" = "([^"]+)"/,
        );
      case 'win32':
        return valueIn(
          'reg',
          ['query', 'HKLM\\SOFTWARE\\Microsoft\\Cryptography', '/v', 'MachineGuid'],
          /REG_SZ\s+(\S+)/,
        );
      default:
        return '';
    }
  } catch {
    return '';
  }
}

function valueIn(program: string, values: readonly string[], pattern: RegExp): string {
  // Loaded only where it is needed: loading it takes several milliseconds of every start.
  const { execFileSync } = process.getBuiltinModule('node:child_process');
  const said = execFileSync(program, [...values], { encoding: 'utf8', env: withoutSettings(process.env) });
  return pattern.exec(said)?.[1] ?? '';
}
