/** A Python that has what the Python library and its tests need. */
import { spawnSync } from 'node:child_process';

export const PYTHON_PACKAGES = 'httpx, websockets and pandas';

/** The system's own comes first: another one of the same name may be on the PATH, without the system's packages. */
const CANDIDATES = ['/usr/bin/python3', 'python3', 'python'];

/** @param others further modules that it has to have @returns null: there is none */
export function findPython(...others: readonly string[]): string | null {
  const modules = ['sys', 'httpx', 'websockets', 'pandas', ...others].join(', ');
  const wanted = `import ${modules}; assert sys.version_info >= (3, 11)`;
  return CANDIDATES.find((name) => spawnSync(name, ['-c', wanted]).status === 0) ?? null;
}
