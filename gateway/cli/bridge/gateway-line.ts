/** Requests to the gateway over connections that have proved themselves, while gateways come and go. */
import { type Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { CliError } from '../cli-error.ts';
import type { CommandContext } from '../command.ts';
import { folderHolder } from '../folder-holder.ts';
import { dataDirFor, gatewayUrl, trustedGateway } from '../reach-gateway.ts';

/** The gateway did not answer. */
export class Away extends Error {
  /** False: the request has not left this process. */
  readonly maybeSent: boolean;
  constructor(message: string, maybeSent: boolean) {
    super(message);
    this.maybeSent = maybeSent;
  }
}

export interface Asked {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal?: AbortSignal;
}

export interface GatewayLine {
  /** Origin of the gateway of now. @throws Away */
  origin(): string;
  /** Resolves with the head of the answer. Rejects with Away. */
  post(asked: Asked): Promise<IncomingMessage>;
  close(): void;
}

/** Standing streams and waits hold a connection each. */
const MOST_CONNECTIONS = 64;
const NOT_SENT = new Set(['ECONNREFUSED', 'ENOENT', 'ENOTFOUND', 'EADDRNOTAVAIL', 'EHOSTUNREACH']);

export function gatewayLine(context: CommandContext): GatewayLine {
  let kept: { readonly name: string; readonly url: string; readonly agent: Agent | null } | null = null;

  /** A gateway that was started anew has other proofs, so its connections are others. */
  function reach(): { readonly url: string; readonly agent: Agent | null } {
    try {
      const url = gatewayUrl(context);
      const name = `${url} ${folderHolder(dataDirFor(context))?.token ?? ''}`;
      if (kept?.name !== name) {
        kept?.agent?.destroy();
        kept = { name, ...trustedGateway(context, MOST_CONNECTIONS) };
      }
      return kept;
    } catch (error) {
      if (error instanceof CliError) throw new Away(error.message, false);
      throw error;
    }
  }

  return {
    origin: () => reach().url,
    async post({ path, headers, body, signal }) {
      const { url, agent } = reach();
      const isSecure = url.startsWith('https:');
      const request = isSecure ? (await import('node:https')).request : httpRequest;
      return new Promise((resolve, reject) => {
        const sent = request(`${url}${path}`, {
          method: 'POST',
          headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
          ...(signal === undefined ? {} : { signal }),
          ...(agent === null ? {} : { agent }),
        });
        sent.on('response', resolve);
        sent.on('error', (error) => reject(awayFor(error, url)));
        sent.end(body);
      });
    },
    close: () => kept?.agent?.destroy(),
  };
}

function awayFor(error: Error, url: string): Away {
  if (error instanceof CliError) return new Away(error.message, false);
  const code = 'code' in error ? String(error.code) : '';
  if (NOT_SENT.has(code)) return new Away(`no gateway answers at ${url}; start it with: tandem start`, false);
  return new Away(`the connection to ${url} broke`, true);
}

const MOST_TEXT_BYTES = 16 * 1024 * 1024;

/** The whole body. Rejects with Away when it does not come. */
export async function textOf(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let held = 0;
  try {
    for await (const chunk of answer) {
      held += chunk.length;
      if (held > MOST_TEXT_BYTES) throw new Error('too long');
      chunks.push(chunk);
    }
  } catch {
    answer.destroy();
    throw new Away('the answer of the gateway broke off', true);
  }
  return Buffer.concat(chunks).toString('utf8');
}
