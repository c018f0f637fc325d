/** `sendTx` and `sendTxBatch`: what the API looks at before it answers 200, which is not yet an execution. */
import { z } from 'zod';
import type { Account } from '../state/accounts.ts';
import { orderRefusal } from '../state/actions.ts';
import { REFUSALS, type Refusal } from '../state/refusals.ts';
import { fits } from '../state/sequencer.ts';
import type { Venue } from '../venue.ts';
import { approveIntegratorText, changePubKeyText, transferText } from '../wire/l1-messages.ts';
import { CHAINS, readTx, type Tx } from '../wire/tx.ts';
import { signerOfText } from '../wire/wallet-signer.ts';
import { type Answer, answered, post, type Route, refused, whole, yesOrNo } from './route.ts';

const WEIGHT = 6;
const MOST_IN_BATCH = 15;
const QUOTA = 1_000_000;
/** Names all keys of an account in questions, and is none. */
const RESERVED = 255;

/** Note in answers about the counting of transactions. It means success in spite of its words. */
const MESSAGE = '{"ratelimit": "didn\'t use volume quota"}';

export const SEND_ROUTES: Readonly<Record<string, Route>> = {
  sendTx: post(
    z.strictObject({ tx_type: whole, tx_info: z.string(), price_protection: yesOrNo.default(true) }),
    (venue, { fields }) => sendTx(venue, fields.tx_type, fields.tx_info, fields.price_protection),
    WEIGHT,
  ),
  sendTxBatch: post(
    z.strictObject({ tx_types: z.string(), tx_infos: z.string() }),
    (venue, { fields }) => sendBatch(venue, fields.tx_types, fields.tx_infos),
    WEIGHT,
  ),
};

export function sendTx(venue: Venue, type: number, info: unknown, isProtected = true): Answer {
  const tx = readTx(venue.world.network, type, info);
  if (typeof tx === 'string') return refused(tx === 'type' ? REFUSALS.txType : REFUSALS.txInfo);
  const refusal = sendOne(venue, tx, isProtected);
  return refusal === null ? sent(venue, tx.hash) : refused(refusal);
}

/** All are taken or none. @param types and `infos`: lists as JSON, of numbers and of texts */
export function sendBatch(venue: Venue, types: string, infos: string): Answer {
  const list = batchOf(types, infos);
  if (list === null || list.length === 0 || list.length > MOST_IN_BATCH) return refused(REFUSALS.txInfo);
  const txs: Tx[] = [];
  for (const [type, info] of list) {
    const tx = readTx(venue.world.network, type, info);
    if (typeof tx === 'string') return refused(tx === 'type' ? REFUSALS.txType : REFUSALS.txInfo);
    txs.push(tx);
  }
  for (const tx of txs) {
    const refusal = signatureRefusal(venue, tx);
    if (refusal !== null) return refused(refusal);
  }
  for (const [at, tx] of txs.entries()) {
    const before = txs[at - 1];
    const follows = before?.account === tx.account && before.apiKey === tx.apiKey;
    if (follows && tx.nonce !== before.nonce + 1) return refused(REFUSALS.batchNonces);
    const refusal = stateRefusal(venue, tx, true, follows);
    if (refusal !== null) return refused(refusal);
  }
  for (const tx of txs) take(venue, tx, true);
  return sent(
    venue,
    txs.map(({ hash }) => hash),
  );
}

function sent({ world, sequencer }: Venue, hash: string | readonly string[]): Answer {
  return answered({
    ...{ message: MESSAGE, tx_hash: hash, predicted_execution_time_ms: world.now() + sequencer.delayMs },
    volume_quota_remaining: QUOTA,
  });
}

/** Takes a transaction; null: it is on its way to the sequencer. */
export function sendOne(venue: Venue, tx: Tx, isProtected: boolean): Refusal | null {
  const unsigned = signatureRefusal(venue, tx);
  if (unsigned !== null) return unsigned;
  const refusal = stateRefusal(venue, tx, isProtected, false);
  if (refusal === null) take(venue, tx, isProtected);
  return refusal;
}

function take({ world, sequencer }: Venue, tx: Tx, isProtected: boolean): void {
  const key = world.find(tx.account)?.keys.get(tx.apiKey);
  if (key !== undefined) key.nextNonce = tx.nonce + 1;
  void sequencer.accept(tx, isProtected);
}

function signatureRefusal(venue: Venue, tx: Tx): Refusal | null {
  const account = venue.world.find(tx.account);
  if (account === undefined) return REFUSALS.account;
  const key = account.keys.get(tx.apiKey);
  if (tx.apiKey >= RESERVED) return REFUSALS.apiKey;
  if (key === undefined && tx.kind !== 'changePubKey') return REFUSALS.apiKey;
  // A new key signs for itself; the owner's wallet says that it may.
  const publicKey = tx.kind === 'changePubKey' ? tx.fields.PubKey : Buffer.from(key?.publicKey ?? '', 'hex');
  if (!tx.isSignedBy(publicKey)) return REFUSALS.signature;
  return isSignedByOwner(venue, account, tx) ? null : REFUSALS.l1Signature;
}

/** @param follows true: the transaction before it in its batch has the number before */
function stateRefusal({ world }: Venue, tx: Tx, isProtected: boolean, follows: boolean): Refusal | null {
  const account = world.account(tx.account);
  if (tx.expiredAt < world.now()) return REFUSALS.expiry;
  if (!follows && !fits(tx, account.keys.get(tx.apiKey)?.nextNonce ?? 0)) return REFUSALS.nonce;
  if (tx.kind !== 'createOrder') return null;
  if (world.at(tx.fields.MarketIndex) === undefined) return REFUSALS.market;
  if (world.judge === 'sequencer') return null;
  return orderRefusal(world, account, tx.fields, tx.attributes, isProtected);
}

/** True also where the owner's wallet need not sign. */
function isSignedByOwner({ world }: Venue, account: Account, tx: Tx): boolean {
  const chain = CHAINS[world.network];
  const by = (text: string, signature: string) => signerOfText(text, signature) === account.l1Address;
  if (tx.kind === 'changePubKey') return by(changePubKeyText(tx.fields), tx.fields.L1Sig);
  if (tx.kind === 'transfer') {
    // Between accounts of one owner money moves without his wallet.
    if (world.find(tx.fields.ToAccountIndex)?.l1Address === account.l1Address) return true;
    return by(transferText(tx.fields, chain), tx.fields.L1Sig);
  }
  if (tx.kind !== 'approveIntegrator') return true;
  const { MaxPerpsTakerFee, MaxPerpsMakerFee, MaxSpotTakerFee, MaxSpotMakerFee } = tx.fields;
  const isFree = MaxPerpsTakerFee + MaxPerpsMakerFee + MaxSpotTakerFee + MaxSpotMakerFee === 0;
  if (isFree && tx.fields.L1Sig === '') return true;
  return by(approveIntegratorText(tx.fields, chain), tx.fields.L1Sig);
}

function batchOf(types: string, infos: string): [number, string][] | null {
  const numbers = listOf(types);
  const texts = listOf(infos);
  if (numbers === null || texts?.length !== numbers.length) return null;
  const pairs = numbers.flatMap((type, at): [number, string][] => {
    const info = texts[at];
    return typeof type === 'number' && typeof info === 'string' ? [[type, info]] : [];
  });
  return pairs.length === numbers.length ? pairs : null;
}

function listOf(text: string): readonly unknown[] | null {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
