/** One request of a client, over HTTP or a socket: counted, met by the script's faults, then answered by the venue. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type FaultAct, Faults } from './faults.ts';
import { Exchange, type ExchangeAnswer, legsOf } from './http/exchange.ts';
import { answerInfo, infoType } from './http/info.ts';
import { cancelScheduled } from './state/acts.ts';
import type { World } from './state/world.ts';
import { exchangeWeight, infoWeight, Tap } from './tap.ts';
import { type Envelope, readEnvelope } from './wire/actions.ts';
import { signerOfL1 } from './wire/signatures.ts';

export type Reply =
  | { readonly kind: 'sent'; readonly code: number; readonly type: string; readonly body: string }
  /** Breaks off in the middle. */
  | { readonly kind: 'broken'; readonly body: string }
  | { readonly kind: 'cut' }
  | { readonly kind: 'never' };

const UNREADABLE = 'Failed to deserialize the JSON body into the target type';
const PAGE = '<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>';

function json(value: unknown, code = 200): Reply {
  return { kind: 'sent', code, type: 'application/json', body: JSON.stringify(value) };
}

function plain(code: number, body: string): Reply {
  return { kind: 'sent', code, type: 'text/plain', body };
}

export class Desk {
  readonly world: World;
  readonly faults = new Faults();
  readonly tap = new Tap();
  readonly exchange: Exchange;
  /** null: weights are counted, but nobody is sent away. The real venue has 1,200. */
  weightPerMinute: number | null = null;

  constructor(world: World) {
    this.world = world;
    this.exchange = new Exchange(world);
  }

  /** @param text all of the request as it came, for the tap */
  async answer(path: 'info' | 'exchange', body: string, text: string): Promise<Reply> {
    cancelScheduled(this.world);
    const parsed = parse(body);
    const envelope = path === 'exchange' ? readEnvelope(parsed) : null;
    const type = path === 'info' ? infoType(parsed) : (envelope?.action.type ?? 'unreadable');
    const weight =
      path === 'info' ? infoWeight(type) : exchangeWeight(envelope === null ? 1 : legsOf(envelope.action));
    const now = this.world.now();
    const tired = this.weightPerMinute !== null && this.tap.recentWeight(now) + weight > this.weightPerMinute;
    this.tap.note({ at: now, kind: type, weight, text });
    if (tired) return json(null, 429);
    const user = this.faults.asksUser ? await this.#userOf(parsed, envelope) : null;
    const faults = this.faults.meet({ path, type, user });
    for (const fault of faults) if (fault.do === 'delay') await sleep(fault.beforeMs ?? 0);
    const instead = before(faults);
    if (instead !== null && !executes(faults)) return instead;
    const reply = await this.#venue(path, parsed, envelope, faults);
    for (const fault of faults) if (fault.do === 'delay') await sleep(fault.afterMs ?? 0);
    return instead ?? after(faults, reply);
  }

  async #venue(
    path: 'info' | 'exchange',
    parsed: unknown,
    envelope: Envelope | null,
    faults: readonly FaultAct[],
  ): Promise<Reply> {
    if (parsed === undefined) return plain(400, 'Failed to parse the request body as JSON');
    if (path === 'info') {
      const answered = answerInfo(this.world, parsed);
      return answered === undefined ? plain(422, UNREADABLE) : json(answered);
    }
    if (envelope === null) return plain(422, UNREADABLE);
    const answered: ExchangeAnswer = await this.exchange.act(envelope, faults).catch((error: unknown) => ({
      status: 'err',
      response: `Failed to recover the signer: ${error instanceof Error ? error.message : String(error)}`,
    }));
    return answered === 'silence' ? { kind: 'cut' } : json(answered);
  }

  async #userOf(parsed: unknown, envelope: Envelope | null): Promise<string | null> {
    if (envelope === null) {
      const user = (parsed as { readonly user?: unknown } | null | undefined)?.user;
      return typeof user === 'string' ? user : null;
    }
    if (envelope.action.type === 'approveAgent') return null;
    const signer = await signerOfL1(this.world.network, envelope).catch(() => '');
    return this.exchange.accountOf(signer, envelope.vaultAddress)?.address ?? null;
  }
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** What a fault answers in the venue's place; null: the venue answers. */
function before(faults: readonly FaultAct[]): Reply | null {
  for (const fault of faults) {
    if (fault.do === 'cut_before') return { kind: 'cut' };
    if (fault.do === 'hang') return { kind: 'never' };
    if (fault.do === 'answer') return json(fault.json);
    if (fault.do === 'status') {
      const html = fault.code === 502 || fault.code === 503;
      const body = fault.body ?? (html ? PAGE : 'null');
      return { kind: 'sent', code: fault.code, type: html ? 'text/html' : 'application/json', body };
    }
  }
  return null;
}

function executes(faults: readonly FaultAct[]): boolean {
  return faults.some((fault) => 'execute' in fault && fault.execute === true);
}

function after(faults: readonly FaultAct[], reply: Reply): Reply {
  if (faults.some((fault) => fault.do === 'lose_answer')) return { kind: 'cut' };
  if (reply.kind === 'sent' && faults.some((fault) => fault.do === 'truncate')) {
    return { kind: 'broken', body: reply.body };
  }
  return reply;
}
