/**
 * An emulated venue as a program, which outlives the gateway that tests kill. Its one argument is the emulator's
 * options as JSON; it says its addresses in one line of JSON and ends at SIGTERM, or when the input that it was
 * started with is closed: no test run leaves one behind.
 */
import { serveControl } from './control-server.ts';

interface Running {
  readonly url: string;
  readonly wsUrl: string;
  readonly script: object;
  close(): Promise<void>;
}

export async function runProgram<Options>(start: (options: Options) => Promise<Running>): Promise<void> {
  const emulator = await start(JSON.parse(process.argv[2] ?? '{}'));
  const control = await serveControl(emulator.script);
  const end = async () => {
    control.close();
    await emulator.close();
    process.exit(0);
  };
  process.on('SIGTERM', () => void end());
  process.stdin.on('end', () => void end()).resume();
  console.log(JSON.stringify({ url: emulator.url, wsUrl: emulator.wsUrl, controlUrl: control.url }));
}
