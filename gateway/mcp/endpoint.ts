/**
 * The MCP endpoint as the gateway holds it: a name, a challenge, and a program that is loaded with the first request. The
 * SDK and the tools cost a third of a second and tens of megabytes, which a gateway without an agent does not spend.
 */
import type { AgentEndpoint } from '../call/agent-endpoint.ts';
import type { McpProgramDeps } from './parts.ts';
import type { McpProgram } from './program.ts';

export interface McpEndpoint extends AgentEndpoint {
  /** Ends open streams and everything that waits, so that a stop does not wait for them. */
  close(): void;
}

export function createMcpEndpoint(
  deps: McpProgramDeps & { readonly challenge: AgentEndpoint['challenge'] },
): McpEndpoint {
  let program: Promise<McpProgram> | undefined;
  let isClosed = false;

  async function load(): Promise<McpProgram> {
    const { createMcpProgram } = await import('./program.ts');
    const made = createMcpProgram(deps);
    if (isClosed) made.close();
    return made;
  }

  return {
    path: '/mcp',
    challenge: deps.challenge,
    async handle(call) {
      program ??= load();
      const { handle } = await program;
      await handle(call);
    },
    close() {
      isClosed = true;
      void program?.then((made) => made.close());
    },
  };
}
