/** mcp-remote, the bridge of another author, as a host starts it. Its package lies in test/clients. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

const PROXY = resolve(import.meta.dirname, '../clients/node_modules/mcp-remote/dist/proxy.js');

/** Explains how to install it; null: it is installed. */
export function missingMcpRemote(): string | null {
  return existsSync(PROXY)
    ? null
    : 'mcp-remote is not installed (npm ci --prefix test/clients --ignore-scripts)';
}

/** Arguments of Node. @param folder where it keeps what it was given */
export function mcpRemote(url: string, folder: string) {
  return {
    command: process.execPath,
    args: [PROXY, url],
    env: { HOME: folder, MCP_REMOTE_CONFIG_DIR: folder },
  };
}
