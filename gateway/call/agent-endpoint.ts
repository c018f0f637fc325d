/** The endpoint of agents, as the HTTP server mounts it. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Principal } from '../domain/model.ts';

/** An endpoint that speaks a protocol of its own to callers with a credential (`/mcp`); `http/agent-mount.ts` mounts it. */
export interface AgentEndpoint {
  readonly path: string;
  /**
   * Value of `WWW-Authenticate` on a 401.
   * @param host an allowed `Host` @param isRefused a credential was shown, and it is not valid
   */
  challenge(host: string, isRefused: boolean): string;
  /** Answers a `POST` with a JSON body. `principal` is a grant or an API key. */
  handle(call: {
    readonly principal: Principal;
    readonly req: IncomingMessage;
    readonly res: ServerResponse;
    readonly body: unknown;
  }): Promise<void>;
}
