/**
 * The venue's own signer as npm lighter-ts-sdk carries it: it proves that the emulator checks the venue's signatures
 * rather than ours. The package lies in test/witness and nothing here installs it.
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { needsWitness, witnessPath } from '../shared/witness.ts';
import type { Answer } from './trader.ts';

const FOLDER = 'lighter-ts-sdk/wasm';

export interface WitnessSigner {
  /** A function of the signer, by name. @throws for what it refuses */
  call(name: string, ...given: readonly unknown[]): Promise<Answer>;
  close(): Promise<unknown>;
}

/** Skips the suite where the witness is not installed. Call it in `describe`. */
export const needsSigner = (): void => needsWitness(FOLDER, 'lighter-ts-sdk');

/** @param nowMs date of all that it signs, epoch ms */
export function startSigner(nowMs: number): WitnessSigner {
  const worker = new Worker(new URL('wasm-signer.mjs', import.meta.url), {
    workerData: { folder: witnessPath(FOLDER), nowMs },
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
