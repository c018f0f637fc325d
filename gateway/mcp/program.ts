/**
 * The MCP program, a bundle of its own: one handler of the SDK for each grant or key, so that news for one does not
 * reach another and its streams are counted. Both eras of the protocol are served without sessions, so a restart loses
 * nothing.
 */
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, type McpHttpHandler } from '@modelcontextprotocol/server';
import type { AgentEndpoint } from '../call/agent-endpoint.ts';
import type { Principal } from '../domain/model.ts';
import { callerKey } from './caller-key.ts';
import { Changes } from './changes.ts';
import type { McpProgramDeps } from './parts.ts';
import { Previews } from './previews.ts';
import { createServer } from './server.ts';
import { allTools } from './tools/all-tools.ts';
import { urisOf } from './uris.ts';
import { waitSlots } from './wait-slots.ts';

/** Standing `subscriptions/listen` streams of one grant or key. */
const MAX_STREAMS = 4;
const BODY_LIMIT_BYTES = 1024 * 1024;
/** Maximum number of grants and keys with a handler; the one idle for longest goes first. */
const MAX_CALLERS = 64;

export interface McpProgram {
  readonly handle: AgentEndpoint['handle'];
  close(): void;
}

interface KnownCaller {
  principal: Principal;
  readonly handler: McpHttpHandler;
  readonly serve: ReturnType<typeof toNodeHandler>;
}

export function createMcpProgram(deps: McpProgramDeps): McpProgram {
  const { logger } = deps;
  const callers = new Map<string, KnownCaller>();
  const closing = new AbortController();
  const changes = new Changes(deps.onCommitted, deps.clock);
  const tools = allTools();

  function know(principal: Principal): KnownCaller {
    const waits = waitSlots(MAX_STREAMS);
    const previews = new Previews(() => deps.clock.now());
    const handler = createMcpHandler(
      ({ authInfo, era }) =>
        createServer({
          ...deps,
          era,
          tools,
          changes,
          waits,
          previews,
          closing: closing.signal,
          call: callOf(authInfo?.extra),
        }),
      {
        maxSubscriptions: MAX_STREAMS,
        maxRequestBodySize: BODY_LIMIT_BYTES,
        onerror: (error) => logger.debug({ err: error }, 'an MCP request was refused'),
      },
    );
    const serve = toNodeHandler(handler, {
      maxRequestBodySize: BODY_LIMIT_BYTES,
      onerror: (error) => logger.error({ err: error }, 'an MCP request failed'),
    });
    return { principal, handler, serve };
  }

  function drop(key: string, caller: KnownCaller): void {
    callers.delete(key);
    void caller.handler.close();
  }

  function callerOf(principal: Principal): KnownCaller {
    const key = callerKey(principal);
    const caller = callers.get(key) ?? know(principal);
    caller.principal = principal;
    callers.delete(key);
    callers.set(key, caller);
    for (const [oldest, idle] of callers) {
      if (callers.size <= MAX_CALLERS) break;
      drop(oldest, idle);
    }
    return caller;
  }

  changes.listen((event) => {
    for (const [key, caller] of callers) {
      // Events stop, on every open stream, as soon as a grant has lost its rights.
      if (!deps.isAlive(caller.principal)) drop(key, caller);
      else if (deps.reaches(caller.principal, event.tradeAccountId))
        for (const uri of urisOf(event)) caller.handler.notify.resourceUpdated(uri);
    }
  });

  return {
    async handle({ principal, req, res, body }) {
      const auth = { token: '', clientId: callerKey(principal), scopes: [], extra: { principal, req } };
      // A request that has arrived has a method; Node types both ends of a connection alike.
      const { serve } = callerOf(principal);
      await serve(Object.assign(req, { auth }) as Parameters<typeof serve>[0], res, body);
    },
    close() {
      closing.abort();
      changes.close();
      for (const [key, caller] of callers) drop(key, caller);
    },
  };
}

type Call = Pick<Parameters<AgentEndpoint['handle']>[0], 'principal' | 'req'>;

function callOf(extra: unknown): Call {
  // Set above, for this request.
  return extra as Call;
}
