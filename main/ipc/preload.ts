/** Runs in the sandbox before the page, bundled to CommonJS: gives the page only the functions of the contract. */
import electron from 'electron';
import { createBridge } from './bridge.ts';
import { BRIDGE_NAME } from './contract.ts';

electron.contextBridge.exposeInMainWorld(BRIDGE_NAME, createBridge(electron.ipcRenderer));
