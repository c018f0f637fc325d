/** Checks transactions that come back from the owner's wallet, sends them, and follows their results. */
import { fail, ok, type Result } from '../../../../domain/result.ts';
import type { SetupError, SetupResult, Signed } from '../../../../engine/ports/venue-setup.ts';
import { read } from '../../kit/wire.ts';
import { FIRST_KEY_INDEX } from '../access.ts';
import type { SendAnswer } from '../client.ts';
import type { Refusal } from '../refusals.ts';
import type { SetupParts } from '../setup-parts.ts';
import {
  l1Message,
  parseTxInfo,
  transactionHash,
  type WalletSignedTx,
  withL1Signature,
} from '../signing/signing.ts';
import { enrichedTx, txEvent, txRefusal, type WireAccount, type WireTx } from '../wire.ts';
import { accountOf, venueTime } from './accounts.ts';
import { invalid } from './refuse.ts';

/** Time a transaction waits for its wallet: the same as in the venue's own clients. */
export const SIGNED_WITHIN_MS = 10 * 60_000 - 1_000;
const SEND_WITHIN_MS = 10_000;
/** Intervals of the looks at a transaction while the sequencer works on it. */
const LOOK_AFTER_MS = [250, 500, 1_000, 2_000, 4_000] as const;
/** After "too many requests" where the venue says no time. */
const THROTTLED_MS = 10_000;
const REFUSED = 0;
const WAITS = 1;

type Kind = WalletSignedTx['kind'];
type TxOf<K extends Kind> = Extract<WalletSignedTx, { readonly kind: K }>;

/** A transaction signed by the wallet of the account's owner, ready to be sent. */
export interface Verified<K extends Kind> {
  readonly tx: TxOf<K>;
  readonly txType: number;
  /** With the wallet's signature. */
  readonly txInfo: string;
  readonly txHash: string;
  readonly account: WireAccount;
}

export interface Parsed<K extends Kind> {
  readonly tx: TxOf<K>;
  readonly txType: number;
  readonly txHash: string;
}

const NAMES: Readonly<Record<Kind, string>> = {
  changePubKey: 'registration of a key',
  approveIntegrator: 'approval of an integrator',
  transfer: 'fast withdrawal',
};

function isOf<K extends Kind>(tx: WalletSignedTx, kind: K): tx is TxOf<K> {
  return tx.kind === kind;
}

/** Reads a `txInfo` that has to be of one kind. Sends no request. */
export function parse<K extends Kind>(
  { chainId }: Pick<SetupParts, 'chainId'>,
  kind: K,
  txInfo: string,
): Result<Parsed<K>, SetupError> {
  try {
    const { tx, txType } = parseTxInfo(txInfo);
    if (!isOf(tx, kind)) return invalid('txInfo', `This is no ${NAMES[kind]}`);
    if (tx.apiKeyIndex < FIRST_KEY_INDEX)
      return invalid('txInfo', `Keys below ${FIRST_KEY_INDEX} belong to the venue's own programs`);
    return ok({ tx, txType, txHash: transactionHash(chainId, tx) });
  } catch {
    return invalid('txInfo', 'This is not what was prepared');
  }
}

/** Checks that the owner signed the message that belongs to `txInfo`, whichever message the wallet showed. */
export async function verify<K extends Kind>(
  parts: SetupParts,
  kind: K,
  { txInfo, signature }: Signed,
): SetupResult<Verified<K>> {
  const parsed = parse(parts, kind, txInfo);
  if (!parsed.ok) return parsed;
  const { tx, txHash } = parsed.value;
  if (tx.expiredAt <= venueTime(parts)) return invalid('txInfo', 'It has expired: prepare it again');
  const account = await accountOf(parts, tx.accountIndex, 'txInfo');
  if (!account.ok) return account;
  const whole = withV(signature);
  const signer = await signerOf(l1Message(parts.chainId, txInfo), whole);
  if (signer === null || signer !== account.value.l1_address.toLowerCase())
    return invalid('signature', "It is not the signature of the account's owner over this message");
  const known = await lookUp(parts, txHash);
  if (!known.ok) return known;
  if (known.value !== null) return seen(known.value);
  return ok({ ...parsed.value, txInfo: withL1Signature(txInfo, whole), account: account.value });
}

/** Wallets answer the last byte as 0 or 1, too. */
function withV(signature: string): `0x${string}` {
  const v = Number.parseInt(signature.slice(-2), 16);
  const last = v < 27 ? (v + 27).toString(16) : signature.slice(-2);
  return `0x${signature.slice(2, -2)}${last}`.toLowerCase() as `0x${string}`;
}

async function signerOf(message: string, signature: `0x${string}`): Promise<string | null> {
  const { recoverMessageAddress } = await import('viem/utils');
  try {
    return (await recoverMessageAddress({ message, signature })).toLowerCase();
  } catch {
    return null;
  }
}

function seen(tx: WireTx): Result<never, SetupError> {
  if (tx.status !== REFUSED) return fail({ kind: 'noop', message: 'It was submitted already' });
  return invalid('txInfo', `The venue has refused it${because(tx)}: prepare it again`);
}

/** null: the venue has never seen the transaction. */
async function lookUp({ client }: SetupParts, txHash: string): SetupResult<WireTx | null> {
  const query = { by: 'hash', value: txHash };
  const told = await client.get({ lane: 'lookup', path: '/api/v1/tx', query }, enrichedTx);
  if (told.ok) return ok(told.value);
  return told.error.kind === 'rejected' ? ok(null) : told;
}

/** Hands in by `sendTx`, and waits until the sequencer has decided. */
export async function submit(
  parts: SetupParts,
  { txInfo, txHash, txType }: Pick<Verified<Kind>, 'txInfo' | 'txHash' | 'txType'>,
): SetupResult<'executed' | 'pending'> {
  const until = parts.clock.now() + SEND_WITHIN_MS;
  const answer = await parts.client.send('open', 1, until, async () => [
    { txType, txInfo, txHash, messageToSign: null },
  ]);
  const refusal = refusalOf(answer, parts.clock.now());
  return refusal ?? settled(parts, txHash, answer.kind === 'taken');
}

/** null: the venue has it, or may have it. */
function refusalOf(answer: SendAnswer, now: number): Result<never, SetupError> | null {
  if (answer.kind === 'refused') return judged(answer.refusal, now);
  if (answer.kind !== 'not_sent') return null;
  const { message, retryAt } = answer;
  return fail(answer.wasSigned ? { kind: 'unknown', message } : { kind: 'throttled', message, retryAt });
}

/** Turns the venue's reason for not taking a transaction into an error. */
export function judged(
  { kind, message }: Pick<Refusal, 'kind' | 'message'>,
  now: number,
): Result<never, SetupError> {
  if (kind === 'nonce')
    return invalid('txInfo', 'Another transaction of this key came in between: prepare it again');
  if (kind === 'throttled') return fail({ kind, message, retryAt: now + THROTTLED_MS });
  return invalid('txInfo', `The venue refuses it: ${message}`);
}

/**
 * Waits for the result of a transaction that the venue has or may have taken. `pending`: not decided within seconds.
 */
export async function settled(
  parts: SetupParts,
  txHash: string,
  wasTaken: boolean,
): SetupResult<'executed' | 'pending'> {
  let isThere = wasTaken;
  for (const pause of LOOK_AFTER_MS) {
    await parts.clock.sleep(pause);
    const found = await lookUp(parts, txHash);
    if (!found.ok || found.value === null) continue;
    isThere = true;
    if (found.value.status === REFUSED)
      return invalid('txInfo', `The venue has refused it${because(found.value)}: prepare it again`);
    if (found.value.status !== WAITS) return ok('executed');
  }
  if (isThere) return ok('pending');
  return fail({ kind: 'unknown', message: 'the venue did not say whether it has taken the transaction' });
}

function because({ event_info }: WireTx): string {
  const event = read(txEvent, event_info ?? '');
  const said = event.ok ? read(txRefusal, event.value.ae ?? '') : event;
  return said.ok && typeof said.value.message === 'string' ? ` (${said.value.message.slice(0, 200)})` : '';
}
