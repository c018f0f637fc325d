/**
 * The emulated venue as a program, which outlives the gateway that tests kill. Its one argument is `EmulatorOptions`
 * as JSON; it says its addresses in one line of JSON and ends at SIGTERM, or when the input that it was started with
 * is closed: no test run leaves one behind.
 */
import { serveControl } from './control-server.ts';
import { type EmulatorOptions, startEmulator } from './emulator.ts';

const options: EmulatorOptions = JSON.parse(process.argv[2] ?? '{}');
const emulator = await startEmulator(options);
const control = await serveControl(emulator.script);

async function end(): Promise<void> {
  control.close();
  await emulator.close();
  process.exit(0);
}

process.on('SIGTERM', () => void end());
process.stdin.on('end', () => void end()).resume();
console.log(JSON.stringify({ url: emulator.url, wsUrl: emulator.wsUrl, controlUrl: control.url }));
