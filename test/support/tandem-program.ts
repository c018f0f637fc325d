import { fileURLToPath } from 'node:url';

/** Path of `build/tandem.cjs`, of another checkout where the variable `TANDEM_PROGRAM` names it: one scenario, two versions. */
export const TANDEM_PROGRAM =
  process.env['TANDEM_PROGRAM'] ?? fileURLToPath(new URL('../../build/tandem.cjs', import.meta.url));
