/**
 * The protocol side of one connection: the client's credential, its subscriptions, and the answers to its messages, one
 * at a time and in order.
 */
import type { RawData } from 'ws';
import type { AccountDirectory } from '../call/authenticator.ts';
import { trustSocket } from '../call/trusted-sockets.ts';
import type { ClientMessage, MessageId, RealtimeErrorCode } from '../contract/realtime.ts';
import type { Principal } from '../domain/model.ts';
import type { Money } from '../domain/money.ts';
import type { Clock, Logger } from '../engine/ports/system.ts';
import type { Connection } from './connection.ts';
import { ackFrame, errorFrame, pongFrame } from './frames.ts';
import { InOrder } from './in-order.ts';
import { MessageBudget } from './message-budget.ts';
import type { PrivateStreams, PrivateSubscription, StreamOwner } from './private-streams.ts';
import type { PublicChannels } from './public-channels.ts';
import { readMessage } from './read-message.ts';
import type { Credential, CredentialCheck } from './sources.ts';
import { isFirstParty, planSubscribe } from './subscribe-plan.ts';

export interface SessionParts {
  readonly authenticate: (credential: Credential) => CredentialCheck | Promise<CredentialCheck>;
  /** True: the principal's session or key is valid, not ended, revoked or expired. Answered from memory. */
  readonly isAlive: (principal: Principal) => boolean;
  readonly accounts: AccountDirectory;
  readonly moneyOf: (tradeAccountId: string) => Money;
  readonly channels: PublicChannels;
  readonly streams: PrivateStreams;
  /** Runs work for a client without a credential in that client's turn (`call/anonymous-turns.ts`). */
  readonly inTurn: (connection: Connection, work: () => void) => void;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Logger;
}

/** Close code of a policy violation (RFC 6455 §7.4.1). */
const POLICY_VIOLATION = 1008;
/** Time after which a client without a credential and without a subscription is closed. */
const IDLE_LIMIT_MS = 30_000;

type DropTest = (principal: Principal) => boolean;

function credentialOf({ token, apiKey, ticket }: Extract<ClientMessage, { op: 'auth' }>): Credential | null {
  if (token !== undefined) return { token };
  if (apiKey !== undefined) return { apiKey };
  return ticket === undefined ? null : { ticket };
}

export class ClientSession implements StreamOwner {
  readonly connection: Connection;
  readonly #parts: SessionParts;
  readonly #subscribed = new Set<string>();
  readonly #streams = new Map<string, PrivateSubscription>();
  readonly #budget: MessageBudget;
  readonly #inbox: InOrder<{ readonly data: RawData; readonly isBinary: boolean }>;
  /** First-party principal of the client; null: the client is anonymous. */
  #principal: Principal | null = null;
  /** Epoch ms since when the client has been idle; null: it has a credential or a subscription. */
  #idleSince: number | null;
  /**
   * Credentials that ended while a credential check was running, as its result may be older; null: no check is
   * running.
   */
  #endedMeanwhile: DropTest[] | null = null;

  constructor(connection: Connection, parts: SessionParts, check: CredentialCheck | null) {
    this.connection = connection;
    this.#parts = parts;
    this.#idleSince = parts.clock.now();
    this.#budget = new MessageBudget(this.#idleSince);
    this.#inbox = new InOrder({
      source: connection,
      handle: ({ data, isBinary }) => this.#inTurn(() => this.#handle(data, isBinary)),
      failed: (error) => {
        parts.logger.error({ err: error }, 'A realtime message could not be handled');
        this.#fail(null, 'INTERNAL_ERROR', 'Internal error');
      },
    });
    if (check?.ok) this.#become(check.principal);
  }

  get subscriptions(): number {
    return this.#subscribed.size;
  }

  receive(data: RawData, isBinary: boolean): void {
    if (!this.connection.isOpen) return;
    const bytes = Array.isArray(data) ? data.reduce((sum, { length }) => sum + length, 0) : data.byteLength;
    if (!this.#budget.take(bytes, this.#parts.clock.now())) {
      this.#fail(null, 'TOO_MANY_MESSAGES', 'Too many messages, or too much in them: connect again');
      this.connection.refuse(POLICY_VIOLATION, 'Too many messages');
      return;
    }
    this.#inbox.push({ data, isBinary });
  }

  /** Closes an idle connection: it would hold one of the places that callers without a credential share. */
  closeIfIdle(): void {
    const now = this.#parts.clock.now();
    if (this.#principal !== null || this.#subscribed.size > 0) this.#idleSince = null;
    else if (this.#idleSince === null || now < this.#idleSince) this.#idleSince = now;
    else if (now - this.#idleSince >= IDLE_LIMIT_MS)
      this.connection.close(POLICY_VIOLATION, 'Neither a credential nor a subscription for 30 s');
  }

  /** Ends the private subscriptions if the client's principal matches: its credential has ended. */
  drop(test: DropTest): void {
    this.#endedMeanwhile?.push(test);
    if (this.#principal !== null && test(this.#principal)) this.#expire();
  }

  /** Ends the private subscriptions if the client's credential has expired. */
  checkExpiry(): void {
    if (this.#principal !== null && !this.#parts.isAlive(this.#principal)) this.#expire();
  }

  /** Checks that the subscription may still receive events; if not, ends it. */
  mayReceive(subscription: PrivateSubscription): boolean {
    this.checkExpiry();
    if (subscription.phase === 'ended') return false;
    const principal = this.#principal;
    if (principal !== null && this.#parts.accounts.find(principal, subscription.tradeAccountId)) {
      return true;
    }
    this.endStream(subscription);
    this.#fail(null, 'RESOURCE_NOT_FOUND', 'Trade account not found');
    return false;
  }

  endStream(subscription: PrivateSubscription): void {
    this.#parts.streams.end(subscription);
    for (const [name, stream] of this.#streams) {
      if (stream !== subscription) continue;
      this.#streams.delete(name);
      this.#subscribed.delete(name);
    }
  }

  end(): void {
    for (const name of this.#subscribed) this.#unsubscribe(name);
    this.#inbox.clear();
  }

  /** Runs `work` in the client's turn and returns its result; synchronously if no wait was necessary. */
  #inTurn(work: () => Promise<void> | undefined): Promise<void> | undefined {
    if (this.#principal !== null) return work();
    let ran = false;
    let pending: Promise<void> | undefined;
    let itsTurn: (() => void) | null = null;
    this.#parts.inTurn(this.connection, () => {
      ran = true;
      pending = this.connection.isOpen ? work() : undefined;
      itsTurn?.();
    });
    if (ran) return pending;
    return new Promise<void>((resolve) => {
      itsTurn = resolve;
    }).then(() => pending);
  }

  #handle(data: RawData, isBinary: boolean): Promise<void> | undefined {
    if (isBinary) {
      this.#fail(null, 'BINARY_NOT_SUPPORTED', 'Only text messages are understood');
      return;
    }
    const message = readMessage(data.toString());
    if (!message.ok) {
      this.#fail(message.error.id, message.error.code, message.error.message);
      return;
    }
    const id = message.value.id ?? null;
    switch (message.value.op) {
      case 'ping':
        this.connection.send(pongFrame(id));
        return;
      case 'unsubscribe':
        for (const name of message.value.channels) this.#unsubscribe(name);
        this.#acknowledge(id);
        return;
      case 'auth':
        return this.#authenticate(id, message.value);
      case 'subscribe':
        return this.#subscribe(id, message.value);
    }
  }

  async #authenticate(id: MessageId | null, message: Extract<ClientMessage, { op: 'auth' }>): Promise<void> {
    const credential = credentialOf(message);
    if (credential === null) return;
    const ended: DropTest[] = [];
    this.#endedMeanwhile = ended;
    let check: CredentialCheck;
    try {
      check = await this.#parts.authenticate(credential);
    } finally {
      this.#endedMeanwhile = null;
    }
    if (!check.ok) {
      this.#fail(id, 'UNAUTHENTICATED', check.message);
      return;
    }
    const { principal } = check;
    if (ended.some((test) => test(principal))) {
      this.#fail(id, 'UNAUTHENTICATED', 'The credential has ended');
      return;
    }
    this.#become(principal);
    this.#acknowledge(id);
  }

  /** Sets the client's principal; private subscriptions of accounts that the principal may not read end. */
  #become(principal: Principal): void {
    this.#principal = isFirstParty(principal) ? principal : null;
    if (this.#principal !== null) trustSocket(this.connection.socket);
    for (const stream of [...this.#streams.values()]) {
      if (
        this.#principal === null ||
        this.#parts.accounts.find(this.#principal, stream.tradeAccountId) === undefined
      ) {
        this.endStream(stream);
      }
    }
  }

  #expire(): void {
    this.#principal = null;
    for (const stream of [...this.#streams.values()]) this.endStream(stream);
    this.#fail(null, 'UNAUTHENTICATED', 'The credential has ended; private subscriptions are closed');
  }

  #subscribe(
    id: MessageId | null,
    message: Extract<ClientMessage, { op: 'subscribe' }>,
  ): Promise<void> | undefined {
    this.checkExpiry();
    const { channels, streams, accounts } = this.#parts;
    const plan = planSubscribe(message, {
      principal: this.#principal,
      accounts,
      publicExists: channels.exists,
      subscribed: this.#subscribed,
    });
    if (!plan.ok) {
      this.#fail(id, plan.error.code, plan.error.message);
      return;
    }
    const opened: { readonly stream: PrivateSubscription; readonly resumeFrom: number | null }[] = [];
    const seq: Record<string, number> = {};
    const unknown: Promise<void>[] = [];
    for (const { channel, tradeAccountId, resumeFrom } of plan.value.privateChannels) {
      const current = this.#streams.get(channel);
      if (current === undefined || resumeFrom !== null) {
        if (current !== undefined) streams.end(current);
        const stream = streams.open(
          this,
          { id: tradeAccountId, ...this.#parts.moneyOf(tradeAccountId) },
          resumeFrom,
        );
        this.#streams.set(channel, stream);
        this.#subscribed.add(channel);
        opened.push({ stream, resumeFrom });
      }
      const position = resumeFrom ?? streams.position(tradeAccountId);
      if (typeof position === 'number') seq[channel] = position;
      else {
        unknown.push(
          position.then((value) => {
            seq[channel] = value;
          }),
        );
      }
    }
    const finish = () => {
      for (const name of plan.value.publicChannels) this.#subscribed.add(name);
      this.#acknowledge(id, plan.value.privateChannels.length > 0 ? seq : undefined);
      for (const name of plan.value.publicChannels) channels.subscribe(name, this.connection);
      for (const { stream, resumeFrom } of opened) streams.start(stream, resumeFrom !== null);
    };
    if (unknown.length === 0) {
      finish();
      return;
    }
    return Promise.all(unknown).then(
      () => {
        if (this.connection.isOpen) finish();
      },
      (error: unknown) => {
        for (const { stream } of opened) this.endStream(stream);
        this.#parts.logger.error({ err: error }, 'Could not read the position of an event stream');
        this.#fail(id, 'INTERNAL_ERROR', 'Stored events could not be read');
      },
    );
  }

  #unsubscribe(name: string): void {
    if (!this.#subscribed.delete(name)) return;
    const stream = this.#streams.get(name);
    if (stream === undefined) {
      this.#parts.channels.unsubscribe(name, this.connection);
      return;
    }
    this.#streams.delete(name);
    this.#parts.streams.end(stream);
  }

  #acknowledge(id: MessageId | null, seq?: Readonly<Record<string, number>>): void {
    this.connection.send(
      ackFrame({
        id,
        subscriptions: [...this.#subscribed],
        authenticated: this.#principal !== null,
        ...(seq === undefined ? {} : { seq }),
      }),
    );
  }

  #fail(id: MessageId | null, code: RealtimeErrorCode, message: string): void {
    this.connection.send(errorFrame(id, code, message));
  }
}
