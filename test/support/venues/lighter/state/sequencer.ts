/**
 * Transactions between the API's 200 and their execution: a queue in the order of acceptance. Numbers of a key that the
 * sequencer does not use up are free again.
 */
import type { Tx } from '../wire/tx.ts';
import { ATTRIBUTES } from '../wire/tx.ts';
import type { ApiKey } from './accounts.ts';
import { execute } from './actions.ts';
import { REFUSALS, type Refusal } from './refusals.ts';
import type { World } from './world.ts';

export interface TxRecord {
  readonly tx: Tx;
  readonly index: number;
  readonly queuedAt: number;
  executedAt: number;
  block: number;
  /** Failed, pending, executed. */
  status: 0 | 1 | 2;
  refusal: Refusal | null;
}

/** A transaction that the API takes and the sequencer refuses. */
export interface SequencerRefusal {
  /** Missing: any. */
  readonly account?: number;
  /** `createOrder` and so on; missing: any. */
  readonly kind?: string;
  /** Default 1. */
  readonly times?: number;
  /** Default 21739, not enough margin. */
  readonly code?: number;
  readonly message?: string;
  /** Default: as the venue does it, all but expiry and margin of an order that would rest. */
  readonly consumesNonce?: boolean;
  /** The transaction counts as executed, and its order ends at once in this state. */
  readonly orderStatus?: string;
  /** Neither the transaction nor its order ever shows a trace. */
  readonly silently?: boolean;
}

interface Pending {
  readonly record: TxRecord;
  readonly isProtected: boolean;
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

export class Sequencer {
  readonly #world: World;
  readonly #records = new Map<string, TxRecord>();
  readonly #list: TxRecord[] = [];
  #refusals: { readonly refusal: SequencerRefusal; left: number }[] = [];
  #queue: Promise<unknown> = Promise.resolve();
  /** Between acceptance and execution. */
  delayMs = 0;

  constructor(world: World) {
    this.#world = world;
  }

  refuse(refusal: SequencerRefusal): void {
    this.#refusals.push({ refusal, left: refusal.times ?? 1 });
  }

  clear(): void {
    this.#refusals = [];
  }

  /** Takes a transaction whose number and signature are right. @return when it was executed or refused */
  accept(tx: Tx, isProtected: boolean): Promise<void> {
    const queuedAt = this.#world.now();
    const record: TxRecord = {
      ...{ tx, index: this.#list.length + 1, queuedAt, executedAt: 0, block: 0, status: 1, refusal: null },
    };
    this.#records.set(tx.hash, record);
    this.#list.push(record);
    // Never in the turn of the answer, which is on its way before anything is heard of the execution.
    const due = this.delayMs === 0 ? nextTurn() : this.#world.clock.sleep(this.delayMs);
    const done = this.#queue.then(async () => {
      await due;
      this.#run({ record, isProtected });
    });
    this.#queue = done;
    return done;
  }

  byHash(hash: string): TxRecord | undefined {
    return this.#records.get(hash.replace(/^0x/, '').toLowerCase());
  }

  /** Newest first. */
  of(account: number): readonly TxRecord[] {
    return this.#list.filter(({ tx }) => tx.account === account).toReversed();
  }

  #run({ record, isProtected }: Pending): void {
    const { tx } = record;
    const world = this.#world;
    const account = world.find(tx.account);
    const scripted = this.#scripted(tx);
    // A key that is being made has no number before its first transaction.
    const key = account?.keys.get(tx.apiKey);
    const isNext = key === undefined ? tx.nonce === 0 : fits(tx, key.committed);
    record.executedAt = world.now();
    record.block = world.nextBlock();
    if (account === undefined) this.#fail(record, REFUSALS.account);
    else if (!isNext) this.#fail(record, REFUSALS.nonce);
    else if (record.executedAt > tx.expiredAt) this.#fail(record, REFUSALS.expiry, key, false);
    else if (scripted !== undefined && scripted.orderStatus === undefined) {
      const { code = REFUSALS.margin.code, message = REFUSALS.margin.message } = scripted;
      const consumes = scripted.consumesNonce ?? uses(tx, { code, message });
      if (scripted.silently === true) this.#records.delete(tx.hash);
      this.#fail(record, { code, message }, key, consumes);
    } else {
      const orderStatus = scripted?.orderStatus ?? null;
      const refusal = execute(world, account, tx, { isProtected, orderStatus });
      if (refusal !== null) this.#fail(record, refusal, key, uses(tx, refusal));
      else {
        record.status = 2;
        const used = account.keys.get(tx.apiKey);
        if (used !== undefined) commit(used, tx.nonce);
        world.emit({ kind: 'tx', record });
      }
    }
  }

  #fail(record: TxRecord, refusal: Refusal, key?: ApiKey, consumes = false): void {
    record.status = 0;
    record.refusal = refusal;
    if (key !== undefined && consumes) commit(key, record.tx.nonce);
    // Later transactions of the key fail in their turn, as their numbers are no longer the next.
    else if (key !== undefined) key.nextNonce = key.committed;
    if (this.#records.has(record.tx.hash)) this.#world.emit({ kind: 'tx', record });
  }

  #scripted(tx: Tx): SequencerRefusal | undefined {
    const met = this.#refusals.find(
      ({ refusal: { account, kind } }) =>
        (account === undefined || account === tx.account) && (kind === undefined || kind === tx.kind),
    );
    if (met === undefined) return undefined;
    met.left -= 1;
    this.#refusals = this.#refusals.filter(({ left }) => left > 0);
    return met.refusal;
  }
}

/** True: this transaction's number may be used where `next` is the next one. */
export function fits({ nonce, attributes }: Tx, next: number): boolean {
  return attributes.get(ATTRIBUTES.skipNonce) === 1 ? nonce >= next : nonce === next;
}

function commit(key: ApiKey, nonce: number): void {
  key.committed = nonce + 1;
  key.nextNonce = Math.max(key.nextNonce, key.committed);
}

/** True: a refused transaction's number is used up. */
function uses(tx: Tx, { code }: Refusal): boolean {
  if (code === REFUSALS.expiry.code) return false;
  const rests = tx.kind === 'createOrder' && tx.fields.TimeInForce !== 0;
  return !(rests && code === REFUSALS.margin.code);
}
