/** One request of a client, over HTTP or a socket: counted, met by the script's faults, then answered by the venue. */
import { answerUnder, Faults } from '../shared/faults.ts';
import type { Asked } from '../shared/listen.ts';
import { json, plain, type Reply } from '../shared/reply.ts';
import { Tap } from '../shared/tap.ts';
import type { Fault, FaultAct } from './faults.ts';
import { Exchange, type ExchangeAnswer, legsOf } from './http/exchange.ts';
import { answerInfo, infoType } from './http/info.ts';
import type { World } from './state/world.ts';
import { answerWeight, exchangeWeight, infoWeight } from './weights.ts';
import { type Envelope, readEnvelope } from './wire/actions.ts';
import { signerOfL1 } from './wire/signatures.ts';

const UNREADABLE = 'Failed to deserialize the JSON body into the target type';

export class Desk {
  readonly world: World;
  readonly faults = new Faults<Fault>();
  readonly tap = new Tap();
  readonly exchange: Exchange;
  /** null: weights are counted, but nobody is sent away. The real venue has 1,200. */
  weightPerMinute: number | null = null;

  constructor(world: World) {
    this.world = world;
    this.exchange = new Exchange(world);
  }

  now(): number {
    return this.world.now();
  }

  async serve({ method, url, body, text }: Asked): Promise<Reply> {
    const path = url === '/info' ? 'info' : url === '/exchange' ? 'exchange' : null;
    if (path !== null && method === 'POST') return this.answer(path, body, text);
    this.tap.note({ at: this.now(), kind: 'elsewhere', weight: 0, text });
    return plain(404, '');
  }

  /** @param text all of the request as it came, for the tap */
  async answer(path: 'info' | 'exchange', body: string, text: string): Promise<Reply> {
    const parsed = parse(body);
    const envelope = path === 'exchange' ? readEnvelope(parsed) : null;
    const type = path === 'info' ? infoType(parsed) : (envelope?.action.type ?? 'unreadable');
    const weight =
      path === 'info' ? infoWeight(type) : exchangeWeight(envelope === null ? 1 : legsOf(envelope.action));
    const now = this.world.now();
    const tired = this.weightPerMinute !== null && this.tap.recentWeight(now) + weight > this.weightPerMinute;
    this.tap.note({ at: now, kind: type, weight, text });
    if (tired) return json(null, 429);
    const user = this.faults.some(({ user }) => user !== undefined)
      ? await this.#userOf(parsed, envelope)
      : null;
    const faults = this.faults.meet(
      [path, type],
      (fault) => fault.user === undefined || fault.user.toLowerCase() === user?.toLowerCase(),
    );
    return answerUnder(
      faults,
      this.world.clock,
      () => this.#venue(path, parsed, envelope, faults),
      (when) => this.#changeModes(faults, when),
    );
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
      const kind = infoType(parsed);
      const weight = answerWeight(kind, answered);
      if (weight > 0) this.tap.note({ at: this.now(), kind: `rows of ${kind}`, weight, text: '' });
      return answered === undefined ? plain(422, UNREADABLE) : json(answered);
    }
    if (envelope === null) return plain(422, UNREADABLE);
    const answered: ExchangeAnswer = await this.exchange.act(envelope, faults).catch((error: unknown) => ({
      status: 'err',
      response: `Failed to recover the signer: ${error instanceof Error ? error.message : String(error)}`,
    }));
    return answered === 'silence' ? { kind: 'cut' } : json(answered);
  }

  #changeModes(faults: readonly FaultAct[], when: 'before' | 'after'): void {
    for (const fault of faults)
      if (fault.do === 'change_mode' && fault.when === when)
        this.world.account(fault.account).abstraction = fault.mode;
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
