// The venue's own signer, compiled to WebAssembly, as npm lighter-ts-sdk carries it. It sets names on the global object
// and never ends by itself, so it runs in a worker, whose date stands still. A message `{call, with}` is answered by what that function returns.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';

const { folder, nowMs } = workerData;
globalThis.Date = class extends Date {
  constructor() {
    super(nowMs);
  }
};
createRequire(import.meta.url)(join(folder, 'wasm_exec.js'));
const go = new globalThis.Go();
const module = await WebAssembly.instantiate(
  readFileSync(join(folder, 'lighter-signer.wasm')),
  go.importObject,
);
go.run(module.instance);

parentPort.on('message', async ({ call, with: given }) => {
  parentPort.postMessage(await globalThis[call](...given));
});
