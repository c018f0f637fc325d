/**
 * A pipe between lines of a host and `POST /mcp`: one message in, its answer out. What the gateway cannot be asked (yet),
 * the bridge answers itself; nothing that it holds is needed after a restart.
 */
import type { IncomingMessage } from 'node:http';
import type { Clock } from '../../engine/ports/system.ts';
import { type Access, NotAllowed } from './access.ts';
import { eventsOf } from './event-stream.ts';
import { Away, type GatewayLine, textOf } from './gateway-line.ts';
import { LIST_NOTICES, type Listeners, listeners } from './listeners.ts';
import {
  errorOf,
  type Fields,
  type Id,
  isFields,
  isId,
  parsed,
  type Request,
  RPC,
  readMessage,
} from './messages.ts';
import {
  awayFault,
  CONNECT_TOOL,
  LATEST_OF_2025,
  LISTS_CHANGE,
  notAllowedFault,
  ownAnswers,
} from './own-answers.ts';

export interface Bridge {
  /** @param line null: it was longer than may be read */
  accept(line: string | null): void;
  /** Called when the agent was connected, or lost its connection. */
  offersOther(): void;
  /** Gives up everything that is under way. */
  close(): void;
}

export interface BridgeOptions {
  readonly access: Access;
  readonly line: GatewayLine;
  readonly clock: Clock;
  readonly version: string;
  /** One line to the host. */
  readonly write: (text: string) => void;
  readonly log: (text: string) => void;
  /** Answers `connect_tandem`. Rejects with Away. */
  readonly connect: () => Promise<string>;
}

const MOST_BYTES = 1024 * 1024;
const MOST_FLIGHTS = 64;
/** A host waits for the first answer; a keychain may wait for its user. */
const FIRST_LOOK_MS = 5_000;
const TOO_LONG = 'A message may have 1 MiB at most';

export function createBridge(options: BridgeOptions): Bridge {
  const { access, line, clock, version, log, connect } = options;
  const own = ownAnswers(version);
  const flights = new Map<Id, AbortController>();
  /** Revision that `initialize` agreed on; null: none yet, or each request names its own. */
  let agreed: string | null = null;
  let isInitialized = false;
  let listed: Fields | null = null;

  const write = (message: Fields) => options.write(JSON.stringify(message));
  const standing: Listeners = listeners({ write, own, clock, follow });

  async function post(request: Request, token: string, signal: AbortSignal): Promise<IncomingMessage> {
    const { method, text, revision } = request;
    const name = NAMED_BY[method] === undefined ? undefined : request.params[NAMED_BY[method]];
    return line.post({
      path: '/mcp',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-method': method,
        ...(typeof name === 'string' ? { 'mcp-name': headerText(name) } : {}),
        ...(method === 'initialize' ? {} : { 'mcp-protocol-version': revision ?? agreed ?? LATEST_OF_2025 }),
      },
      body: text,
      signal,
    });
  }

  /** Asks the gateway; one more time with a new token where the first was refused. */
  async function ask(request: Request, signal: AbortSignal): Promise<IncomingMessage> {
    const token = await beforeSending(access.token());
    const answer = await post(request, token, signal);
    if (answer.statusCode !== 401) return answer;
    answer.resume();
    return post(request, await beforeSending(access.renewed(token)), signal);
  }

  /** Hands on what comes until the answer to `request`; that one is returned. Rejects with Away when it does not come. */
  async function answerOf(
    request: Request,
    answer: IncomingMessage,
    told: (message: Fields) => void,
  ): Promise<Fields> {
    const isStream = answer.headers['content-type']?.startsWith('text/event-stream') === true;
    if (isStream) {
      try {
        for await (const data of eventsOf(answer)) {
          const message = parsed(data);
          if (!isFields(message)) continue;
          if (message['id'] === request.id && message['method'] === undefined) return message;
          told(message);
        }
      } catch {
        // Said below.
      }
      throw new Away('the answer of the gateway broke off', true);
    }
    const status = answer.statusCode ?? 0;
    const message = parsed(await textOf(answer));
    if (isFields(message) && message['jsonrpc'] === '2.0') return { ...message, id: request.id };
    if (status === 413) return errorOf(request.id, RPC.invalid, TOO_LONG);
    // A refusal before MCP is reached has done nothing: the gateway starts, or its user has to decide.
    if (status >= 500) throw new Away(`the gateway answered with status ${status}`, status !== 503);
    const why = isFields(message) && typeof message['message'] === 'string' ? message['message'] : '';
    return errorOf(request.id, RPC.internal, `The gateway refused (${status}) ${why}`.trim());
  }

  async function fromGateway(request: Request, signal: AbortSignal): Promise<Fields> {
    return answerOf(request, await ask(request, signal), write);
  }

  /** One stream of changes; @returns the error that it was answered with. */
  async function follow(request: Request, signal: AbortSignal): Promise<Fields | null> {
    try {
      const end = await answerOf(request, await ask(request, signal), (message) => {
        if (message['method'] === 'notifications/resources/updated') write(message);
      });
      return 'error' in end ? end : null;
    } catch (error) {
      if (error instanceof Away || error instanceof NotAllowed || signal.aborted) return null;
      throw error;
    }
  }

  async function answered(request: Request, signal: AbortSignal): Promise<Fields> {
    const { method, params } = request;
    const isLegacy = request.revision === null;
    if (method === 'ping' && isLegacy) return own.answer(request, {});
    if (method === 'initialize' || method === 'server/discover')
      await Promise.race([access.look(), clock.sleep(FIRST_LOOK_MS)]);
    else if (!access.isConnected) await access.look();
    if (method === 'tools/call' && params['name'] === CONNECT_TOOL) return connectAnswer(request);
    try {
      if (!access.isConnected) return withoutGateway(request);
      const answer = await fromGateway(request, signal);
      if (method === 'tools/list' && !('error' in answer) && params['cursor'] === undefined) listed = answer;
      return amended(request, answer);
    } catch (error) {
      if (error instanceof NotAllowed) return withoutGateway(request);
      if (error instanceof Away) return whileAway(request, error);
      throw error;
    }
  }

  async function connectAnswer(request: Request): Promise<Fields> {
    try {
      return own.said(request, await connect());
    } catch (error) {
      if (error instanceof Away) return awayFault(own, request, error.message, false);
      throw error;
    }
  }

  function withoutGateway(request: Request): Fields {
    const why = access.wasDenied ? 'the user said no' : 'the user has not decided yet';
    switch (request.method) {
      case 'initialize':
        return own.initialize(request);
      case 'server/discover':
        return own.discover(request);
      case 'tools/list':
        return own.tools(request);
      case 'tools/call':
        return notAllowedFault(own, request, why);
      default:
        return own.emptyList(request) ?? errorOf(request.id, RPC.internal, `Not connected to Tandem: ${why}`);
    }
  }

  /** A connected agent keeps what it was offered: the gateway comes back. */
  function whileAway(request: Request, { message, maybeSent }: Away): Fields {
    if (request.method === 'tools/call') return awayFault(own, request, message, maybeSent);
    if (request.method === 'tools/list' && listed !== null) return { ...listed, id: request.id };
    if (['initialize', 'server/discover', 'tools/list'].includes(request.method))
      return withoutGateway(request);
    return errorOf(request.id, RPC.internal, `Tandem does not answer: ${message}`);
  }

  async function serve(request: Request): Promise<void> {
    const { id } = request;
    const flight = new AbortController();
    flights.set(id, flight);
    try {
      const answer = await answered(request, flight.signal);
      if (request.method === 'initialize') agreed = agreedOn(answer);
      if (!flight.signal.aborted) write(answer);
    } catch (error) {
      if (flight.signal.aborted) return;
      log(`unexpected: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
      write(errorOf(id, RPC.internal, 'The bridge could not answer because of a fault of its own'));
    } finally {
      if (flights.get(id) === flight) flights.delete(id);
    }
  }

  function note(method: string, params: Fields): void {
    if (method === 'notifications/initialized') isInitialized = true;
    if (method !== 'notifications/cancelled') return;
    const { requestId } = params;
    if (!isId(requestId) || standing.cancel(requestId)) return;
    flights.get(requestId)?.abort();
  }

  return {
    accept(text) {
      if (text === null) return write(errorOf(null, RPC.invalid, TOO_LONG));
      const incoming = readMessage(text);
      switch (incoming.kind) {
        case 'answer':
          return;
        case 'fault':
          return write(errorOf(incoming.id, incoming.code, incoming.message));
        case 'notification':
          return note(incoming.method, incoming.params);
        case 'request':
          break;
      }
      const { request } = incoming;
      if (Buffer.byteLength(text) > MOST_BYTES) return write(errorOf(request.id, RPC.invalid, TOO_LONG));
      if (request.method === 'subscriptions/listen') return standing.open(request);
      if (flights.has(request.id)) return write(errorOf(request.id, RPC.invalid, 'This id is under way'));
      if (flights.size >= MOST_FLIGHTS)
        return write(errorOf(request.id, RPC.internal, `At most ${MOST_FLIGHTS} requests at a time`));
      void serve(request);
    },
    offersOther() {
      listed = null;
      for (const method of LIST_NOTICES) {
        if (isInitialized) write({ jsonrpc: '2.0', method });
        standing.changed(method);
      }
    },
    close() {
      standing.close();
      for (const flight of flights.values()) flight.abort();
    },
  };
}

/** Where `Mcp-Name` comes from. */
const NAMED_BY: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};

/** A header holds printable ASCII; the protocol has a form for the rest. */
function headerText(value: string): string {
  const isPlain = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(value) && !/^=\?base64\?.*\?=$/.test(value);
  return isPlain ? value : `=?base64?${Buffer.from(value).toString('base64')}?=`;
}

/** Nothing of the call itself has left before there is a token. */
async function beforeSending<T>(token: Promise<T>): Promise<T> {
  try {
    return await token;
  } catch (error) {
    throw error instanceof Away ? new Away(error.message, false) : error;
  }
}

/** The bridge tells of changed lists itself. */
function amended(request: Request, answer: Fields): Fields {
  const { result } = answer;
  if ((request.method !== 'initialize' && request.method !== 'server/discover') || !isFields(result))
    return answer;
  const capabilities = isFields(result['capabilities']) ? result['capabilities'] : {};
  const changing = Object.entries(capabilities).map(([name, value]) => [
    name,
    isFields(value) && LISTING.has(name) ? { ...value, ...LISTS_CHANGE } : value,
  ]);
  return { ...answer, result: { ...result, capabilities: Object.fromEntries(changing) } };
}
const LISTING = new Set(['tools', 'resources', 'prompts']);

function agreedOn({ result }: Fields): string | null {
  const version = isFields(result) ? result['protocolVersion'] : undefined;
  return typeof version === 'string' ? version : null;
}
