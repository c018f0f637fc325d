/** The emulated venue in a process of its own. */
import { fileURLToPath } from 'node:url';
import * as shared from '../shared/remote.ts';
import type { EmulatorOptions } from './emulator.ts';
import type { Script } from './script.ts';

export type RemoteEmulator = shared.RemoteEmulator<Script>;

const PROGRAM = fileURLToPath(new URL('program.ts', import.meta.url));

export function launchEmulator(options: Omit<EmulatorOptions, 'clock'> = {}): Promise<RemoteEmulator> {
  return shared.launch(PROGRAM, options);
}
