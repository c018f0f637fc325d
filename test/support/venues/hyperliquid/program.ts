/** The emulated venue as a program of its own. */
import { runProgram } from '../shared/program.ts';
import { startEmulator } from './emulator.ts';

await runProgram(startEmulator);
