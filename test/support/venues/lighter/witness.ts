/**
 * The venue's own signer as npm lighter-ts-sdk carries it: it proves that the emulator checks the venue's signatures
 * rather than ours. The package lies in test/witness and nothing here installs it.
 */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Answer } from './trader.ts';

const FOLDER = resolve(import.meta.dirname, '../../../witness/node_modules/lighter-ts-sdk/wasm');

export interface WitnessSigner {
  /** A function of the signer, by name. @throws for what it refuses */
  call(name: string, ...given: readonly unknown[]): Promise<Answer>;
  close(): Promise<unknown>;
}

/** Explains how to install the witness; null: it is installed. */
export function missingSigner(): string | null {
  return existsSync(FOLDER) ? null : 'lighter-ts-sdk is not installed (npm ci --prefix test/witness)';
}

/** @param nowMs date of all that it signs, epoch ms */
export function startSigner(nowMs: number): WitnessSigner {
  const worker = new Worker(new URL('wasm-signer.mjs', import.meta.url), {
    workerData: { folder: FOLDER, nowMs },
  });
  return {
    call: async (name, ...given) => {
      worker.postMessage({ call: name, with: given });
      const [answer] = await once(worker, 'message');
      if (answer?.error) throw new Error(answer.error);
      return answer;
    },
    close: () => worker.terminate(),
  };
}
