/**
 * An emulated venue as a program, which outlives the gateway that tests kill. Its arguments are the URL of the emulator's
 * module and the emulator's options as JSON. It says its addresses in one line of JSON and ends at SIGTERM, or when the
 * input that it was started with is closed: no test run leaves one behind.
 */
import { serveControl } from './control-server.ts';
import type { RunningEmulator } from './start-emulator.ts';

const [module = '', options = '{}'] = process.argv.slice(2);
const { startEmulator } = await import(module);
const emulator: RunningEmulator<object> = await startEmulator(JSON.parse(options));
const control = await serveControl(emulator.script);
const end = async () => {
  control.close();
  await emulator.close();
  process.exit(0);
};
process.on('SIGTERM', () => void end());
process.stdin.on('end', () => void end()).resume();
console.log(JSON.stringify({ url: emulator.url, wsUrl: emulator.wsUrl, controlUrl: control.url }));
