/**
 * Types of the module `electron` where the desktop app's packages are not installed (`npm run desktop`): the parts that
 * the entries and the test of the real app use. tsconfig.json prefers Electron's own declarations where they are
 * installed.
 */
import type { createBridge } from './ipc/bridge.ts';
import type { createShell } from './shell.ts';

type Parts = Parameters<typeof createShell>[0];
type Electron = Omit<Parts, 'app'> & {
  readonly app: Parts['app'] & { exit(code: number): void };
  readonly contextBridge: { exposeInMainWorld(name: string, functions: unknown): void };
  readonly ipcRenderer: Parameters<typeof createBridge>[0];
};

export declare const app: Electron['app'];
declare const electron: Electron;
export default electron;

declare global {
  namespace NodeJS {
    interface Process {
      readonly resourcesPath: string;
    }
  }
}
