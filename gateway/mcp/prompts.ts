/** Prompts: what a user may start with one click. */
import type { Server } from '@modelcontextprotocol/server';

export function servePrompts(server: Server): void {
  server.setRequestHandler('prompts/list', () => ({ prompts: [] }));
}
