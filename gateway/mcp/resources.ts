/** Resources: what a client may read, and be told of. */
import type { Server, ServerContext } from '@modelcontextprotocol/server';
import type { ToolContext } from './tool.ts';

export function serveResources(server: Server, _context: (ctx: ServerContext) => ToolContext): void {
  server.setRequestHandler('resources/list', () => ({ resources: [] }));
}
