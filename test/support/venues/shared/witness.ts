/** Programs by other authors that witness the emulated venues. They lie in test/witness, and nothing here installs them. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

const PACKAGES = resolve(import.meta.dirname, '../../../witness/node_modules');

/** Path of a part of a witness. */
export const witnessPath = (part: string): string => resolve(PACKAGES, part);

/** Skips the suite where its witness is not installed. Without one, CI fails. Call it in `describe`. */
export function needsWitness(part: string, name: string): void {
  before(function () {
    if (existsSync(witnessPath(part))) return;
    const what = `NOT witnessed: ${name} is not installed (npm ci --prefix test/witness)`;
    if (process.env['CI'] === 'true') throw new Error(what);
    console.warn(`    ⚠ ${what}`);
    this.skip();
  });
}
